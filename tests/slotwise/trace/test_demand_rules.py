"""Rules for demands: units per node, nodes, exclusive use and constraints."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.formats.csv_parquet import read_columns
from slotwise.formats.job_files import write_trace
from slotwise.site.machine.room_on_nodes import allowed_nodes
from slotwise.trace.constraints import alternatives
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from pathlib import Path

CENTRE = sw.Nodes(
    [
        sw.NodeType(hosts="gpu[1-2]", cores=8, gpus=4, name="gpu", features=["a100", "ib"]),
        sw.NodeType(count=3, cores=16, name="fat", features=["ib"]),
    ]
)
ASKED = sw.Demands(
    [4, 2, 6],
    per_node=[2, 0, 0],
    nodes=[2, 0, 3],
    exclusive=["no", "job", "user"],
    constraint=["a100&ib", "", "a100|ib"],
    cores=[1, 4, 2],
)


def test_rules_are_columns() -> None:
    assert ASKED.per_node.tolist() == [2, 0, 0]
    assert ASKED.nodes.tolist() == [2, 0, 3]
    assert ASKED.exclusive.tolist() == [0, 1, 2]
    assert ASKED.constraints == ("", "a100&ib", "a100|ib")
    assert ASKED.constraint_id.tolist() == [1, 0, 2]
    assert ASKED.has_rules
    assert ASKED.rules_of(1) == {"exclusive": "job"}
    assert ASKED.rules_of(0) == {"per_node": 2, "nodes": 2, "constraint": "a100&ib"}


def test_a_single_rule_is_that_of_every_job() -> None:
    all_alone = sw.Demands([1, 2], exclusive="job", constraint="ib", per_node=1, cores=[1, 1])
    assert all_alone.exclusive.tolist() == [1, 1]
    assert all_alone.constraint_id.tolist() == [1, 1]
    assert all_alone.per_node.tolist() == [1, 1]
    assert not sw.Demands([1, 2], cores=[1, 1]).has_rules


def test_rules_are_taken_along() -> None:
    assert pickle.loads(pickle.dumps(ASKED)) == ASKED
    assert sw.Demands.from_columns(ASKED.columns()) == ASKED
    assert ASKED.take(np.array([1])) == sw.Demands([2], exclusive="job", cores=[4])
    assert sw.Demands([4, 2, 6], cores=[1, 4, 2]) != ASKED


def test_columns_of_rules_no_job_has_are_left_out() -> None:
    assert [*sw.Demands([1], nodes=1, cores=[2]).columns()] == ["units", "unit_cores", "unit_nodes"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_files_hold_the_rules(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"jobs{suffix}"
    trace = sw.Trace.from_columns(
        [0, 5, 9], [60, 60, 60], ASKED.processors, account=[1, -1, 2], qos=[3, 3, 3]
    ).with_demands(ASKED)
    write_trace(trace, path)
    again = read_columns(path)
    assert again.demands == ASKED
    assert again.account.tolist() == [1, -1, 2]
    assert again.qos.tolist() == [3, 3, 3]


def test_accounts_no_job_has_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    write_trace(sw.Trace.from_columns([0], [1], [1]), path)
    assert "account" not in path.read_text()
    assert read_columns(path).qos.tolist() == [-1]


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"nodes": [0, 3]}, r"job 1 requests 2 units on 3 nodes, .* needs a unit on each"),
        ({"nodes": 1, "per_node": 1}, "job 0 requests 4 units on 1 nodes, at most 1 on each"),
        ({"nodes": 1, "exclusive": "job"}, "job 0 requests 4 units on 1 nodes, at most 1"),
        ({"exclusive": "node"}, r"exclusive\[0\] is 'node'; it must be one of: no, job, user"),
        ({"exclusive": ["no"]}, "exclusive must be one string, or 2 strings"),
        ({"constraint": ["a", "a&"]}, r"constraint\[1\]: 'a&' lacks a feature"),
        ({"constraint": "[a|b]"}, r"constraint\[0\]: '\[a|b\]' has '\['"),
        ({"constraint": [1, 2]}, r"constraint\[0\] is 1; it must be a string"),
        ({"per_node": [-1, 1]}, r"per_node\[0\] is -1; a demand must not be negative"),
    ],
)
def test_rules_that_cannot_be_met_are_refused(rules: dict[str, Any], told: str) -> None:
    with pytest.raises(sw.TraceError, match=told):
        sw.Demands([4, 2], cores=[1, 1], **rules)


def test_constraints_are_alternatives_of_features() -> None:
    assert alternatives("a & b|c") == [["a", "b"], ["c"]]
    assert alternatives(" ") == [[]]


def test_constraints_of_jobs_become_sets_of_nodes() -> None:
    assert allowed_nodes(ASKED, CENTRE).tolist() == [
        [True] * 5,
        [True, True, False, False, False],
        [True] * 5,
    ]
    with pytest.raises(sw.SiteError, match="row 1 of the trace, counted from 0: constraint 'v1'"):
        allowed_nodes(sw.Demands([1, 1], cores=[1, 1], constraint=["", "v1"]), CENTRE)


@pytest.mark.parametrize(
    ("units", "each", "rules", "lack"),
    [
        # 2 nodes of 8 cores and 3 of 16 hold 2·8 + 3·16 = 64 units of one core.
        (64, {"cores": 1}, {}, ""),
        (65, {"cores": 1}, {}, "has room for 64"),
        # At most 3 per node: 5·3 = 15.
        (15, {"cores": 1}, {"per_node": 3}, ""),
        (16, {"cores": 1}, {"per_node": 3}, "has room for 15"),
        (5, {"cores": 1}, {"exclusive": "job"}, ""),
        (6, {"cores": 1}, {"exclusive": "job"}, "has room for 5"),
        # The two largest nodes hold 2·16 = 32 units.
        (32, {"cores": 1}, {"nodes": 2}, ""),
        (33, {"cores": 1}, {"nodes": 2}, "2 nodes of the empty machine have room for 32"),
        (6, {"cores": 1}, {"nodes": 6}, "it requests 6 nodes, but only 5 have room for one"),
        (16, {"cores": 1}, {"constraint": "a100"}, ""),
        (17, {"cores": 1}, {"constraint": "a100"}, "room for 16"),
        (1, {"cores": 9}, {"constraint": "a100&ib"}, "no node with 'a100&ib' has more than 8"),
    ],
)
def test_room_follows_the_rules(
    units: int, each: dict[str, int], rules: dict[str, Any], lack: str
) -> None:
    told = CENTRE.what_lacks(units, each, **rules)
    assert (lack in told) if lack else not told


def test_a_constraint_that_no_node_meets_as_a_whole_is_a_lack() -> None:
    parted = sw.Nodes(
        [
            sw.NodeType(count=1, cores=1, features=["a"]),
            sw.NodeType(count=1, cores=1, features=["b"]),
        ]
    )
    assert parted.what_lacks(1, {"cores": 1}, constraint="a&b") == (
        "no node satisfies the constraint 'a&b'"
    )


def test_jobs_without_demands_take_whole_nodes_where_the_machine_says_so() -> None:
    trace = sw.Trace.from_columns([0, 0, 0], [1, 1, 1], [1, 4, 9])
    whole = sw.Nodes([sw.NodeType(count=4, cores=4)], whole_nodes=True)
    asked = demands_of(trace, whole)
    # The jobs take ceil(1 / 4), ceil(4 / 4) and ceil(9 / 4) nodes of 4 cores.
    assert asked.units.tolist() == [1, 1, 3]
    assert asked.each["cores"].tolist() == [4, 4, 4]
    assert asked.exclusive.tolist() == [1, 1, 1]
    plain = demands_of(trace, sw.Nodes([sw.NodeType(count=4, cores=4)]))
    assert plain.units.tolist() == [1, 4, 9]
