"""Jobs of a log without demands run on nodes with the features of their constraint."""

from __future__ import annotations

import warnings

import pytest

import slotwise as sw
from slotwise.replay.warnings.log import log_warnings
from slotwise.trace.logged_constraints import constraints_on, ignored_constraints
from slotwise.trace.node_demands import demands_of

TYPES = [
    sw.NodeType(count=1, cores=8, gpus=4, name="a", features=["a100", "ib"]),
    sw.NodeType(count=1, cores=8, gpus=4, name="h", features=["h100"]),
]
MIXED = sw.Nodes(TYPES, "first-fit")


def trace_with(*constraints: str, gpus: int = 4) -> sw.Trace:
    n = len(constraints)
    return sw.Trace.from_columns(
        range(n), [100] * n, [4] * n, gpus=[gpus] * n, constraint=[*constraints]
    )


def starts(trace: sw.Trace, machine: sw.Nodes = MIXED) -> list[int]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return [int(start) for start in sw.simulate(trace, sw.Site(machine=machine)).start]


def warnings_of(trace: sw.Trace, machine: sw.Nodes = MIXED) -> list[str]:
    return log_warnings(sw.Site(machine=machine), trace)


def test_the_second_job_that_needs_h100_waits() -> None:
    # Each node has 4 GPUs. Jobs 1 and 2 need node h, so job 2 waits until 100. Job 3 starts on
    # node a without waiting.
    assert starts(trace_with("h100", "h100", "a100")) == [0, 100, 2]
    assert starts(trace_with("h100", "a100", "h100|ib")) == [0, 1, 100]
    assert starts(trace_with("", "", "")) == [0, 1, 100]


def test_whole_nodes_and_logged_nodes_keep_the_constraint() -> None:
    for rule in ({"whole_nodes": True}, {"logged_nodes": True}):
        machine = sw.Nodes(TYPES, "first-fit", **rule)
        assert demands_of(trace_with("h100", ""), machine).rules_of(0)["constraint"] == "h100"
        assert starts(trace_with("h100", "h100", gpus=4), machine) == [0, 100]


def test_demands_are_used_instead_if_the_trace_has_them() -> None:
    trace = trace_with("h100", "h100")
    demands = sw.Demands([1, 1], cores=[4, 4], constraint=["h100", "a100"])
    assert starts(trace.with_demands(demands)) == [0, 1]


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (
            ("a100", "v100&ib", "v100"),
            "the constraint of 2 jobs is ignored, as if any node would do (first job 2: "
            "'v100&ib'; no node has the feature 'v100'): add it to the node types, for example "
            'features = ["v100"]',
        ),
        (
            ("a100&v100",),
            "the constraint of 1 job is ignored, as if any node would do (first job 1: "
            "'a100&v100'; no node has the feature 'v100'): add it to the node types, for example "
            'features = ["v100"]',
        ),
        (
            ("[a100|h100]", "v100"),
            "the constraint of 2 jobs is ignored, as if any node would do (first job 1: "
            "'[a100|h100]'; only features joined by & and | are supported): write, for example, "
            "a100&ib in the column constraint of a csv file",
        ),
    ],
)
def test_constraints_that_cannot_be_applied_are_ignored_with_one_warning(
    constraints: tuple[str, ...], message: str
) -> None:
    trace = trace_with(*constraints)
    assert warnings_of(trace) == [message]
    ignored = [n for n, word in enumerate(constraints) if word != "a100"]
    demands = demands_of(trace, MIXED)
    assert all("constraint" not in demands.rules_of(row) for row in ignored)
    with pytest.warns(sw.SiteWarning, match="the constraint of"):
        sw.simulate(trace, sw.Site(machine=MIXED))


def test_no_warning_if_all_apply_or_the_machine_has_no_nodes() -> None:
    assert warnings_of(trace_with("a100", "h100|ib", "")) == []
    assert log_warnings(sw.Site(machine=16), trace_with("v100", gpus=0)) == []


@pytest.mark.parametrize(("memory", "warned"), [([5, -1, 0], 2), ([5, 5, 5], 0), ([-1] * 3, 0)])
def test_jobs_without_memory_are_counted_if_others_have_some(
    memory: list[int], warned: int
) -> None:
    trace = sw.Trace.from_columns([0] * 3, [9] * 3, [1] * 3, requested_memory=memory)
    machine = sw.Nodes([sw.NodeType(count=1, cores=8, memory="1GB")])
    expected = [
        "the log has no requested memory for 2 jobs of 3 (first job 2), although the nodes have "
        "memory: these jobs are replayed as needing none; add it to the log, or omit memory from "
        "the node types"
    ]
    assert warnings_of(trace, machine) == expected[: warned // 2]
    assert warnings_of(trace, sw.Nodes([sw.NodeType(count=1, cores=8)])) == []


def test_alternatives_that_no_node_has_are_left_out() -> None:
    trace = sw.Trace.from_columns([0], [9], [1], constraint=["ib|old"])
    assert constraints_on(trace, ("ib", "fat")).tolist() == ["ib"]
    assert ignored_constraints(trace, ("ib", "fat")) is None
