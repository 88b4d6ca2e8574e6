"""Logs of the study: one SWF file, or one generated log like Kraken's for each seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.formats.swf import read_swf
from slotwise.generators.kraken import kraken

if TYPE_CHECKING:
    from slotwise.studies.run import StudyRun
    from slotwise.trace import Trace

QUICK_JOBS = 32_000
"""Jobs in the log of a quick run, which covers about two weeks instead of 47.5 days."""


def logs_of(run: StudyRun, log: str | None) -> list[Trace]:
    """Read the log at a path, or generate one per seed; quick runs have smaller logs."""
    if log is not None:
        return [read_swf(log)]
    return [kraken(QUICK_JOBS if run.quick else None, seed=seed) for seed in run.seeds]
