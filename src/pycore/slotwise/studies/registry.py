"""The studies by name; a folder of this package that registers one is all a further study needs."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import time
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from slotwise._numbers import whole
from slotwise.studies.cells import CellStore
from slotwise.studies.result import StudyResult
from slotwise.studies.run import StudyRun
from slotwise.studies.study import StudyInfo
from slotwise.sweeps.sweep import threads_for

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from slotwise.studies.row import Row

Function = TypeVar("Function", bound="Callable[..., Iterable[Row]]")

_studies: dict[str, StudyInfo] = {}


def study(
    name: str,
    *,
    paper: str,
    seeds: int = 5,
    quick_seeds: int = 2,
    titles: Mapping[str, str] | None = None,
    across: Mapping[str, str] | None = None,
    every: Mapping[str, int] | None = None,
) -> Callable[[Function], Function]:
    """Register the decorated function as a study; its docstring's first line describes it.

    Parameters
    ----------
    name, paper, seeds, quick_seeds, titles, across, every
        As the attributes of `StudyInfo`.
    """

    def register(function: Function) -> Function:
        doc = (inspect.getdoc(function) or "").partition("\n")[0]
        _studies[name] = StudyInfo(
            name, doc, paper, function, seeds, quick_seeds, titles or {}, across or {},
            every or {}, function.__module__,
        )  # fmt: skip
        return function

    return register


@cache
def _load_studies() -> None:
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            importlib.import_module(f"{__package__}.{module.name}")


def studies() -> list[StudyInfo]:
    """Return the studies, by name."""
    _load_studies()
    return sorted(_studies.values(), key=lambda info: info.name)


def study_named(name: str) -> StudyInfo:
    """Return a study.

    Raises
    ------
    ValueError
        Naming the studies there are.
    """
    known = {info.name: info for info in studies()}
    if name not in known:
        raise ValueError(f"unknown study {name!r}: there is {', '.join(known)}")
    return known[name]


def run_study(
    name: str,
    *,
    quick: bool = False,
    seeds: int | None = None,
    workers: int | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Callable[[str, float], object] | None = None,
    **options: Any,
) -> StudyResult:
    """Run a study.

    Parameters
    ----------
    name : str
        As `slotwise.studies.studies` lists them.
    quick : bool, default False
        The same study at a size that ends within a minute.
    seeds : int, optional
        How many seeds are drawn: 1 to this number. Default: as the study says.
    workers : int, optional
        Cells computed at once. Default: as many as this process may run on.
    cache : path-like, optional
        A folder that keeps finished cells; a run that was ended goes on from there, and a further
        run computes only what it lacks. Default: nothing is kept.
    progress : callable, optional
        Called with what is being computed and the part of it that is done, 0 to 1.
    **options
        The study's own; the docstring of its function documents them.

    Returns
    -------
    StudyResult

    Raises
    ------
    ValueError
        For an unknown study or option, fewer than 1 seed or worker.
    TraceError
        For a log that the study needs and does not find.
    """
    info = study_named(name)
    info.check_options(options)
    n_seeds = _positive(
        "seeds", (info.quick_seeds if quick else info.seeds) if seeds is None else seeds
    )
    n_workers = threads_for(None if workers is None else _positive("workers", workers))
    begun = time.perf_counter()
    with CellStore.open(cache, info) as cells:
        run = StudyRun(quick, n_seeds, n_workers, cells, progress)
        rows = tuple(info.function(run, **options))
    seconds = time.perf_counter() - begun
    said = (tuple(run.notes), tuple(run.conclusions))
    return StudyResult(info, rows, seconds, *said, dict(run.pictures))


def _positive(name: str, value: object) -> int:
    count = whole(value)
    if count is None or not 1 <= count <= 4096:
        raise ValueError(f"{name} is {value!r}; give a whole number from 1 to 4096")
    return count
