"""The ``requested_nodes`` column, which Slurm's priority uses instead of a job's demand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_700_000_000
ROW = "2024-01-01T00:00:00|2024-01-01T00:00:05|2024-01-01T00:01:05|COMPLETED|8"


def read(tmp_path: Path, names: str, *cells: str) -> list[int]:
    lines = [f"JobID|Submit|Start|End|State|NCPUS|NNodes|{names}"]
    lines += [f"{number}|{ROW}|4|{cell}" for number, cell in enumerate(cells, 1)]
    (tmp_path / "jobs.txt").write_text("\n".join(lines) + "\n")
    return sw.read_trace(tmp_path / "jobs.txt").requested_nodes.tolist()


def test_sacct_gives_them_as_a_number_or_among_the_requested_tres(tmp_path: Path) -> None:
    assert read(tmp_path, "ReqNodes", "2", "") == [2, -1]
    assert read(tmp_path, "ReqTRES", "billing=8,cpu=8,node=3", "cpu=8") == [3, -1]
    assert read(tmp_path, "ReqTRES|ReqNodes", "cpu=8,node=3|1", "cpu=8,node=3|") == [1, 3]
    assert read(tmp_path, "AllocTRES", "cpu=8,node=4") == [-1]


def test_json_gives_them_among_the_requested_tres(tmp_path: Path) -> None:
    job = {
        "job_id": 7,
        "state": {"current": ["COMPLETED"]},
        "time": {"submission": NOW, "start": NOW + 5, "end": NOW + 65, "elapsed": 60},
        "tres": {
            "allocated": [{"type": "cpu", "count": 8}, {"type": "node", "count": 4}],
            "requested": [{"type": "cpu", "count": 8}, {"type": "node", "count": 2}],
        },
    }
    (tmp_path / "jobs.json").write_text(json.dumps({"jobs": [job]}))
    assert sw.read_trace(tmp_path / "jobs.json").requested_nodes.tolist() == [2]


@pytest.mark.parametrize(("requested", "nodes"), [([2, -1], 2), ([0, 0], 4), (None, 4)])
def test_size_and_tres_use_them_where_they_are_known(
    requested: list[int] | None, nodes: int
) -> None:
    # Each job gets 4 of 8 nodes, and 4 of 32 cores.
    order = {"name": "multifactor", "job_size": 1000, "tres": {"nodes": 800}}
    policy = sw.Policy.preset("slurm", version="25.11", order=order)
    machine = sw.Nodes([sw.NodeType(count=8, cores=4)])
    trace = sw.Trace.from_columns([0, 0], [60, 60], [4, 4], [60, 60], requested_nodes=requested)
    demands = sw.Demands([4, 4], nodes=[4, 4], cores=[1, 1])
    site = sw.Site(machine=machine, policy=policy)
    found = sw.simulate(trace.with_demands(demands), site).priority_at(0, 0)
    assert found.job_size == pytest.approx(1000 * (nodes / 8 + 4 / 32) / 2)
    assert found.tres["nodes"] == pytest.approx(800 * nodes / 8)
    assert found.priority == int(found.job_size + found.tres["nodes"])


def test_the_larger_request_starts_first() -> None:
    order = {"name": "multifactor", "job_size": 1000}
    policy = sw.Policy.preset("slurm", version="25.11", order=order)
    machine = sw.Nodes([sw.NodeType(count=4, cores=4)])
    demands = sw.Demands([4] * 3, nodes=[4] * 3, cores=[4] * 3)

    def starts(requested: list[int]) -> list[int]:
        trace = sw.Trace.from_columns(
            [0, 1, 1], [60] * 3, [16] * 3, [60] * 3, requested_nodes=requested
        )
        site = sw.Site(machine=machine, policy=policy)
        return [int(start) for start in sw.simulate(trace.with_demands(demands), site).start]

    assert starts([4, 4, 2])[1:] == sorted(starts([4, 4, 2])[1:])
    first, second = starts([4, 2, 4])[1:]
    assert first > second
