"""Tables of the ``multifactor`` order: their form in a site, and the refusal of wrong ones."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

ORDER = {
    "name": "multifactor",
    "qos": 100,
    "qos_priority": {"normal": 0, "high": 50},
    "association": 10,
    "association_priority": {"physics": 3, "physics/ann": 5.5},
    "fairshare": 20,
    "shares": {"physics": 4, "physics/ann": 2},
    "tres": {"cores": 1000, "memory": -20},
    "usage_reset": "weekly",
}
MACHINE = sw.Nodes([sw.NodeType(hosts="n[1-2]", cores=4, memory="8GB")])
LOG = sw.Trace.from_columns(
    [0], [9], [1], [9], qos=["high"], account=["physics"], user=["ann"], unix_start_time=10**9
)


def site(**changes: Any) -> sw.Site:
    order = {**ORDER, **changes}
    return sw.Site(machine=MACHINE, policy=sw.Policy.preset("slurm", version="25.11", order=order))


def refusal(**changes: Any) -> str:
    with pytest.raises(sw.SiteError) as raised:
        site(**changes)
    return str(raised.value)


def test_a_site_file_has_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(site().to_toml())
    assert sw.Site.from_toml(path) == site()
    assert '"physics/ann" = 5.5' in path.read_text()
    path.write_text(
        "[machine]\nnodes = [{ hosts = 'n[1-2]', cores = 4, memory = '8GB' }]\n"
        "[policy]\npreset = 'slurm-25.11'\n[policy.order]\nname = 'multifactor'\nqos = 100\n"
        "[policy.order.qos_priority]\nnormal = 0\nhigh = 50\n"
    )
    order = sw.Site.from_toml(path).policy.to_dict()["order"]
    assert order == {"name": "multifactor", "qos": 100, "qos_priority": ORDER["qos_priority"]}


def test_a_table_is_part_of_the_policy() -> None:
    assert site() == site()
    assert hash(site().policy) == hash(site().policy)
    assert site() != site(qos_priority={"normal": 0, "high": 51})
    assert "qos_priority = { normal = 0, high = 50 }" in str(site().policy.order)


def test_wrong_tables_are_refused_with_rule_and_remedy() -> None:
    assert refusal(qos_priority={"high": -1}) == (
        "order.qos_priority: high -1: it must be a number of at least 0; correct it, or leave it "
        "out"
    )
    assert refusal(shares={"bio": -1}) == (
        "order.shares: bio -1: it must be a number of at least 0; correct it, or leave it out"
    )
    assert refusal(qos_priority=3) == (
        "order.qos_priority: 3: the priority of each QOS must be a table of "
        "numbers, such as qos_priority = { name = 1 }"
    )
    assert "name '': a name must be text" in refusal(association_priority={"": 1})
    assert "cores 'many': it must be a number" in refusal(tres={"cores": "many"})
    assert "-1: the weight of the association's priority" in refusal(association=-1)
    assert "unknown value 'weekley'; did you mean 'weekly'?" in refusal(usage_reset="weekley")
    assert "unknown 'multifactor' parameter 'qos_prio'" in refusal(qos_prio={"a": 1})


def test_an_unknown_resource_is_refused_with_those_of_the_machine() -> None:
    told = refusal(tres={"cpu": 1000})
    assert told.startswith(
        "policy.order.tres.cpu: unknown machine resource 'cpu'; known names are: cores, "
        "memory, nodes; Slurm's cpu is cores here"
    )
    assert "'gpu'" in refusal(tres={"gpu": 1})
    with pytest.raises(sw.SiteError, match="known names are: cores, nodes"):
        sw.Site(8, sw.Policy(order=ORDER))


def test_a_name_like_one_of_the_log_that_the_table_lacks_is_warned_of() -> None:
    log = sw.Trace.from_columns(
        [0, 0], [9, 9], [1, 1], [9, 9], qos=["normal", "high"], account=["physics", "bio"],
        user=["a", "b"], unix_start_time=10**9,
    )  # fmt: skip
    names = {
        "qos_priority": {"normal": 0, "hihg": 5, "top": 9},
        "association_priority": {"bio": 1, "phisics/a": 3},
        "shares": {"bio": 1, "fysics": 3},
    }
    with pytest.warns(sw.SiteWarning) as warned:
        sw.simulate(log, site(**names))
    assert [str(each.message) for each in warned] == [
        "policy.order.qos_priority: the log has no qos 'hihg'; it has high, normal: correct the "
        "name, or leave it out",
        "policy.order.association_priority: the log has no account 'phisics'; it has bio, physics: "
        "correct the name, or leave it out",
        "policy.order.shares: the log has no account 'fysics'; it has bio, physics: correct the "
        "name, or leave it out",
    ]


def test_a_table_of_which_the_log_has_no_name_is_warned_of() -> None:
    with pytest.warns(sw.SiteWarning, match="the log has no qos 'gold', 'silver'; it has high"):
        sw.simulate(LOG, site(qos_priority={"gold": 2, "silver": 1}))
    numbered = LOG.with_columns(qos=[3])
    with pytest.warns(
        sw.SiteWarning, match="it has no names for qualities of service: use numbers"
    ):
        sw.simulate(numbered, site())


def test_a_weight_without_priorities_is_warned_of() -> None:
    with pytest.warns(sw.SiteWarning) as warned:
        sw.simulate(LOG, site(qos_priority={"high": 0}, association_priority={}))
    assert [str(each.message).split(" has no effect")[0] for each in warned] == [
        "policy.order.qos 100",
        "policy.order.association 10",
    ]
    assert "'sacctmgr show qos format=name,priority' prints" in str(warned[0].message)


def test_known_names_are_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sw.simulate(LOG, site())  # the tables list the QOS normal, which no job has
