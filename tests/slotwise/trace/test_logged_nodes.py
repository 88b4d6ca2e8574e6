"""On a machine with `logged_nodes`, jobs without demands run on as many nodes as they requested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.trace.node_demands import demands_of

if TYPE_CHECKING:
    from pathlib import Path

NODES = sw.Nodes(
    [sw.NodeType(count=4, cores=16, memory=16_000, gpus=4)], "first-fit", logged_nodes=True
)


def demands(processors: int, node_count: int, **columns: int) -> tuple[int, ...]:
    """Return units and nodes of a job, and the cores, memory and GPUs of a unit."""
    columns = {"requested_nodes": node_count} | columns
    given = {name: [value] for name, value in columns.items()}
    trace = sw.Trace.from_columns([0], [10], [processors], node_count=[node_count], **given)
    found = demands_of(trace, NODES)
    gpus = int(found.each["gpus"][0]) if "gpus" in found.each else 0
    amounts = (int(found.each["cores"][0]), int(found.each["memory"][0]), gpus)
    return int(found.units[0]), int(found.nodes[0]), *amounts


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        # 32 processors on 2 nodes: 16 on each. 100 KB per processor: 1,600 KB on each.
        ({"processors": 32, "node_count": 2, "requested_memory": 100}, (2, 2, 16, 1600, 0)),
        # 3 processors on 1 node: they are not spread over several nodes.
        ({"processors": 3, "node_count": 1}, (1, 1, 3, 0, 0)),
        # 7 processors on 2 nodes: no equal shares, so 7 units of one core.
        ({"processors": 7, "node_count": 2, "requested_memory": 5}, (7, 2, 1, 5, 0)),
        # 32 processors and 8 GPUs on 2 nodes: 16 cores and 4 GPUs on each.
        ({"processors": 32, "node_count": 2, "gpus": 8}, (2, 2, 16, 0, 4)),
        # 6 processors and 3 GPUs on 2 nodes: 3 units of 2 cores and 1 GPU.
        ({"processors": 6, "node_count": 2, "gpus": 3}, (3, 2, 2, 0, 1)),
        # 1 node requested, 1 allocated: the job stays on 1 node.
        ({"processors": 8, "node_count": 1, "requested_nodes": 1}, (1, 1, 8, 0, 0)),
        # 1 node requested, 2 allocated: Slurm chose the number of nodes, and any number will do.
        ({"processors": 8, "node_count": 2, "requested_nodes": 1}, (8, 0, 1, 0, 0)),
        # 1 processor and 8 GPUs on 2 nodes: 2 units of 1 core and 4 GPUs, on 2 nodes.
        ({"processors": 1, "node_count": 2, "gpus": 8}, (2, 2, 1, 0, 4)),
        # The log does not state how many nodes the job requested.
        ({"processors": 8, "node_count": 2, "requested_nodes": -1}, (8, 0, 1, 0, 0)),
        # Neither number is known.
        ({"processors": 8, "node_count": -1}, (8, 0, 1, 0, 0)),
        # More nodes than processors: at most one node per processor.
        ({"processors": 2, "node_count": 5}, (2, 2, 1, 0, 0)),
    ],
)
def test_units_follow_the_number_of_nodes_in_the_log(
    job: dict[str, int], expected: tuple[int, ...]
) -> None:
    assert demands(**job) == expected


def test_jobs_of_one_node_are_not_spread_over_two() -> None:
    """Two jobs of 3 cores each hold a node of 4 cores. A third job, of 2 cores, waits until 10."""
    trace = sw.Trace.from_columns([0, 0, 0], [10, 10, 10], [3, 3, 2], requested_nodes=[1, 1, 1])
    types = [sw.NodeType(count=2, cores=4)]
    logged = sw.Site(machine=sw.Nodes(types, "first-fit", logged_nodes=True))
    assert sw.simulate(trace, logged).start.tolist() == [0, 0, 10]
    # Without the rule, the last job takes one core on each node.
    anywhere = sw.Site(machine=sw.Nodes(types, "first-fit"))
    assert sw.simulate(trace, anywhere).start.tolist() == [0, 0, 0]


def test_a_site_file_keeps_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(sw.Site(machine=NODES).to_toml(), encoding="utf-8")
    assert "logged_nodes = true" in path.read_text(encoding="utf-8")
    assert sw.Site.from_toml(path).machine == NODES


def test_whole_nodes_and_logged_nodes_exclude_each_other() -> None:
    with pytest.raises(sw.SiteError, match="whole_nodes and logged_nodes cannot both be true"):
        sw.Nodes([sw.NodeType(count=1, cores=4)], whole_nodes=True, logged_nodes=True)


def test_a_machine_without_nodes_refuses_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text("[machine]\nprocessors = 4\nlogged_nodes = true\n", encoding="utf-8")
    with pytest.raises(sw.SiteError, match=r"machine\.logged_nodes: this applies only"):
        sw.Site.from_toml(path)


def test_a_fault_of_the_machine_causes_no_second_fault_of_the_slurm_preset(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(
        "[machine]\nnodes = [{ count = 2, cores = 4 }]\nwhole_nodes = true\nlogged_nodes = true\n"
        '[policy]\npreset = "slurm-25.11"\n[[queue]]\nname = "all"\n',
        encoding="utf-8",
    )
    with pytest.raises(sw.SiteError) as caught:
        sw.Site.from_toml(path)
    assert str(caught.value).count("\n") == 0
