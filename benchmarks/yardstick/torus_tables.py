"""Tables I to VI of the torus study, with every cell and seed recomputed."""

from __future__ import annotations

import resource
import time
from typing import Any

from slotwise.studies.cells import CellStore
from slotwise.studies.registry import study_named
from slotwise.studies.run import StudyRun
from slotwise.studies.torus.rows import table_rows
from slotwise.studies.torus.workloads import (
    INTREPID,
    SDSC,
    anl_intrepid,
    first_jobs_of,
    sdsc_blue,
    stretches_of,
)
from yardstick.rows import traces_folder

LOGS = (SDSC, INTREPID)
CORES = 2


def are_there() -> bool:
    """Return whether both logs are in the folder of real logs."""
    folder = traces_folder()
    return folder is not None and all((folder / log).is_file() for log in LOGS)


def all_tables(folder: str | None = None) -> dict[str, Any]:
    """Compute every cell of the tables; return the times, which include reading both logs."""
    folder = folder or str(traces_folder())
    info = study_named("torus")
    replays = 0

    def count(_what: str, part: float) -> None:
        nonlocal replays
        replays += 0 < part <= 1

    begun, cpu = time.perf_counter(), _cpu_seconds()
    with CellStore.open(None, info) as store:
        run = StudyRun(False, info.seeds, CORES, store, count)
        blue, intrepid = stretches_of(sdsc_blue(folder))[0], first_jobs_of(anl_intrepid(folder))
        rows = [*table_rows(run, blue, "sdsc-blue"), *table_rows(run, intrepid, "anl-intrepid")]
    return {
        "jobs": len(blue.trace) + len(intrepid.trace),
        "cells": len(rows),
        "replays": replays,
        "wall": time.perf_counter() - begun,
        "cpu": _cpu_seconds() - cpu,
    }


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
