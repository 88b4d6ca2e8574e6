"""Contradictions between a torus and the rest of its site, and nodes listed in a calendar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.site.machine.node_checks import named_in_several

if TYPE_CHECKING:
    from pathlib import Path

TORUS = sw.Torus((2, 2, 2))
CONTIGUOUS = sw.Policy(allocation="contiguous")
ONE_BY_ONE = sw.Crashes(law="exponential", mean=9, per_node=True)


def faults_of(**fields: Any) -> list[str]:
    with pytest.raises(sw.SiteError) as caught:
        sw.Site(TORUS, **fields)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"pools": [sw.Pool("a", 4)]}, ["pool", "queues share the whole torus"]),
        (
            {"queues": [sw.Queue("q", nodes="[0-3]")]},
            ["queue[0].nodes", "queues share the whole torus; omit the queue's nodes"],
        ),
        (
            {"queues": [sw.Queue("q", nodes_per_job=(2, 3))]},
            ["queue[0].nodes_per_job", "set processors instead"],
        ),
        ({"queues": [sw.Queue("q", spanning=True)]}, ["queue[0].spanning", "omit spanning"]),
        ({"queues": [sw.Queue("q", pools=["a"])]}, ["queue[0].pools", "omit the queue's pools"]),
        (
            {"outages": [sw.Outage(0, 9, node_type="a", node_count=1)]},
            ["outage[0].node_type", 'nodes = ["[0-31]"]'],
        ),
        (
            {"maintenance": [sw.Maintenance(0, 9, nodes="3")]},
            ["maintenance[0].nodes", "'first', which uses any free nodes", "'contiguous'"],
        ),
        (
            {"policy": sw.Policy.preset("slurm", version="22.05")},
            ["policy.backfill", "'slurm' chooses nodes itself", "a machine with node types"],
        ),
        ({"crashes": ONE_BY_ONE}, ["crashes.per_node", "'first'", "'contiguous'"]),
        (
            {"outages": [sw.Outage(0, 9, nodes="8")], "policy": CONTIGUOUS},
            ["outage[0].nodes", "no node '8'", "0 to 7"],
        ),
        (
            {"outages": [sw.Outage(0, 9, nodes="n[1-2]")], "policy": CONTIGUOUS},
            ["outage[0].nodes", "no node 'n1'", "by their position"],
        ),
        (
            {"outages": [sw.Outage(0, 9, nodes=["1", "[0-9]"])], "policy": CONTIGUOUS},
            ["outage[0].nodes[1]", "10 nodes", "8"],
        ),
        (
            {"limits": sw.Limits(total={"gpus": 1})},
            ["limits.total", "requires a machine with node types"],
        ),
        (
            {"policy": sw.Policy(backfill="window"), "queues": [sw.Queue("q")]},
            ["queue", "backfill 'window'", "choose another backfill"],
        ),
        (
            {"policy": sw.Policy(backfill="conservative", promises="per-arrival",
                                 allocation="contiguous")},
            ["policy.promises", "consecutive nodes", "choose per-pass"],
        ),
        (
            {"policy": sw.Policy(backfill_order="sjf"), "queues": [sw.Queue("q")]},
            ["policy.backfill_order", "leave backfill_order out"],
        ),
    ],
)  # fmt: skip
def test_what_does_not_suit_a_torus_is_refused(fields: dict[str, Any], words: list[str]) -> None:
    lines = faults_of(**fields)
    assert any(line.startswith(words[0]) and all(w in line for w in words) for line in lines), lines


def test_all_faults_of_a_site_are_named_at_once() -> None:
    lines = faults_of(
        pools=[sw.Pool("a", 4)],
        outages=[sw.Outage(0, 9, nodes="9"), sw.Outage(0, 9, node_type="a", node_count=1)],
        policy=CONTIGUOUS,
    )
    places = [line.split(":")[0] for line in lines]
    assert places == ["pool", "outage[0].nodes", "outage[1].node_type"]


def test_a_whole_site_on_a_torus_is_written_and_read_back(tmp_path: Path) -> None:
    site = sw.Site(
        TORUS,
        policy=CONTIGUOUS,
        queues=[sw.Queue("wide", (4, None), priority=1), sw.Queue("rest")],
        limits=sw.Limits(running_per_user=2),
        outages=[sw.Outage(0, 9, nodes=["[0-3]", "7"], mode="drain")],
        reservations=[sw.Reservation("r", 20, 5, nodes="[4-5]", users=[1])],
        crashes=ONE_BY_ONE,
        dependencies=True,
    )
    site.to_toml(tmp_path / "site.toml")
    assert sw.Site.from_toml(tmp_path / "site.toml") == site


def test_positions_are_selected() -> None:
    assert TORUS.select(["[0-2]", "6,2"]).tolist() == [0, 1, 2, 6]
    with pytest.raises(sw.SiteError, match=r"\[1\]: there is no node '8'"):
        TORUS.select(["0", "8"])


def test_nodes_that_several_outages_name_are_noted() -> None:
    outages = [sw.Outage(0, 9, nodes=["[0-3]"]), sw.Outage(5, 9, nodes=["3", "5"])]
    site = sw.Site(TORUS, policy=CONTIGUOUS, outages=outages)
    assert named_in_several(site) == {"3": ["outage[0]", "outage[1]"]}
