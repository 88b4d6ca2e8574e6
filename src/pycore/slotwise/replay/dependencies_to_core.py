"""Conversion of dependencies on other jobs for the compiled core."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise._core import Condition as CoreCondition, DependencyKind, DependencyLists
from slotwise.trace.dependency_lists import conditions_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_KINDS = {
    "afterok": DependencyKind.afterok,
    "afterany": DependencyKind.afterany,
    "afternotok": DependencyKind.afternotok,
    "aftercorr": DependencyKind.aftercorr,
    "singleton": DependencyKind.singleton,
}


def core_conditions(text: str) -> list[CoreCondition]:
    """Convert the text of one list of conditions for the compiled core.

    Raises
    ------
    ValueError
        For a string that is not a list of conditions.
    """
    return [CoreCondition(_KINDS[kind], job, task) for kind, job, task in conditions_of(text)]


def core_lists(words: Mapping[int, str]) -> DependencyLists:
    """Convert a trace's lists of conditions, each with its code, for the compiled core."""
    lists = DependencyLists()
    for code in sorted(words):
        lists.add(code, core_conditions(words[code]))
    return lists
