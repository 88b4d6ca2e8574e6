"""A job's rules for its nodes: units per node, number of nodes, exclusive use, features."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.errors import TraceError
from slotwise.trace.constraints import alternatives
from slotwise.written_values import shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Int64 = NDArray[np.int64]

TEXT_RULES = ("exclusive", "constraint")
"""Rules whose values are strings, both in arguments and in files."""


class Exclusive(IntEnum):
    """Exclusive use of nodes: which other jobs may run on a job's nodes."""

    NO = 0
    """The job may share its nodes with all other jobs."""
    JOB = 1
    """The job shares its nodes with no other job: each unit takes its whole node."""
    USER = 2
    """The job may share its nodes with jobs of the same user; if the user is unknown, with none."""


def exclusive_of(value: str | ArrayLike, n_jobs: int) -> NDArray[np.uint8]:
    """Read the exclusive use of nodes, for all jobs or per job: ``"no"``, ``"job"`` or ``"user"``.

    An empty string means ``"no"``.

    Raises
    ------
    TraceError
        For any other word, or a wrong number of words.
    """
    codes = {kind.name.lower(): int(kind) for kind in Exclusive}
    found, positions = _different_texts("exclusive", value, n_jobs)
    for number, word in enumerate(found):
        if word not in ("", *codes):
            job = int(np.argmax(positions == number))
            raise TraceError(
                f"exclusive[{job}] is {shown(word)}; it must be one of: {', '.join(codes)}"
            )
    column = np.array([codes.get(word, 0) for word in found] or [0], dtype=np.uint8)[positions]
    column.flags.writeable = False
    return column


def constraint_ids(
    value: str | ArrayLike, n_jobs: int
) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Return the distinct constraints, and each job's index in them; `value` may be one string.

    Raises
    ------
    TraceError
        For a malformed constraint, or a wrong number of constraints.
    """
    found, positions = _different_texts("constraint", value, n_jobs)
    stripped = [text.strip() for text in found]
    for number, text in enumerate(stripped):
        try:
            alternatives(text)
        except ValueError as fault:
            job = int(np.argmax(positions == number))
            raise TraceError(f"constraint[{job}]: {fault}") from None
    names = ("", *dict.fromkeys(text for text in stripped if text))
    numbers = np.array([names.index(text) for text in stripped] or [0], dtype=np.int32)
    column = numbers[positions]
    column.flags.writeable = False
    return names, column


def _different_texts(name: str, value: Any, n_jobs: int) -> tuple[list[str], NDArray[np.intp]]:
    """Return the distinct strings in order of first occurrence, and each job's index there."""
    if isinstance(value, str):
        return [value] if n_jobs else [], np.zeros(n_jobs, dtype=np.intp)
    texts = np.asarray(value, object).tolist()
    if not isinstance(texts, list) or len(texts) != n_jobs:
        raise TraceError(f"{name} must be one string, or {n_jobs} strings, one per job")
    for job, text in enumerate(texts):
        if not isinstance(text, str):
            raise TraceError(f"{name}[{job}] is {shown(text)}; it must be a string: correct it")
    found: dict[str, int] = {}
    positions = [found.setdefault(text, len(found)) for text in texts]
    return [*found], np.array(positions, dtype=np.intp)


def check_rules(units: Int64, per_node: Int64, nodes: Int64, exclusive: NDArray[np.uint8]) -> None:
    """Refuse rules that no machine can satisfy.

    Raises
    ------
    TraceError
        If a job has such rules; the message names the first one.
    """
    most = np.where(exclusive == Exclusive.JOB, 1, per_node)
    for wrong, rule in (
        ((nodes > 0) & (units < nodes), "needs a unit on each node"),
        (
            (nodes > 0) & (most > 0) & (units > nodes * most),
            "has more units than fit on these nodes",
        ),
    ):
        if wrong.any():
            job = int(np.argmax(wrong))
            each = f", at most {most[job]} on each" if most[job] else ""
            raise TraceError(
                f"job {job} requests {units[job]} units on {nodes[job]} nodes{each}, but it "
                f"{rule}; correct units, nodes or per_node"
            )
