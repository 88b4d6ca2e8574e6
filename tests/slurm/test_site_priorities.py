"""Recorded priority components match those of a replay under the site from `from-slurm`."""

from __future__ import annotations

import pytest

import slotwise as sw
from slurm.case import Case
from slurm.recorded_site import site_of, trace_of

# Names in the log, and names in `priority_at`.
PARTS = {"assoc": "association", "jobsize": "job_size", "partition": "partition", "qos": "qos"}
TRES = {"cpu": "cores", "mem": "memory", "node": "nodes", "gres/gpu": "gpus"}


@pytest.mark.filterwarnings("ignore::slotwise.SiteWarning")  # some QOS have no jobs
@pytest.mark.parametrize("name", ["factors", "tres_gpus"])
def test_parts_that_do_not_change_are_the_recorded_ones(name: str) -> None:
    result = sw.simulate(trace_of(name), site_of(name))
    last = {
        int(words[2]): dict(each.split("=") for each in words[4:])
        for words in (line.split() for line in Case.named(name).recording.events)
        if words[1] == "parts"
    }
    for row, number in enumerate(result.trace.job_id.tolist()):
        at = result.priority_at(row, int(result.trace.submit[row]))
        recorded = {key: float(value) for key, value in last[number].items()}
        found = {key: getattr(at, part) for key, part in PARTS.items()}
        found |= {"nice": at.nice, "site": at.site}
        found |= {key: at.tres.get(resource, 0.0) for key, resource in TRES.items()}
        for key, value in found.items():
            assert value == pytest.approx(recorded.get(key, 0.0), abs=0.0051), (number, key)
