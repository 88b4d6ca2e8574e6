"""Contradictions between a machine with nodes and the other parts of its site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

CENTRE = sw.Nodes(
    [
        sw.NodeType(hosts="gpu[01-04]", cores=64, memory="512GB", gpus=8, name="gpu"),
        sw.NodeType(count=2, cores=128, name="fat", features=["ib"]),
    ]
)
ONE_CORE = sw.Nodes([sw.NodeType(count=8, cores=1, name="n")])


def faults_of(**fields: Any) -> list[str]:
    with pytest.raises(sw.SiteError) as caught:
        sw.Site(**fields)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"queues": [sw.Queue("q", nodes=["gpu[01-05]"])]},
            ["queue[0].nodes", "there is no node 'gpu05'", "gpu01 to fat2"],
        ),
        (
            {"queues": [sw.Queue("q", nodes=["fat1", "type:thin"])]},
            ["queue[0].nodes[1]", "unknown node type 'thin'", "gpu, fat"],
        ),
        (
            {"limits": sw.Limits(per_user={"gpu": 8})},
            ["limits.per_user.gpu", "unknown node resource 'gpu'; did you mean 'gpus'"],
        ),
        (
            {"queues": [sw.Queue("q", total={"tapes": 1})]},
            ["queue[0].total.tapes", "known names are: nodes, cores, memory, gpus"],
        ),
        (
            {"reservations": [sw.Reservation("r", 0, 9, node_type="fat", node_count=3, users=1)]},
            [
                "reservation[0].node_count",
                "3 is more than the 2 nodes of type 'fat'; use a smaller number",
            ],
        ),
        (
            {"outages": [sw.Outage(0, 9, node_type="fast", node_count=1)]},
            ["outage[0].node_type", "unknown node type 'fast'; did you mean 'fat'"],
        ),
        (
            {"outages": [sw.Outage(0, 9, 4)]},
            [
                "outage[0].processors",
                "4: a number of processors does not say which nodes are meant",
                "node_type",
            ],
        ),
        (
            {"queues": [sw.Queue("q", nodes="type:fat", nodes_per_job=(3, None))]},
            ["queue[0].nodes_per_job", "3 is more than the 2 nodes of the queue"],
        ),
        (
            {"queues": [sw.Queue("q", nodes="type:fat", processors=(257, None))]},
            ["queue[0].processors", "257 is more than the 256 cores of the queue's nodes"],
        ),
        ({"pools": [sw.Pool("p", 4)]}, ["pool", "list the nodes of each queue"]),
        (
            {"queues": [sw.Queue("q", spanning=True)]},
            ["queue[0].spanning", "list the nodes of each queue"],
        ),
        ({"policy": sw.Policy(backfill="window")}, ["policy.backfill", "'window'", "node types"]),
    ],
)
def test_what_does_not_suit_the_nodes_is_refused(fields: dict[str, Any], words: list[str]) -> None:
    (line,) = faults_of(machine=CENTRE, **fields)
    for word in words:
        assert word in line


def test_every_fault_of_a_site_on_nodes_is_told_at_once() -> None:
    lines = faults_of(
        machine=CENTRE,
        pools=[sw.Pool("p", 4, threshold=1)],
        queues=[sw.Queue("q", nodes="x1"), sw.Queue("r", pools=["p"], trace_queues=[1])],
        limits=sw.Limits(per_group={"tapes": 1}),
        maintenance=[sw.Maintenance(0, 9, nodes="gpu9")],
    )
    places = {line.split(":")[0] for line in lines}
    assert places >= {"pool", "queue[0].nodes", "limits.per_group.tapes", "maintenance[0].nodes"}


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"queues": [sw.Queue("q", nodes="n1")]}, "queue[0].nodes"),
        ({"queues": [sw.Queue("q", nodes_per_job=(2, 3))]}, "queue[0].nodes_per_job"),
        ({"maintenance": [sw.Maintenance(0, 9, nodes="n1")]}, "maintenance[0].nodes"),
        ({"outages": [sw.Outage(0, 9, node_type="a", node_count=1)]}, "outage[0].node_type"),
        ({"limits": sw.Limits(total={"gpus": 1})}, "limits.total"),
        ({"crashes": sw.Crashes(law="exponential", mean=9, per_node=True)}, "crashes.per_node"),
        ({"policy": sw.Policy(reserve="nodes")}, "policy.reserve"),
    ],
)
def test_what_needs_nodes_is_refused_on_processors(fields: dict[str, Any], place: str) -> None:
    lines = faults_of(machine=sw.Processors(8), **fields)
    assert any(
        line.startswith(f"{place}: ") and "requires a machine with node types" in line
        for line in lines
    )


def test_a_log_that_says_the_size_makes_no_nodes() -> None:
    site = sw.Site(queues=[sw.Queue("q", nodes="n1")])
    log = sw.Trace.from_columns([0], [5], [1], max_processors=8)
    with pytest.raises(sw.SiteError, match=r"queue\[0\].nodes: a set of nodes requires a machine"):
        sw.simulate(log, site)


def test_processors_of_one_core_nodes_are_counted() -> None:
    site = sw.Site(machine=ONE_CORE, outages=[sw.Outage(0, 9, 4)])
    assert site.outages[0].processors == 4
    (line,) = faults_of(machine=ONE_CORE, outages=[sw.Outage(0, 9, 9)])
    assert line.startswith("outage[0].processors: 9 is more than the 8 processors of the machine")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (
            lambda: sw.Outage(0, 9),
            "processors: the value is missing; set processors, nodes, or node_type",
        ),
        (
            lambda: sw.Outage(0, 9, 4, nodes="n1"),
            "processors: it is given together with nodes; leave one",
        ),
        (lambda: sw.Outage(0, 9, nodes="n[2-1]"), "nodes: .* runs backwards"),
        (
            lambda: sw.Outage(0, 9, node_type="a"),
            "node_count: the value is missing; set the number of nodes",
        ),
        (
            lambda: sw.Maintenance(0, 9, node_count=2),
            "node_type: the value is missing; set the type",
        ),
        (
            lambda: sw.Maintenance(0, 9, pool="p", nodes="n1"),
            "pool: it is given together with nodes",
        ),
        (
            lambda: sw.Reservation("r", 0, 9, users=1),
            "processors: the value is missing; set processors",
        ),
        (
            lambda: sw.Crashes(times=[5], per_node=True),
            "per_node: this applies only to random crashes",
        ),
        (lambda: sw.Queue("q", nodes_per_job=(3, 2)), r"nodes_per_job: \[3, 2\] is reversed"),
        (lambda: sw.Limits(per_user={"gpus": 0}), "per_user.gpus: 0 would let no job start"),
        (lambda: sw.Limits(per_user={"memory": "2 tons"}), "per_user.memory: '2 tons' must be"),
        (lambda: sw.Limits(per_user=8), "per_user: 8 must be a table of amounts by resource"),
        (lambda: sw.Limits(over_submitted="drop"), "over_submitted: 'drop' must be one of"),
        (lambda: sw.Limits(submitted_per_user=0), "submitted_per_user: 0 would let no job start"),
    ],
)
def test_parts_with_faults_of_their_own_are_refused(make: Any, told: str) -> None:
    with pytest.raises(sw.SiteError, match=told):
        make()


CENTRE_FILE = """
[machine]
nodes = [
    { name = "gpu", hosts = "gpu[01-04]", cores = 64, memory = "512GB", gpus = 8 },
    { name = "fat", count = 2, cores = 128, features = ["ib", "large"] },
]
whole_nodes = false

[policy]
reserve = "nodes"

[[queue]]
name = "gpu"
nodes = ["gpu[01-02]", "type:fat"]
nodes_per_job = [1, 2]
default_walltime = "1h"
per_user = { gpus = 8 }

[[queue]]
name = "all"

[limits]
submitted_per_user = 100
over_submitted = "hold"
running_per_account = 5

[limits.per_user]
gpus = 16
memory = "2TB"
nodes = 3

[[maintenance]]
start = 100
duration = 10
nodes = "feature:ib"

[[outage]]
start = 100
duration = 10
node_type = "gpu"
node_count = 2

[crashes]
law = "exponential"
mean = "30d"
per_node = true

[[reservation]]
name = "course"
start = 0
duration = 10
nodes = ["gpu04"]
users = [7]
"""


def test_a_site_of_nodes_is_read_and_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "centre.toml"
    path.write_text(CENTRE_FILE)
    site = sw.Site.from_toml(path)
    assert isinstance(site.machine, sw.Nodes)
    assert site.machine.names == ("gpu01", "gpu02", "gpu03", "gpu04", "fat1", "fat2")
    assert site.queues[0].nodes == ("gpu[01-02]", "type:fat")
    assert site.queues[0].default_walltime == 3600
    # The memory is 2 TB, and a terabyte is 2^30 KB.
    assert dict(site.limits.per_user) == {"gpus": 16, "memory": 2 << 30, "nodes": 3}
    assert site.limits.over_submitted == "hold"
    assert site.policy.reserve == "nodes"
    site.to_toml(path)
    again = sw.Site.from_toml(path)
    assert again == site
    assert hash(again) == hash(site)


def test_faults_of_a_file_are_told_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "centre.toml"
    broken = CENTRE_FILE
    for right, wrong in (
        ('hosts = "gpu[01-04]"', 'count = 5, hosts = "gpu[01-04]"'),
        ("gpus = 16", "gpus = 0"),
        ('"gpu[01-02]", "type:fat"', '"gpu[02-01]", "type:fat"'),
        ("node_count = 2", ""),
    ):
        assert right in broken
        broken = broken.replace(right, wrong)
    path.write_text(broken)
    with pytest.raises(sw.SiteError) as caught:
        sw.Site.from_toml(path)
    places = [
        re.sub(rf"^{path}(:\d+)?: ", "", line).split(": ")[0]
        for line in str(caught.value).splitlines()
    ]
    assert sorted(places) == [
        "limits.per_user.gpus",
        "machine.nodes[0].count",
        "outage[0].node_count",
        "queue[0].nodes[0]",
    ]


def test_bounds_in_nodes_hide_no_later_queue() -> None:
    # Queue a takes no job of three nodes, so it does not hide queue b.
    queues = [sw.Queue("a", nodes_per_job=(1, 2)), sw.Queue("b", nodes_per_job=(3, 4))]
    assert len(sw.Site(machine=CENTRE, queues=queues).queues) == 2
    (line,) = faults_of(machine=CENTRE, queues=[sw.Queue("a"), *queues[1:]])
    assert line.startswith("queue[1]: no job that can start reaches 'b'")
