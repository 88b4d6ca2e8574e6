"""Resizes lists of hosts: for 20 nodes, ``gpu[001-016]`` becomes ``gpu[001-020]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.machine.hostlist import ENDING, expanded, folded

if TYPE_CHECKING:
    from collections.abc import Iterable


def resized_hosts(hosts: str, count: int, most: int, others: Iterable[str] = ()) -> str:
    """Return the list shortened or extended at its end to `count` hosts.

    New names have the stem and the number of digits of the last name. Their numbers follow the
    highest number with that stem in the machine.

    Parameters
    ----------
    hosts : str
        The current list, which must be valid.
    count : int
        The new number of nodes, at least 1.
    most : int
        The largest number of nodes allowed.
    others : iterable of str, optional
        Names of the other nodes of the machine.

    Raises
    ------
    ValueError
        If the last name does not end in a number.

    Examples
    --------
    >>> resized_hosts("gpu[001-016]", 20, 100)
    'gpu[001-020]'
    >>> resized_hosts("gpu[001-016],big1", 16, 100)
    'gpu[001-016]'
    >>> resized_hosts("gpu[001-016]", 18, 100, ["gpu017"])
    'gpu[001-016,018-019]'
    """
    names = expanded(hosts, most)
    if count <= len(names):
        return folded(names[:count])
    last = ENDING.fullmatch(names[-1])
    if last is None:
        raise ValueError(
            f"the last host {names[-1]!r:.60} does not end in a number, so no further hosts can be "
            "numbered"
        )
    stem, digits = last[1], len(last[2])
    matches = (ENDING.fullmatch(name) for name in (*names, *others))
    highest = max(int(match[2]) for match in matches if match and match[1] == stem)
    numbers = range(highest + 1, highest + 1 + count - len(names))
    new = [f"{stem}{number:0{digits}d}" for number in numbers]
    return folded(names + new)
