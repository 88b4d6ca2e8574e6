"""Names for the codes of a trace: user 2 is "bob"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.errors import TraceError
from slotwise.trace.dependency_lists import check_codes, check_dependencies

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Labels = Mapping[str, Mapping[int, str]]

LABELLED = (
    "user",
    "group",
    "account",
    "queue",
    "partition",
    "qos",
    "executable",
    "state",
    "node_list",
    "dependency",
    "constraint",
)
"""Columns whose codes may have names."""


def coded(name: str, values: Any) -> tuple[Any, dict[int, str] | None]:
    """Number the strings of a column from 1; a column of numbers is returned unchanged.

    An empty string or None counts as unknown (-1).
    """
    if name not in LABELLED or not _holds_words(values):
        return values, None
    codes: dict[str, int] = {}
    column = [
        codes.setdefault(str(word), len(codes) + 1) if word is not None and word != "" else -1
        for word in values
    ]
    return np.array(column, dtype=np.int32), {code: word for word, code in codes.items()}


def with_codes(
    given: dict[str, Any], named: dict[str, dict[int, str]]
) -> tuple[dict[str, Any], dict[str, dict[int, str]]]:
    """Replace columns of strings with codes, and add the strings to `named`.

    Raises
    ------
    TraceError
        For a dependency that is not a list of conditions, or a dependency code without a name.
    """
    for name in given.keys() & set(LABELLED):
        given[name], words = coded(name, given[name])
        named = named | {name: words} if words else named
        if name == "dependency":
            check_dependencies(words or {})
            check_codes(given[name], named.get(name))
    return given, named


def _holds_words(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        if values.dtype.kind == "U":
            return True
        values = values.tolist() if values.dtype == object and values.ndim == 1 else []
    if not isinstance(values, list | tuple):
        return False
    return any(isinstance(word, str) for word in values) and all(
        word is None or isinstance(word, str) for word in values
    )


def checked(labels: Labels | None) -> dict[str, dict[int, str]]:
    """Check and copy a table of names.

    Raises
    ------
    TraceError
        For a column that cannot have names, a code that is not a whole number from 0, a name that
        is not a string, or a dependency that is not a list of conditions.
    """
    copied: dict[str, dict[int, str]] = {}
    for name, words in (labels or {}).items():
        if name not in LABELLED:
            raise TraceError(
                f"labels are given for {name!r}, which is not a column of codes; only these "
                f"columns may have labels: {', '.join(LABELLED)}"
            )
        for code, word in words.items():
            if not isinstance(code, int | np.integer) or code < 0 or not isinstance(word, str):
                raise TraceError(
                    f"the labels of {name} contain {code!r}: {word!r}; a key must be a whole "
                    "number, at least 0, and its value must be a string: correct it"
                )
        if name == "dependency":
            check_dependencies(words)
        if words:
            copied[name] = {int(code): word for code, word in words.items()}
    return copied


def names_of(codes: NDArray[Any], words: Mapping[int, str] | None) -> list[str]:
    """Name each code: an empty string if unknown, and the number itself if it has no name."""
    if not words:
        return [str(code) if code >= 0 else "" for code in codes.tolist()]
    return [words.get(code, str(code)) if code >= 0 else "" for code in codes.tolist()]


def anonymous(labels: Labels) -> dict[str, dict[int, str]]:
    """Replace names with their kind and code, such as user2.

    Names of queues, partitions and QOSes are kept, and so are dependencies and constraints. Only
    the first word of a state is kept, because ``CANCELLED by 1001`` names a user.
    """
    kept = ("queue", "partition", "qos", "dependency", "constraint")
    made = {
        name: dict(words) if name in kept else {code: f"{name}{code}" for code in words}
        for name, words in labels.items()
    }
    if "state" in labels:
        made["state"] = {code: (word.split() or [""])[0] for code, word in labels["state"].items()}
    return made


def renumbered(codes: NDArray[Any]) -> NDArray[np.int32]:
    """Renumber codes from 1 in order of first occurrence, and keep negative codes."""
    known = codes >= 0
    distinct, first, place = np.unique(codes[known], return_index=True, return_inverse=True)
    rank = np.empty(len(distinct), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(1, len(distinct) + 1, dtype=np.int32)
    made = codes.astype(np.int32)
    made[known] = rank[place]
    return made


def words_in_order(words: Mapping[int, str]) -> Sequence[str]:
    """Return the names by code, from 0; a code without a name gets its number."""
    return [words.get(code, str(code)) for code in range(max(words, default=-1) + 1)]
