"""Parts of recorded priorities, computed under the site that `from-slurm` writes."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import slotwise as sw
from reference.slurm.standing import read_standing
from slotwise.formats.slurm_site import describe_site
from slurm.recording import Recording

RECORDINGS = Path(__file__).parent / "recordings"
# Names in the log, and names in `priority_at`.
PARTS = {"assoc": "association", "jobsize": "job_size", "partition": "partition", "qos": "qos"}
TRES = {"cpu": "cores", "mem": "memory", "node": "nodes", "gres/gpu": "gpus"}
KILOBYTES = 1024  # per MB


def site_of(name: str) -> sw.Site:
    """Return the site of the slurm.conf, with the priorities of the accounting database."""
    site = describe_site(RECORDINGS / f"{name}.conf", version="22.05").site
    standing = read_standing((RECORDINGS / f"{name}.accounts").read_text().splitlines())
    associations = standing.accounts | {
        f"{account}/{user}": priority for (account, user), priority in standing.users.items()
    }
    order = site.policy.order.to_dict() | {
        "qos_priority": standing.qos,
        "association_priority": associations,
    }
    return site.replace(policy=dataclasses.replace(site.policy, order=order))


def trace_of(
    name: str, unix_start_time: int | None = None, first_submit: int | None = None
) -> sw.Trace:
    """Return the recorded jobs, in order of submission.

    With `first_submit`, the first job is also submitted at that time, as job 0.
    """
    recorded = [each.job for each in Recording(RECORDINGS / f"{name}.csv").jobs.values()]
    if first_submit is not None:
        recorded.append(dataclasses.replace(recorded[0], number=0, submit=first_submit))
    jobs = sorted(recorded, key=lambda job: (job.submit, job.number))
    standing = read_standing((RECORDINGS / f"{name}.accounts").read_text().splitlines())
    demands = sw.Demands(
        [job.nodes for job in jobs],
        nodes=[job.nodes for job in jobs],
        cores=[job.cpus_per_node for job in jobs],
        memory=[job.memory * KILOBYTES for job in jobs],
        gpus=[job.gpus for job in jobs],
    )
    trace = sw.Trace.from_columns(
        [job.submit for job in jobs],
        [job.run for job in jobs],
        demands.processors,
        [job.limit for job in jobs],
        job_id=[job.number for job in jobs],
        user=[job.user for job in jobs],
        account=[standing.account_of.get(job.user, "") for job in jobs],
        partition=[job.partition for job in jobs],
        qos=[job.qos or "normal" for job in jobs],
        nice=[job.nice for job in jobs],
        site_factor=[job.site_factor for job in jobs],
        unix_start_time=unix_start_time,
    )
    return trace.with_demands(demands)


@pytest.mark.filterwarnings("ignore::slotwise.SiteWarning")  # some QOS have no jobs
@pytest.mark.parametrize("name", ["factors", "tres_gpus"])
def test_parts_that_do_not_change_are_the_recorded_ones(name: str) -> None:
    result = sw.simulate(trace_of(name), site_of(name))
    last = {
        int(words[2]): dict(each.split("=") for each in words[4:])
        for words in (line.split() for line in Recording(RECORDINGS / f"{name}.csv").events)
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
