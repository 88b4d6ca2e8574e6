"""One run of a study: the object that is passed to the study's function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure

    from slotwise.studies.cells import CellStore


class StudyRun:
    """One run of a study: its size, its cells, and the collected notes and pictures.

    Attributes
    ----------
    quick : bool
        True for a run that takes less than a minute on two cores.
    seeds : range
        1 to the requested number.
    workers : int
        Number of cells computed at a time.
    notes : list of str
        Notes that explain the tables; add with `note`.
    conclusions : list of str
        Conclusions from the tables; add with `conclude`.
    pictures : dict of str to callable
        Functions that draw the pictures; add with `picture`.
    """

    def __init__(
        self,
        quick: bool,
        n_seeds: int,
        workers: int,
        cells: CellStore,
        progress: Callable[[str, float], object] | None = None,
        executor: Any = None,
        shared_folder: str | os.PathLike[str] | None = None,
    ) -> None:
        self.quick = quick
        self.seeds = range(1, n_seeds + 1)
        self.workers = workers
        self.notes: list[str] = []
        self.conclusions: list[str] = []
        self.pictures: dict[str, Callable[[], Figure]] = {}
        self._cells = cells
        self._progress = progress
        self._executor = executor
        self._shared_folder = shared_folder

    def note(self, text: str) -> None:
        """Add a note under the tables; repeated notes appear once."""
        if text not in self.notes:
            self.notes.append(text)

    def conclude(self, text: str) -> None:
        """Add a conclusion, shown after all tables."""
        self.conclusions.append(text)

    def picture(self, name: str, draw: Callable[[], Figure]) -> None:
        """Register a picture, drawn as NAME.png and NAME.svg if the user wants pictures.

        Parameters
        ----------
        name : str
            Without suffix.
        draw : callable
            Returns a ``matplotlib.figure.Figure`` created without pyplot, which keeps global state.
        """
        self.pictures[name] = draw

    def cell(
        self, what: str, function: Callable[..., Any], *, inputs: str = "", **cell: Any
    ) -> Any:
        """Compute one cell, ``function(**cell)``, or reuse it from an earlier run; see `map`."""
        return self.map(what, function, [cell], inputs=inputs)[0]

    def map(
        self,
        what: str,
        function: Callable[..., Any],
        cells: Sequence[Mapping[str, Any]],
        *,
        inputs: str = "",
        processes: bool = False,
    ) -> list[Any]:
        """Compute ``function(**cell)`` for every cell that no earlier run has computed.

        Parameters
        ----------
        what : str
            Name of the computation; shown as progress, and part of the key of every cell.
        function : callable
            Returns a value that JSON can represent; tuples come back as lists.
        cells : sequence of mapping
            Keyword arguments of the function: numbers, strings, and lists and mappings of these.
        inputs : str
            Identifies everything else on which the values depend, such as ``trace.replay_hash``.
        processes : bool, default False
            Without an executor, compute in processes instead of threads, for functions that hold
            the GIL; `function` must then be importable.

        Returns
        -------
        list
            Values in the order of `cells`. If the run has a cache, each value is written to it as
            soon as it is computed. An exception ends the run; cells in progress are still finished
            and stored.
        """
        keys = [self._cells.key(what, inputs, cell) for cell in cells]
        missing = {
            key: cell for key, cell in zip(keys, cells, strict=True) if key not in self._cells
        }
        total = max(len(set(keys)), 1)
        self._tell(what, 1 - len(missing) / total)
        if missing:
            from slotwise.studies.computing import compute, compute_on  # slow to import

            def keep(key: str, value: Any, left: int) -> None:
                self._cells.add(key, missing[key], value)
                self._tell(what, 1 - left / total)

            if self._executor is not None:
                compute_on(self._executor, self._shared_folder, function, missing, keep)
            else:
                compute(function, missing, min(self.workers, len(missing)), processes, keep)
        return [self._cells[key] for key in keys]

    def _tell(self, what: str, part: float) -> None:
        if self._progress is not None:
            self._progress(what, part)
