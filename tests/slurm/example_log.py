"""Update the example log, so that its jobs start as in a replay under the preset's current rules.

Run this after changing a rule, in the repository's folder: ``python -m slurm.example_log`` with
``PYTHONPATH=tests``. Only the columns Start and End change.
"""

from __future__ import annotations

import gzip
from datetime import datetime, timedelta
from pathlib import Path

import slotwise as sw
from slotwise.formats.slurm_site import describe_site

FOLDER = Path(__file__).parents[2] / "examples" / "slurm"
LOG = FOLDER / "jobs.txt.gz"


def renewed() -> str:
    """Return the text of the log with the starts and ends of a replay."""
    site = describe_site(FOLDER / "slurm.conf", version="25.11").site
    trace = sw.read_trace(LOG)
    result = sw.simulate(trace, site)
    delays = zip(trace.job_id.tolist(), result.wait.tolist(), strict=True)
    wait_of = {str(job): wait for job, wait in delays}
    header, *rows = gzip.decompress(LOG.read_bytes()).decode().splitlines()
    names = header.split("|")
    job, submit, start, end = (names.index(n) for n in ("JobID", "Submit", "Start", "End"))
    lines = [header]
    for row in rows:
        cells = row.split("|")
        began, ended = (datetime.fromisoformat(cells[k]) for k in (start, end))
        begin = datetime.fromisoformat(cells[submit]) + timedelta(seconds=wait_of[cells[job]])
        cells[start], cells[end] = begin.isoformat(), (begin + (ended - began)).isoformat()
        lines.append("|".join(cells))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    LOG.write_bytes(gzip.compress(renewed().encode(), mtime=0))
