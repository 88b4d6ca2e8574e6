"""Job arrays as ``sbatch --array`` writes them: ``0-15:4%2``."""

from __future__ import annotations

import re

_MOST_TASKS = 100_000
_PART = re.compile(r"(\d{1,9})(?:-(\d{1,9})(?::(\d{1,9}))?)?", re.ASCII)


def tasks_of(text: str) -> tuple[list[int], int]:
    """Return the tasks of an array, ascending, and how many may run at once (-1: no limit).

    Raises
    ------
    ValueError
        For a string that is not an array, and for more than 100,000 tasks.

    Examples
    --------
    >>> tasks_of("1,4-8:2%2")
    ([1, 4, 6, 8], 2)
    """
    listed, mark, most = text.partition("%")
    if mark and not (re.fullmatch(r"[0-9]{1,9}", most) and int(most) > 0):
        raise ValueError(
            f"--array {text}: the limit after % must be a number, at least 1, as in 1-10%4"
        )
    tasks: set[int] = set()
    for part in listed.split(","):
        match = _PART.fullmatch(part)
        first, last, step = (
            (int(n) if n else None for n in match.groups()) if match else (None,) * 3
        )
        if first is None or step == 0:
            raise ValueError(
                f"--array {text} must be a list of tasks, such as 1-10, 1,3,5 or 0-15:4%2"
            )
        span = range(first, (first if last is None else last) + 1, step or 1)
        if len(span) + len(tasks) > _MOST_TASKS:
            raise ValueError(f"--array {text} has more than {_MOST_TASKS:,} tasks; split the array")
        if len(span) == 0:
            raise ValueError(f"--array {text}: {part} ends before it begins; swap the two numbers")
        tasks |= set(span)
    return sorted(tasks), int(most) if mark else -1
