"""The whole study: the paper's tables, causes of differences, and additions to the paper."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from slotwise.studies.logs import log_folder, log_path
from slotwise.studies.torus.beyond import (
    allocation_rows,
    order_rows,
    whole_log_rows,
    window_size_rows,
)
from slotwise.studies.torus.causes import load_rows, reading_rows, width_rows
from slotwise.studies.torus.figures import heat_map, window_curves
from slotwise.studies.torus.findings import findings
from slotwise.studies.torus.rows import table_rows
from slotwise.studies.torus.stretches import stretch_rows
from slotwise.studies.torus.table_names import LOADS, TABLES, WITH_BACKFILLING
from slotwise.studies.torus.workloads import (
    INTREPID,
    SDSC,
    anl_intrepid,
    first_jobs_of,
    sdsc_blue,
    stretches_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slotwise.studies.row import Row
    from slotwise.studies.run import StudyRun
    from slotwise.studies.torus.workloads import Workload

_QUICK_STRETCHES = 4
_SHAPES = {
    SDSC: ((6, 6, 4), (12, 12), (144,)),
    INTREPID: ((40, 32, 32), (64, 32, 20), (256, 160)),
}


def experiment(run: StudyRun, traces: str | None) -> list[Row]:
    """Compute all rows for the available logs.

    Raises
    ------
    TraceError
        If neither log is available, or one cannot be read.
    """
    folder = log_folder(traces)
    there = [log for log in (SDSC, INTREPID) if folder is not None and (folder / log).is_file()]
    if not there:
        log_path(SDSC, traces)
    for log in (SDSC, INTREPID):
        if log not in there:
            run.note(f"{log} is not in {folder}: its rows are left out.")
    sdsc = sdsc_blue(traces) if SDSC in there else None
    jobs = anl_intrepid(traces) if INTREPID in there else None
    rows = [*_paper(run, sdsc, jobs), *_causes(run, sdsc, jobs), *_beyond(run, sdsc, jobs)]
    for name in dict.fromkeys(row.table for row in rows):
        chosen = [row for row in rows if row.table == name]
        number = name.partition(",")[0]
        if number in TABLES and (name in TABLES or not run.quick):
            title = f"Table {name}: {TABLES[number][1]} of {TABLES[number][0]}"
            picture = "table-" + name.replace(", ", "-").replace(" ", "-")
            run.picture(picture, partial(heat_map, title, chosen))
        elif name == "window sizes":
            run.picture("window-sizes", partial(window_curves, chosen))
    run.note(
        "In the rows of --json and --out, points is the improvement in percentage points, and "
        "work_as_logged counts every job's logged work."
    )
    for sentence in findings(rows):
        run.conclude(sentence)
    return rows


def _paper(run: StudyRun, sdsc: Workload | None, jobs: Workload | None) -> Iterator[Row]:
    """Yield Tables I to VI, the same with backfilling, and Tables IV to VI at other loads."""
    firsts = []
    if sdsc is not None:
        firsts.append(("sdsc-blue", stretches_of(sdsc)[0]))
    if jobs is not None:
        firsts.append(("anl-intrepid", first_jobs_of(jobs)))
    for trace, workload in firsts:
        yield from table_rows(run, workload, trace)
    for trace, workload in firsts:
        yield from table_rows(run, workload, trace, WITH_BACKFILLING, backfilling=True)
    if jobs is not None:
        for variant, load in LOADS.items():
            workload = first_jobs_of(jobs, sizes_of_paper=True).at_load(load)
            yield from table_rows(run, workload, "anl-intrepid", variant)


def _causes(run: StudyRun, sdsc: Workload | None, jobs: Workload | None) -> Iterator[Row]:
    if sdsc is not None:
        stretches = stretches_of(sdsc)
        shares = (10, 50) if run.quick else (10, 20, 30, 40, 50)
        chosen = stretches[:_QUICK_STRETCHES] if run.quick else stretches
        yield from stretch_rows(run, chosen, [(share, share) for share in shares])
    both = _first_of_each(sdsc, jobs)
    yield from reading_rows(run, both)
    yield from load_rows(run, both, (0.5, 0.85) if run.quick else (0.3, 0.4, 0.5, 0.6, 0.7, 0.85))
    yield from width_rows(run, both)


def _beyond(run: StudyRun, sdsc: Workload | None, jobs: Workload | None) -> Iterator[Row]:
    both = _first_of_each(sdsc, jobs)
    yield from window_size_rows(run, both, (1, 5, 10, 20) if run.quick else range(1, 21))
    whole = [each for each in (None if run.quick else sdsc, jobs) if each is not None]
    yield from whole_log_rows(run, whole)
    yield from allocation_rows(run, both)
    for workload in both:
        shapes = _SHAPES[SDSC if workload.processors_per_node > 1 else INTREPID]
        yield from order_rows(run, workload, shapes[:1] if run.quick else shapes)


def _first_of_each(sdsc: Workload | None, jobs: Workload | None) -> Sequence[Workload]:
    """Return the workloads of the paper's tables."""
    first = [] if sdsc is None else [stretches_of(sdsc)[0]]
    return first if jobs is None else [*first, first_jobs_of(jobs)]
