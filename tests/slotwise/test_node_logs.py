"""Workloads of clusters of unlike nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

CONF = """\
ClusterName=small
NodeName=DEFAULT RealMemory=1000 Sockets=2 CoresPerSocket=4 Weight=60
NodeName=n[01-03] Feature=CPU-A,OPA
NodeName=g[1,4] Gres=gpu:v100:2 Feature=CPU-B Weight=190
NodeName=DEFAULT RealMemory=4000 Sockets=1 CoresPerSocket=4
NodeName=b1 Feature=CPU-B Weight=160
PartitionName=DEFAULT State=UP
PartitionName=all Nodes=n[01-03],b1
PartitionName=debug Nodes=g[1,4]
"""
LINE = (
    "-dt 10.50 -e submit_batch_job | -sim-walltime 84.00 --uid=ann -J jobid_00007 -N 2 -n 6 "
    "-t 1-02:03:04 -q normal -p all --mem=2G --constraint=CPU-B pseudo.job\n"
)


def conf(tmp_path: Path) -> sw.Nodes:
    (tmp_path / "slurm.conf").write_text(CONF)
    return sw.read_slurm_nodes(tmp_path / "slurm.conf")


def test_a_node_table_gives_types_by_weight(tmp_path: Path) -> None:
    nodes = conf(tmp_path)
    # Weights 60, 160, 190; RealMemory is in MB.
    assert [(t.count, t.resources["cores"]) for t in nodes.types] == [(3, 8), (1, 4), (2, 8)]
    assert dict(nodes.types[1].resources) == {
        "cores": 4, "memory": 4000 * 1024, "all": 1000, "CPU-B": 4,
    }  # fmt: skip
    assert nodes.types[2].resources["gpus"] == 2
    assert "all" not in nodes.types[2].resources
    assert nodes.types[2].resources["debug"] == 1000


def test_an_event_is_a_job_of_units(tmp_path: Path) -> None:
    nodes = conf(tmp_path)
    (tmp_path / "x.events").write_text(LINE + LINE.replace("-p all", "-p all --exclusive"))
    trace = sw.read_slurm_events(tmp_path / "x.events", nodes)
    demands = trace.demands
    assert demands is not None
    assert trace.submit.tolist() == [11, 11]  # 10.5, half up
    assert trace.requested_time.tolist() == [86400 + 2 * 3600 + 3 * 60 + 4] * 2
    assert trace.job_id.tolist() == [7, 7]
    assert demands.units.tolist() == [2, 2]
    each = {name: column.tolist() for name, column in demands.each.items()}
    assert each == {
        "cores": [3, 3], "memory": [2 << 20] * 2, "gpus": [0, 0], "all": [1, 1000],
        "debug": [0, 0], "CPU-A": [0, 0], "CPU-B": [3, 3],
    }  # fmt: skip


def test_faults_name_the_line(tmp_path: Path) -> None:
    nodes = conf(tmp_path)
    (tmp_path / "x.events").write_text(LINE + "-dt 3 -e submit_batch_job\n")
    with pytest.raises(sw.TraceError, match=r"x\.events:2: is no submit_batch_job event"):
        sw.read_slurm_events(tmp_path / "x.events", nodes)
    (tmp_path / "x.events").write_text(LINE.replace("CPU-B", "CPU-Z"))
    with pytest.raises(sw.TraceError, match="no node has the feature CPU-Z"):
        sw.read_slurm_events(tmp_path / "x.events", nodes)
    with pytest.raises(sw.TraceError, match="cannot be read"):
        sw.read_slurm_events(tmp_path / "none.events", nodes)
    (tmp_path / "empty.conf").write_text("ClusterName=x\n")
    with pytest.raises(sw.SiteError, match="has no NodeName line"):
        sw.read_slurm_nodes(tmp_path / "empty.conf")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (LINE.replace("-N 2", "-N 0"), "-N 0 must be at least 1"),
        (LINE.replace("-dt 10.50", "-dt inf"), "inf must be seconds from 0"),
        (LINE.replace("-dt 10.50", "-dt -3"), "-3 must be seconds from 0"),
        (LINE.replace("-n 6", ""), "-n is missing"),
        (LINE.replace("--mem=2G", "--mem=-2G"), "-2G"),
    ],
)
def test_a_wrong_value_of_an_event_is_named(tmp_path: Path, line: str, told: str) -> None:
    nodes = conf(tmp_path)
    (tmp_path / "x.events").write_text(line)
    with pytest.raises(sw.TraceError, match="is no submit_batch_job event") as raised:
        sw.read_slurm_events(tmp_path / "x.events", nodes)
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("conf", "told"),
    [
        (CONF.replace("RealMemory=1000", "RealMemory=lots"), r"slurm\.conf:3: cannot be read"),
        (CONF.replace("n[01-03] ", "n[01-xx] "), r"slurm\.conf:3: cannot be read"),
        (CONF.replace("PartitionName=all ", ""), r"slurm\.conf:8: cannot be read"),
        (CONF.replace("CoresPerSocket=4 Weight", "CoresPerSocket=0 Weight"), "at least one core"),
    ],
)
def test_a_wrong_line_of_a_node_table_is_named(tmp_path: Path, conf: str, told: str) -> None:
    (tmp_path / "slurm.conf").write_text(conf)
    with pytest.raises(sw.SiteError, match=told):
        sw.read_slurm_nodes(tmp_path / "slurm.conf")


def test_a_partition_may_come_before_its_nodes_or_name_all(tmp_path: Path) -> None:
    *others, partition, _ = CONF.splitlines()
    (tmp_path / "slurm.conf").write_text(
        "\n".join([partition, *others, "PartitionName=whole Nodes=ALL"])
    )
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf")
    assert [t.resources.get("all", 0) for t in nodes.types] == [1000, 1000, 0]
    assert [t.resources.get("whole", 0) for t in nodes.types] == [1000, 1000, 1000]


def test_the_heterogeneous_workload_fits_its_cluster(shared_traces: Path) -> None:
    folder = shared_traces / "heterogeneous"
    nodes = sw.read_slurm_nodes(folder / "medium_cluster__slurm.conf")
    # "COMPUTE NODES (totally 217 nodes)": 87 + 2 of 32 cores, 8 + 96 + 24 of 40.
    assert nodes.n_nodes == 217
    assert nodes.count == 89 * 32 + 128 * 40
    trace = sw.read_slurm_events(folder / "ub-medium-5k.events.gz", nodes)
    demands = trace.demands
    assert demands is not None
    assert len(trace) == 5000
    # 72 jobs ask gpu:2 and 16 gpu:1; their lines name it twice.
    assert sorted(set(demands.each["gpus"].tolist())) == [0, 1, 2]
    each = demands.on(nodes)
    assert all(
        nodes._core.can_ever_hold(int(units), row.tolist())
        for units, row in zip(demands.units, each, strict=True)
    )
