"""Logs that give only each job's total number of GPUs: the core against the plain simulator."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from reference import nodes as reference
from reference.gpu_totals import LoggedJob, Types, units_of
from slotwise.trace.node_demands import demands_of

MACHINES: tuple[Types, ...] = (
    [(2, (8, 100, 4))],
    [(2, (8, 100, 0)), (2, (4, 100, 2)), (1, (8, 200, 3))],
)
JOBS = st.builds(
    LoggedJob,
    st.integers(1, 24),
    st.integers(-1, 12),
    st.integers(-1, 5),
    st.integers(-1, 40),
)
BACKFILLS = ("none", "easy", "replan", "conservative")


def machine_of(types: Types) -> sw.Nodes:
    kinds = [sw.NodeType(count=n, cores=c, memory=m, gpus=g) for n, (c, m, g) in types]
    return sw.Nodes(kinds)


def trace_of(logged: list[LoggedJob], times: list[tuple[int, int]]) -> sw.Trace:
    return sw.Trace.from_columns(
        [submit for submit, _ in times],
        [run for _, run in times],
        [job.processors for job in logged],
        [run for _, run in times],
        gpus=[job.gpus for job in logged],
        node_count=[job.nodes for job in logged],
        requested_memory=[job.memory for job in logged],
    )


@settings(max_examples=200)
@given(
    types=st.sampled_from(MACHINES),
    logged=st.lists(JOBS, min_size=1, max_size=10),
    backfill=st.sampled_from(BACKFILLS),
    data=st.data(),
)
@pytest.mark.filterwarnings("ignore:.*identical units")
@pytest.mark.filterwarnings("ignore:the log has no requested memory")
def test_starts_are_those_of_the_plain_simulator(types, logged, backfill, data):
    gaps = data.draw(st.lists(st.integers(0, 4), min_size=len(logged), max_size=len(logged)))
    runs = data.draw(st.lists(st.integers(1, 12), min_size=len(logged), max_size=len(logged)))
    times = [(sum(gaps[: i + 1]), run) for i, run in enumerate(runs)]
    jobs = [
        reference.NodeJob(submit, run, run, *units_of(job, types))
        for job, (submit, run) in zip(logged, times, strict=True)
    ]
    trace = trace_of(logged, times)
    asked = demands_of(trace, machine_of(types))
    for row, job in enumerate(jobs):
        units, each = asked.of_job(row)
        found = (each["cores"], each["memory"], each.get("gpus", 0))
        assert (units, found) == (job.units, job.each)
    site = sw.Site(machine=machine_of(types), policy=sw.Policy(backfill=backfill, reserve="nodes"))
    if not any(reference.can_run(job, types) for job in jobs):
        with pytest.raises(sw.TraceError, match=r"fits? on the nodes"):
            sw.simulate(trace, site)
        return
    start, _ = reference.simulate(jobs, types, backfill=backfill)
    assert sw.simulate(trace, site).start.tolist() == start
