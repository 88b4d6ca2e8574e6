"""Description of a study."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from slotwise.studies.row import Row


@dataclass(frozen=True)
class StudyInfo:
    """A study: a published experiment, repeated with Slotwise.

    Attributes
    ----------
    name : str
    doc : str
        One line.
    paper : str
        The publication.
    function : callable
        Takes a `StudyRun` and its own keywords, and returns the rows.
    seeds, quick_seeds : int
        Default number of seeds, in full runs and under ``--quick``.
    titles : mapping of str to str
        Titles of the tables.
    across : mapping of str to str
        For each table shown as a grid, the key whose values head the columns.
        Other tables have one line per row.
    every : mapping of str to int
        For long tables, the step between lines on a terminal: 5 shows every fifth line.
    package : str
        The study's package; ``verbs`` in its module ``commands`` are added to the command line.
    """

    name: str
    doc: str
    paper: str
    function: Callable[..., Iterable[Row]]
    seeds: int = 5
    quick_seeds: int = 2
    titles: Mapping[str, str] = field(default_factory=dict)
    across: Mapping[str, str] = field(default_factory=dict)
    every: Mapping[str, int] = field(default_factory=dict)
    package: str = ""

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """Options that only this study has, by name."""
        _run, *own = inspect.signature(self.function).parameters.values()
        return {parameter.name: parameter for parameter in own}

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse options that this study does not have.

        Raises
        ------
        ValueError
        """
        unknown = [name for name in options if name not in self.parameters]
        if unknown:
            known = ", ".join(self.parameters) or "none"
            raise ValueError(
                f"study {self.name!r} has no option {', '.join(unknown)}; its options are: {known}"
            )
