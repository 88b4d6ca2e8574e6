"""Tables I to VI of the torus study, every cell and seed, computed anew."""

from __future__ import annotations

import resource
import time
from typing import Any

from slotwise.studies.cells import CellStore
from slotwise.studies.registry import study_named
from slotwise.studies.run import StudyRun
from slotwise.studies.torus.tables import table_rows
from slotwise.studies.torus.workloads import (
    INTREPID,
    SDSC,
    anl_intrepid,
    first_jobs_of,
    sdsc_blue,
    stretches_of,
)

NAME = "torus study, Tables I to VI"
LOGS = (SDSC, INTREPID)
CORES = 2
MOST = 120.0  # seconds on so many cores


def measure(folder: str) -> dict[str, Any]:
    """Wall and CPU seconds from the reading of both logs to the last row."""
    info = study_named("torus")
    replays = 0

    def count(_what: str, part: float) -> None:
        nonlocal replays
        replays += 0 < part <= 1

    begun, cpu = time.perf_counter(), _cpu_seconds()
    with CellStore.open(None, info) as store:
        run = StudyRun(False, info.seeds, CORES, store, count)
        rows = [
            *table_rows(run, stretches_of(sdsc_blue(folder))[0], "sdsc-blue"),
            *table_rows(run, first_jobs_of(anl_intrepid(folder)), "anl-intrepid"),
        ]
    return {
        "cells": len(rows),
        "seeds": info.seeds,
        "replays": replays,
        "wall_seconds": time.perf_counter() - begun,
        "cpu_seconds": _cpu_seconds() - cpu,
    }


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
