"""The studies by name. To add a study, add a folder to this package with code to register it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import time
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from slotwise._numbers import whole
from slotwise.entry_points import load_decorated
from slotwise.studies.cells import CellStore
from slotwise.studies.result import StudyResult
from slotwise.studies.run import StudyRun
from slotwise.studies.study import StudyInfo
from slotwise.sweeps.workers import threads_for

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from slotwise.studies.row import Row

Function = TypeVar("Function", bound="Callable[..., Iterable[Row]]")

GROUP = "slotwise.studies"
"""Entry points in this group name functions decorated with `study`."""

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
        Attributes of `StudyInfo`.
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
    load_decorated(
        GROUP, "study", lambda given: any(info.function is given for info in _studies.values())
    )


def studies() -> list[StudyInfo]:
    """Return the studies, by name."""
    _load_studies()
    return sorted(_studies.values(), key=lambda info: info.name)


def study_named(name: str) -> StudyInfo:
    """Return the study with a given name.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the studies.
    """
    known = {info.name: info for info in studies()}
    if name not in known:
        raise ValueError(f"unknown study {name!r}; choose one of: {', '.join(known)}")
    return known[name]


def run_study(
    name: str,
    *,
    quick: bool = False,
    seeds: int | None = None,
    workers: int | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Callable[[str, float], object] | None = None,
    executor: Any = None,
    shared_folder: str | os.PathLike[str] | None = None,
    **options: Any,
) -> StudyResult:
    """Run a study.

    Parameters
    ----------
    name : str
        A name from `slotwise.studies.studies`.
    quick : bool, default False
        Run a smaller version that takes less than a minute.
    seeds : int, optional
        Run with the seeds 1 to this number. Default: the study's own number.
    workers : int, optional
        Number of cells computed at a time. Default: one per processor available to this process.
    cache : path-like, optional
        A folder for finished cells. An interrupted run resumes, and a later run computes only the
        missing cells. Default: cells are not stored.
    progress : callable, optional
        Called with the name of the computation and the share done, 0 to 1.
    executor, shared_folder : optional
        Compute the cells on an executor, as in `slotwise.sweep`; `workers` then has no effect.
    **options
        The study's own options, documented in the docstring of its function.

    Returns
    -------
    StudyResult

    Raises
    ------
    ValueError
        For an unknown study or option, or if `seeds` or `workers` is not a whole number from 1 to
        4096.
    TraceError
        For a log that the study needs but that is not found.
    """
    info = study_named(name)
    info.check_options(options)
    n_seeds = _positive(
        "seeds", (info.quick_seeds if quick else info.seeds) if seeds is None else seeds
    )
    n_workers = threads_for(None if workers is None else _positive("workers", workers))
    begun = time.perf_counter()
    with CellStore.open(cache, info) as cells:
        run = StudyRun(quick, n_seeds, n_workers, cells, progress, executor, shared_folder)
        rows = tuple(info.function(run, **options))
    seconds = time.perf_counter() - begun
    said = (tuple(run.notes), tuple(run.conclusions))
    return StudyResult(info, rows, seconds, *said, dict(run.pictures))


def _positive(name: str, value: object) -> int:
    count = whole(value)
    if count is None or not 1 <= count <= 4096:
        raise ValueError(f"{name} is {value!r}; use a whole number from 1 to 4096")
    return count
