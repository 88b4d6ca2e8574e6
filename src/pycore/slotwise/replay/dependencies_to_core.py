"""Converts dependencies on other jobs to the form that the compiled core uses."""

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
    """Convert one list of conditions, given as text, to the core's form.

    Raises
    ------
    ValueError
        For a string that is not a list of conditions.
    """
    return [CoreCondition(_KINDS[kind], job, task) for kind, job, task in conditions_of(text)]


def core_lists(words: Mapping[int, str]) -> DependencyLists:
    """Convert a trace's lists of conditions to the core's form; `words` maps codes to texts."""
    lists = DependencyLists()
    for code in sorted(words):
        lists.add(code, core_conditions(words[code]))
    return lists
