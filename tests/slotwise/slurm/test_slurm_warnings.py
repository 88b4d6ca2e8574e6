"""Warnings of a replay under the ``slurm`` preset."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import slotwise as sw
from slotwise.replay.warnings.log import log_warnings

NODES = sw.Nodes([sw.NodeType(hosts="n[1-4]", cores=1)])


def site(**changes: Any) -> sw.Site:
    return sw.Site(4, policy=sw.Policy.preset("slurm", version="25.11", **changes))


def trace(**columns: Any) -> sw.Trace:
    return sw.Trace.from_columns([0, 0], [60, 60], [4, 2], [60, 60], **columns)


def test_complete_wait_without_an_epilog_warns() -> None:
    with pytest.warns(sw.SiteWarning, match=r"policy\.complete_wait 32 has no effect.*epilog_ti"):
        sw.simulate(trace(), site(complete_wait=32))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sw.simulate(trace(), site(complete_wait=32, epilog_time=5))


def test_jobs_without_a_time_limit_are_counted() -> None:
    def warnings_of(*defaults: int | None) -> list[str]:
        queues = [
            sw.Queue(f"q{i}", trace_queues=[f"q{i}"], default_walltime=each)
            for i, each in enumerate(defaults)
        ]
        return log_warnings(site().replace(machine=NODES, queues=queues), log)

    log = sw.Trace.from_columns(
        [0, 0, 0], [9, 9, 9], [1, 1, 1], [60, -1, 0], queue=["q0", "q1", "q0"]
    )
    begin = "the log has no time limit for 2 of 3 jobs. In the replay, the limit of such a job is "
    remedy = (
        "export Timelimit with sacct, unless it is UNLIMITED, or set default_walltime in each "
        "[[queue]]"
    )
    bare = f"{begin}its run time, so backfill has perfect estimates: {remedy}"
    assert warnings_of(None, None) == [bare]
    assert warnings_of(60, None) == [
        f"{begin}its queue's default_walltime or, if the queue has none, its run time, so backfill "
        f"has perfect estimates: {remedy}"
    ]
    assert warnings_of(60, 90) == [
        f"{begin}its queue's default_walltime, or its run time if that is longer: export Timelimit "
        "with sacct if Slurm knows the limits"
    ]
    assert log_warnings(sw.Site(4), log) == []


def test_a_log_without_users_has_one_fair_share_factor() -> None:
    def warned(log: sw.Trace, weight: int) -> list[str]:
        order = {"name": "multifactor", "fairshare": weight}
        return [each[:60] for each in log_warnings(site(order=order), log)]

    begin = "policy.order.fairshare 9 cannot distinguish the jobs: the log"
    assert warned(trace(), 9) == [begin[:60]]
    assert warned(trace(), 0) == []
    assert warned(trace(user=[1, 2]), 9) == warned(trace(account=["a", "b"]), 9) == []


def test_a_job_during_which_the_schedulers_run_a_million_times_is_named() -> None:
    # Backfill runs every 30 s: 2e9 / 30 = 66,666,666 times.
    long = sw.Trace.from_columns([0], [2_000_000_000], [1], [2_000_000_000])
    assert log_warnings(site(), long) == [
        "job 1 runs for 2,000,000,000 s. While other jobs wait, Slurm's schedulers run every 30 s, "
        "up to 66,666,666 times during this job. The replay may take a long time; check the run "
        "times in the log"
    ]
    assert log_warnings(sw.Site(4), long) == []


def test_partitions_without_a_job_of_the_log_take_one_line() -> None:
    log = trace(queue=["batch", "batch"])
    queues = [sw.Queue(name, trace_queues=[name]) for name in ("batch", *"abcdef")]
    assert log_warnings(site().replace(machine=NODES, queues=queues), log) == [
        "queue[1].trace_queues and 5 more: the log has no queue or partition 'a', 'b', 'c', 'd', "
        "'e' and 1 more; it has batch: correct misspelt names; queues that the log does not use "
        "may stay"
    ]


def test_bare_processors_are_nodes_of_one_core() -> None:
    # Job 0 takes all four processors until 60; the main pass at its end starts the other job.
    assert sw.simulate(trace(), site()).start.tolist() == [0, 60]
