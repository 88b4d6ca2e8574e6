"""GPUs that a log gives only as totals are replayed on nodes."""

from __future__ import annotations

import warnings

import pytest

import slotwise as sw
from reference.gpu_totals import LoggedJob, units_of
from slotwise.trace.node_demands import demands_of

GPU_NODE = sw.Nodes([sw.NodeType(count=1, cores=32, gpus=4)])
MIXED = sw.Nodes(
    [
        sw.NodeType(count=2, cores=64, memory=1000),
        sw.NodeType(count=4, cores=32, memory=1000, gpus=4),
        sw.NodeType(count=2, cores=64, memory=2000, gpus=8),
    ]
)
TYPES = [(2, (64, 1000, 0)), (4, (32, 1000, 4)), (2, (64, 2000, 8))]
JOBS = {
    # 64 processors and 8 GPUs on 2 nodes: 32 cores and 4 GPUs on each.
    "divides": (LoggedJob(64, 8, 2, 10), (2, (32, 320, 4))),
    # 4 GPUs cannot be divided equally among 3 nodes, so there are four parts, each with 1 GPU and
    # 16 of the 64 cores.
    "the next number that divides": (LoggedJob(64, 4, 3), (4, (16, 0, 1))),
    # 3 GPUs on 2 nodes: three parts, each with 1 GPU and 2 cores.
    "an odd number of GPUs": (LoggedJob(6, 3, 2), (3, (2, 0, 1))),
    # 1 GPU and 40 processors on 2 nodes: a GPU cannot be divided, so there are 2 units of 20 cores
    # and 1 GPU each.
    "rounded up": (LoggedJob(40, 1, 2, 10), (2, (20, 200, 1))),
    # 16 GPUs need 2 nodes with 8 GPUs and 64 cores each, or 4 nodes with 4 GPUs each; the smaller
    # number of nodes is used.
    "fewest nodes for the GPUs": (LoggedJob(16, 16), (2, (8, 0, 8))),
    # 128 processors need 2 nodes of 64 cores; each gets one of the 2 GPUs.
    "fewest nodes for the cores": (LoggedJob(128, 2), (2, (64, 0, 1))),
    # 8 processors of 500 KB need 2 nodes of 2000 KB.
    "fewest nodes for the memory": (LoggedJob(8, 2, -1, 500), (2, (4, 2000, 1))),
    # 2 processors cannot be spread over 5 nodes, so there is one unit per GPU.
    "more nodes than processors": (LoggedJob(2, 3, 5), (3, (1, 0, 1))),
    "no GPU": (LoggedJob(5, 0, 2, 7), (5, (1, 7, 0))),
}


def trace_of(jobs: list[LoggedJob]) -> sw.Trace:
    return sw.Trace.from_columns(
        [0] * len(jobs),
        [60] * len(jobs),
        [job.processors for job in jobs],
        gpus=[job.gpus for job in jobs],
        node_count=[job.nodes for job in jobs],
        requested_memory=[job.memory for job in jobs],
    )


@pytest.mark.parametrize(("job", "units"), JOBS.values(), ids=JOBS)
def test_totals_become_units(job: LoggedJob, units: tuple[int, tuple[int, int, int]]) -> None:
    found, each = demands_of(trace_of([job]), MIXED).of_job(0)
    assert (found, (each["cores"], each["memory"], each.get("gpus", 0))) == units
    assert units_of(job, TYPES) == units


def test_jobs_wait_for_gpus_given_as_totals() -> None:
    """Two jobs of 4 GPUs cannot run together on a node with 4 GPUs, although it has 32 cores."""
    trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], gpus=[4, 4])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = sw.simulate(trace, sw.Site(machine=GPU_NODE))
    assert result.start.tolist() == [0, 60]
    # 4 of 4 GPUs are busy from 0 to 120.
    assert result.metrics()["utilisation_of_gpus"] == 1.0


def test_demands_count_where_a_log_has_both() -> None:
    trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], gpus=[4, 4])
    asked = sw.Demands([1, 1], cores=[1, 1], gpus=[2, 2])
    result = sw.simulate(trace.with_demands(asked), sw.Site(machine=GPU_NODE))
    assert result.start.tolist() == [0, 0]


def test_processors_do_not_count_gpus() -> None:
    trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], gpus=[4, 4])
    assert sw.simulate(trace, sw.Site(machine=sw.Processors(2))).start.tolist() == [0, 0]


def test_whole_nodes_have_the_gpus_of_their_jobs() -> None:
    """A job of 8 GPUs takes both nodes whole, although it has 1 processor; the next job waits."""
    machine = sw.Nodes([sw.NodeType(count=2, cores=32, gpus=4)], whole_nodes=True)
    trace = sw.Trace.from_columns([0, 0], [60, 60], [1, 1], gpus=[8, 0])
    assert sw.simulate(trace, sw.Site(machine=machine)).start.tolist() == [0, 60]


def test_units_rounded_up_are_warned_of() -> None:
    trace = sw.Trace.from_columns([0], [60], [40], gpus=[1], node_count=[2], job_id=[7])
    site = sw.Site(machine=MIXED)
    first = r"first job 7: 40 processors and 1 GPU in total"
    with pytest.warns(sw.SiteWarning, match=first):
        sw.simulate(trace, site)
    with pytest.warns(sw.SiteWarning, match=first):
        sw.Simulation(trace, site)


@pytest.mark.filterwarnings("ignore:1 job cannot be divided")
def test_stepped_replays_and_explain_take_totals_too() -> None:
    """Job 1 holds all 4 GPUs; job 2 (1 GPU on 2 nodes) becomes 2 units of 1 GPU, and waits."""
    trace = sw.Trace.from_columns([0, 0], [60, 60], [4, 5], gpus=[4, 1], node_count=[1, 2])
    site = sw.Site(machine=GPU_NODE)
    result = sw.simulate(trace, site)
    assert result.start.tolist() == [0, 60]
    held = result.explain(2)
    assert [(each.resource, each.seconds, each.missing) for each in held.resources] == [
        ("gpus", 60, 2)
    ]
    sim = sw.Simulation(trace, site)
    sim.run()
    assert sim.result().start.tolist() == [0, 60]


def test_gpus_on_a_machine_without_any_are_named() -> None:
    trace = sw.Trace.from_columns([0, 0, 0], [10] * 3, [4] * 3, gpus=[0, 2, 1])
    bare = sw.Site(sw.Nodes([sw.NodeType(count=1, cores=16)]))
    with pytest.warns(sw.SiteWarning, match=r"2 jobs in the log requested GPUs \(first job 2\)"):
        result = sw.simulate(trace, bare)
    assert result.start.tolist() == [0, 0, 0]
