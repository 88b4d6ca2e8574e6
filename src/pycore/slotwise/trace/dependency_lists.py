"""Lists of conditions on other jobs, in Slurm's syntax: ``afterok:12:13,singleton``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise.errors import TraceError

if TYPE_CHECKING:
    from collections.abc import Mapping

AFTER = ("afterok", "afterany", "afternotok", "aftercorr")
"""Kinds of conditions that name jobs."""

SINGLETON = "singleton"
_JOB = re.compile(r"([0-9]{1,18})(?:_([0-9]{1,18}|\*))?")
_NONE = ("", "(null)", "None")


class Condition(NamedTuple):
    """One condition of a list.

    Attributes
    ----------
    kind : str
    job : int
        Number of a job or an array; -1 with ``singleton``.
    task : int
        Task of the array; -1 for the job itself, or for every task.
    """

    kind: str
    job: int = -1
    task: int = -1


def conditions_of(text: str) -> tuple[Condition, ...]:
    """Read a list of conditions, all of which must be met.

    Remarks in brackets, which `squeue` adds, are ignored: ``afterok:12(unfulfilled)``.

    Raises
    ------
    ValueError
        If the text is not such a list.

    Examples
    --------
    >>> conditions_of("afterany:12,singleton")
    (Condition(kind='afterany', job=12, task=-1), Condition(kind='singleton', job=-1, task=-1))
    """
    text = text.strip()
    if text in _NONE:
        return ()
    if "?" in text:
        raise ValueError(
            f"{text[:80]!r} requires only one of several conditions, which is not supported; "
            "write conditions that must all be met, separated by commas"
        )
    found: list[Condition] = []
    for item in re.sub(r"\([a-zA-Z]*\)", "", text).split(","):
        found += _conditions(item.strip(), text)
    return tuple(found)


def _conditions(item: str, text: str) -> list[Condition]:
    kind, colon, jobs = item.partition(":")
    if kind == SINGLETON and not colon:
        return [Condition(SINGLETON)]
    if kind not in AFTER:
        known = ", ".join((*AFTER, SINGLETON))
        raise ValueError(
            f"{item[:40]!r} in {text[:80]!r} is not a condition; known names are {known}; "
            "write, for example, afterok:12:13,afterany:14"
        )
    found = []
    for job in jobs.split(":"):
        match = _JOB.fullmatch(job.strip())
        if match is None:
            raise ValueError(
                f"{job[:40]!r} in {text[:80]!r} is not the number of a job; write 12, or 12_3 for "
                "a task of an array"
            )
        task = -1 if match[2] in (None, "*") else int(match[2])
        found.append(Condition(kind, int(match[1]), task))
    return found


def check_dependencies(words: Mapping[int, str]) -> None:
    """Raise a TraceError for the first text that is not a list of conditions."""
    for word in words.values():
        if not isinstance(word, str):
            continue  # another check reports labels that are not strings
        try:
            conditions_of(word)
        except ValueError as fault:
            raise TraceError(f"dependency: {fault}") from None


def check_codes(column: Any, words: Mapping[int, str] | None) -> None:
    """Raise a TraceError for a dependency code that stands for no list of conditions."""
    if column is None:
        return
    codes = np.asarray(column)
    if codes.dtype.kind not in "iuf":
        return  # another check reports columns that are not numbers
    known = np.array(sorted(words or ()), dtype=np.int64)
    strange = (codes >= 0) & ~np.isin(codes, known)
    if strange.any():
        row = int(np.argmax(strange))
        raise TraceError(
            f"dependency[{row}] is {codes[row]}, a code that has no label; write conditions as a "
            f"string, such as afterany:{codes[row]}"
        )
