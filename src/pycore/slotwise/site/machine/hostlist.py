"""Lists of nodes as Slurm and ClusterShell write them: ``n[001-003]-ib,g[1,4],r[1-2]n[0-3]``.

Leading zeros matter: ``n[01-02]`` means n01 and n02, ``n[1-2]`` means n1 and n2. Numbers in a range
have at least as many digits as its lower end: ``n[8-10]`` means n8, n9 and n10; ``n[08-10]`` means
n08, n09 and n10. A step omits numbers: ``n[1-5/2]`` means n1, n3 and n5.
"""

from __future__ import annotations

import itertools
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HOSTS = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")
_GROUP = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18})(?:/([0-9]{1,18}))?)?")
_NAME = re.compile(r"[\w.-]+")
ENDING = re.compile(r"(.*?)([0-9]{1,18})", re.DOTALL)


def number_of_hosts(text: str) -> int:
    """Count the nodes in a list without expanding it.

    Raises
    ------
    ValueError
        For unmatched brackets, and for ranges that contain no number, run backwards or have a step
        of 0.
    """
    return sum(
        math.prod(sum(len(numbers) for numbers, _ in _ranges(group)) for group in groups)
        for _, groups in _parted(text)
    )


def expanded(text: str, most: int) -> list[str]:
    """Return the names in a list in the order written; at most `most` names are allowed.

    Raises
    ------
    ValueError
        As for `number_of_hosts`, and if there are more names than `most`.
    """
    if (count := number_of_hosts(text)) > most:
        raise ValueError(f"it lists {count:,} nodes, but at most {most:,} are allowed")
    names = []
    for texts, groups in _parted(text):
        spelled = [
            [f"{number:0{width}d}" for numbers, width in _ranges(group) for number in numbers]
            for group in groups
        ]
        for chosen in itertools.product(*spelled):
            pairs = zip(texts, [*chosen, ""], strict=True)
            names.append("".join(part + number for part, number in pairs))
    return names


def checked_hosts(text: str) -> int:
    """Count the nodes in a list from a site; the rules are stricter than in slurm.conf.

    Raises
    ------
    ValueError
        As for `number_of_hosts`. Also for an empty list, for names with spaces or special
        characters, and for a range such as ``[1-08]``: an upper end with leading zeros must have as
        many digits as the lower end.
    """
    count = number_of_hosts(text)
    parts = _parted(text)
    if not parts:
        raise ValueError("the list contains no node; write a list of nodes, such as gpu[001-016]")
    for texts, groups in parts:
        name = "0".join(texts)
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"{name!r:.60} is not the name of a node; a name may contain only letters, digits, "
                "'-', '_' and '.'; write, for example, gpu[001-016],fat3"
            )
        for group in groups:
            _check_digits(group)
    return count


def _check_digits(group: str) -> None:
    for part in group.split(","):
        low, dash, high = part.partition("/")[0].partition("-")
        if dash and high.startswith("0") and len(high) != len(low):
            raise ValueError(
                f"the ends of [{part:.60}] have different numbers of digits; write both with the "
                "same number of digits, such as [001-016]"
            )


def folded(names: Sequence[str]) -> str:
    """Fold names into a list, in order: ``["n1", "n2", "n4"]`` becomes ``n[1-2,4]``."""
    parts: list[tuple[str, list[str]]] = []
    for name in names:
        match = ENDING.fullmatch(name)
        stem, digits = (match[1], match[2]) if match else (name, "")
        if parts and digits and parts[-1][0] == stem and parts[-1][1] != [""]:
            parts[-1][1].append(digits)
        else:
            parts.append((stem, [digits]))
    return ",".join(_joined(stem, numbers) for stem, numbers in parts)


def _joined(stem: str, numbers: Sequence[str]) -> str:
    if len(numbers) == 1:
        return stem + numbers[0]
    return f"{stem}[{','.join(_spans(numbers))}]"


def _spans(numbers: Sequence[str]) -> Iterator[str]:
    """Join consecutive numbers with the same zero padding into ranges."""
    first = last = numbers[0]
    for number in [*numbers[1:], ""]:
        if number and number == f"{int(last) + 1:0{len(first)}d}":
            last = number
            continue
        yield first if first == last else f"{first}-{last}"
        first = last = number


def _parted(text: str) -> list[tuple[list[str], list[str]]]:
    """Split each part of a list: ``n[1-2]x`` into ``n`` and ``x``, and the group ``1-2``."""
    if _HOSTS.sub("", text).strip(","):
        raise ValueError(f"{text:.60} has an unmatched bracket; write, for example, n[1-4]")
    parts = [_GROUP.split(part) for part in _HOSTS.findall(text)]
    return [(part[::2], part[1::2]) for part in parts]


def _ranges(group: str) -> list[tuple[range, int]]:
    """Return the ranges in ``001-003,7``, each with its minimum number of digits."""
    found = []
    for part in group.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise ValueError(
                f"[{part:.60}] must be a number or a range of numbers, such as [01-16]"
            )
        low, high = match[1], match[2] or match[1]
        if int(low) > int(high):
            raise ValueError(f"[{part}] runs backwards; write [{high}-{low}]")
        step = int(match[3] or 1)
        if step == 0:
            raise ValueError(
                f"[{part}] has a step of 0; write [{low}-{high}/2] for every second number"
            )
        found.append((range(int(low), int(high) + 1, step), len(low)))
    return found
