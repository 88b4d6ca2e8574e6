"""Lists of nodes as Slurm writes them: ``n[001-003]-ib,g[1,4],r[1-2]n[0-3]``."""

from __future__ import annotations

import itertools
import math
import re

_HOSTS = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")
_GROUP = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")


def number_of_hosts(text: str) -> int:
    """Count the nodes of a list without spelling them out.

    Raises
    ------
    ValueError
        For brackets without a partner, and ranges that hold no number or run backwards.
    """
    return sum(
        math.prod(sum(len(numbers) for numbers, _ in _ranges(group)) for group in groups)
        for _, groups in _parted(text)
    )


def expanded(text: str, most: int) -> set[str]:
    """Give the names of a list, at most so many.

    Raises
    ------
    ValueError
        As `number_of_hosts`, and for more names.
    """
    if (count := number_of_hosts(text)) > most:
        raise ValueError(f"it names {count:,} nodes, and there may be {most:,}")
    names = set()
    for texts, groups in _parted(text):
        spelled = [
            [f"{number:0{width}d}" for numbers, width in _ranges(group) for number in numbers]
            for group in groups
        ]
        for chosen in itertools.product(*spelled):
            pairs = zip(texts, [*chosen, ""], strict=True)
            names.add("".join(part + number for part, number in pairs))
    return names


def _parted(text: str) -> list[tuple[list[str], list[str]]]:
    """Give the texts around the brackets of each part of a list, and what the brackets hold."""
    if _HOSTS.sub("", text).strip(","):
        raise ValueError(f"{text:.60} has a bracket without its partner; write n[1-4]")
    parts = [_GROUP.split(part) for part in _HOSTS.findall(text)]
    return [(part[::2], part[1::2]) for part in parts]


def _ranges(group: str) -> list[tuple[range, int]]:
    """Give the numbers of ``001-003,7``, each range with the digits its numbers have at least."""
    found = []
    for part in group.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise ValueError(f"[{part:.60}] must be a number or a range of numbers, as [01-16]")
        low, high = match[1], match[2] or match[1]
        if int(low) > int(high):
            raise ValueError(f"[{part}] runs backwards; write [{high}-{low}]")
        found.append((range(int(low), int(high) + 1), len(low)))
    return found
