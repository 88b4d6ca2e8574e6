"""Writes a trace as a Batsim workload: one job per row, one delay profile per distinct run time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.trace import Trace


def write_batsim(trace: Trace, path: Path) -> None:
    """Write a trace for Batsim; run times become delays, and requested times become walltimes.

    If a job number occurs more than once, all jobs are numbered by row, from 1.
    """
    job_id = trace.job_id.tolist()
    names = job_id if len(set(job_id)) == len(job_id) else range(1, len(trace) + 1)
    profiles = {str(each): {"type": "delay", "delay": each} for each in {*trace.run_time.tolist()}}
    widest = int(trace.processors.max()) if len(trace) else 1
    rows = zip(
        names, trace.submit.tolist(), trace.requested_time.tolist(), trace.processors.tolist(),
        trace.run_time.tolist(), strict=True,
    )  # fmt: skip
    with path.open("x", encoding="utf-8") as file:
        file.write(f'{{\n"nb_res": {trace.max_processors or widest},\n"jobs": [\n')
        for row, (name, submit, walltime, processors, run_time) in enumerate(rows):
            job = {
                "id": str(name), "subtime": submit, "walltime": walltime, "res": processors,
                "profile": str(run_time),
            }  # fmt: skip
            file.write((",\n" if row else "") + json.dumps(job))
        file.write(f'\n],\n"profiles": {json.dumps(profiles, sort_keys=True)}\n}}\n')
