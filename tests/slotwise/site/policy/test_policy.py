"""The class `Policy`: refused arguments, changes to presets, and orders given as mappings."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.site.build import build

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"depth": 4}, "depth 4: backfill 'easy' ignores depth; .* backfill depth$"),
        ({"relaxation": 0.3}, "ignores relaxation; .* backfill relaxed$"),
        ({"backfill": "none", "backfill_order": "sjf"}, "ignores backfill_order"),
        ({"backfill": "conservative", "backfill_order": "sjf"}, "backfill 'conservative' ignores"),
        ({"backfill": "depth", "spare_processors": False}, "spare_processors false: .*easy or rel"),
        ({"backfill": "replan", "strict_end": True}, "strict_end true"),
        ({"backfill": "none", "frozen_reservation": True}, "frozen_reservation true"),
        ({"compression": "every-end"}, "choose backfill conservative"),
        ({"promises": "per-arrival"}, "choose backfill conservative"),
        ({"backfill": "conservative", "waiting_estimates": "exact"}, "waiting_estimates 'exact'"),
        ({"backfill": "as-logged", "order": "sjf"}, "order 'sjf'"),
        ({"event_order": "arrivals-first"}, "passes 'per-instant' ignores event_order"),
        ({"event_order": "arrivals-first", "passes": "30s"}, "passes '30s' ignore"),
    ],
)
def test_a_switch_that_nothing_reads_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(sw.SiteError, match=words):
        sw.Policy(**changes)


@pytest.mark.parametrize("backfill", ["none", "first-fit"])
def test_estimates_without_a_plan_are_refused_where_the_site_has_none_either(backfill: str) -> None:
    policy = sw.Policy(backfill=backfill, estimates="exact")
    words = f"estimates: 'exact': backfill '{backfill}' ignores estimates"
    with pytest.raises(sw.SiteError, match=words):
        sw.Site(10, policy)
    with pytest.raises(sw.SiteError, match=words):
        sw.Site(10, policy, outages=[sw.Outage(20, 10, processors=2)])


@pytest.mark.parametrize("backfill", ["none", "first-fit"])
def test_estimates_are_read_by_a_calendar_whatever_the_backfill(backfill: str) -> None:
    # The machine is down on [20, 30). The job's request lasts until 25, but the job ends at 15,
    # which `exact` takes into account.
    trace = sw.Trace.from_columns([5], [10], [4], [20], max_processors=10)
    for estimates, start in (("requested", 30), ("exact", 5)):
        policy = sw.Policy(backfill=backfill, estimates=estimates)
        site = sw.Site(10, policy, maintenance=[sw.Maintenance(20, 10)])
        assert sw.simulate(trace, site).start.tolist() == [start]


@pytest.mark.parametrize("backfill", [info.name for info in sw.backfills()])
def test_a_value_equal_to_the_default_is_always_allowed(backfill: str) -> None:
    default = sw.Policy()
    changes = {name: getattr(default, name) for name in sw.Policy.__dataclass_fields__}
    assert sw.Policy(**changes | {"backfill": backfill}) == sw.Policy(backfill=backfill)


@pytest.mark.parametrize("backfill", [info.name for info in sw.backfills()])
@pytest.mark.parametrize("preset", ["pyss", "cqsim", "rlscheduler"])
def test_a_preset_keeps_its_switches_under_every_backfill(preset: str, backfill: str) -> None:
    policy = sw.Policy.preset(preset, backfill=backfill)
    assert hash(policy) == hash(sw.Policy(**policy.to_dict()))
    assert policy == sw.Policy(**policy.to_dict())
    assert policy.replace(backfill="easy") == sw.Policy.preset(preset)
    written = {"policy": {"preset": preset, "backfill": backfill}}
    assert build(written) == sw.Site(policy=policy)


def test_a_preset_does_not_change_what_it_fixes() -> None:
    with pytest.raises(sw.SiteError, match=r"passes 'per-instant' contradicts preset 'pyss'"):
        sw.Policy.preset("pyss", passes="per-instant")
    assert sw.Policy.preset("pyss", passes="per-event") == sw.Policy.preset("pyss")


def test_arrivals_first_is_read_where_promises_are_made_on_arrival() -> None:
    policy = sw.Policy(
        backfill="conservative", promises="per-arrival", event_order="arrivals-first"
    )
    assert policy.event_order == "arrivals-first"


def test_an_order_may_be_a_mapping_with_a_name() -> None:
    order: Any = {"name": "wfp3"}
    policy = sw.Policy(order=order, backfill_order={"name": "sjf"})
    assert policy == sw.Policy(order="wfp3", backfill_order="sjf")
    assert hash(policy) == hash(sw.Policy(order="wfp3", backfill_order="sjf"))


@pytest.mark.parametrize("field", ["order", "backfill_order"])
def test_an_unknown_order_is_told_before_its_parameters(field: str) -> None:
    order: Any = {"name": "seniority", "queue_time": 5}
    words = rf"unknown {field} 'seniority'.*known names are: .*fcfs.*wfp3"
    with pytest.raises(sw.SiteError, match=words):
        sw.Policy(**{field: order})
    with pytest.raises(sw.SiteError, match=words):
        build({"policy": {field: order}})
    order = {"name": "sjf", "queue_time": 5}
    with pytest.raises(sw.SiteError, match=r"'queue_time'.* order 'sjf' has no parameters"):
        sw.Policy(**{field: order})
    order = {"weight": 5}
    with pytest.raises(sw.SiteError, match="write the name of the order"):
        sw.Policy(**{field: order})


def test_an_order_with_parameters_is_a_value() -> None:
    table = {"name": "priority", "cores": 0, "queue_time": 2.5}
    policy = sw.Policy(order=table, backfill_order=table)
    same = sw.Policy(order=dict(reversed(table.items())), backfill_order=policy.backfill_order)
    assert policy == same
    assert hash(policy) == hash(same)
    assert policy != sw.Policy(order="priority", backfill_order="priority")
    assert sw.Policy(**policy.to_dict()) == policy
    assert policy.to_dict()["order"] == table
    assert str(policy.order) == "priority (queue_time = 2.5, cores = 0)"
    assert pickle.loads(pickle.dumps(policy)) == policy


def test_an_order_with_parameters_stands_in_a_site_file(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_text('[policy]\norder = { name = "priority", queue_time = 5, cores = 0 }\n')
    site = sw.Site.from_toml(file)
    assert site.policy == sw.Policy(order={"name": "priority", "queue_time": 5, "cores": 0})
    assert build(site.to_dict()) == site


def test_parameters_of_an_order_in_seconds_may_be_durations() -> None:
    order = {"name": "multifactor", "max_age": "14d", "half_life": "12:00:00"}
    expected = {"name": "multifactor", "max_age": 14 * 86400, "half_life": 43200}
    policy = build({"policy": {"order": order}}).policy
    assert policy.to_dict()["order"] == expected
    assert policy == sw.Policy(order=expected)
    with pytest.raises(sw.SiteError, match='at least 1, or a duration such as "7d"; its default'):
        sw.Policy(order={"name": "multifactor", "max_age": "14 fortnights"})
    with pytest.raises(sw.SiteError, match=r"order.age: '7d': the weight .* of at least 0; its"):
        sw.Policy(order={"name": "multifactor", "age": "7d"})


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        (
            {"queue_tim": 5},
            r"'queue_tim'; did you mean 'queue_time'\? known names are: ",
        ),
        (
            {"cores": "many"},
            r"order.cores: 'many': the weight per processor \(C\) must be a",
        ),
        ({"cores": float("nan")}, "order.cores: nan: .* must be a finite number; its default is 1"),
        ({"expansion": float("inf")}, "order.expansion: inf"),
        ({"qos": True}, "order.qos: true"),
    ],
)
def test_wrong_parameters_of_an_order_are_refused(parameters: Any, words: str) -> None:
    with pytest.raises(sw.SiteError, match=words):
        sw.Policy(order={"name": "priority", **parameters})
    with pytest.raises(sw.SiteError, match=words):
        build({"policy": {"order": {"name": "priority", **parameters}}})


def test_a_preset_names_every_wrong_change() -> None:
    with pytest.raises(sw.SiteError) as caught:
        sw.Policy.preset("slurm", version="25.11", bf_window="x", bf_interval=-9, foo=3)
    lines = str(caught.value).split("\n")
    assert [line.split(":")[0].split(";")[0] for line in lines] == [
        "unknown preset field 'foo'",
        "bf_window 'x'",
        "bf_interval -9",
    ]
    with pytest.raises(sw.SiteError, match=r"^bf_window 'x': it must be a whole number of minutes"):
        sw.Policy.preset("slurm", version="25.11", bf_window="x")


def test_a_parameter_given_twice_with_different_values_is_refused() -> None:
    policy = sw.Policy.preset("slurm", version="22.05")
    given = {"name": "slurm", "bf_interval": 7}
    with pytest.raises(sw.SiteError, match=r"^backfill.bf_interval: 7: bf_interval = 9 is also"):
        policy.replace(backfill=given, bf_interval=9)
    assert policy.replace(backfill=given, bf_interval=7) == policy.replace(backfill=given)


def test_replace_changes_parameters_of_the_backfill() -> None:
    policy = sw.Policy.preset("slurm", version="25.11", bf_window=60)
    changed = policy.replace(bf_interval=60, kill_at_limit=False)
    assert changed == sw.Policy.preset(
        "slurm", version="25.11", bf_window=60, bf_interval=60
    ).replace(kill_at_limit=False)
    assert changed.replace(bf_interval=30, kill_at_limit=True) == policy
    with pytest.raises(sw.SiteError, match="unknown policy field 'bf_intervl'; did you mean"):
        policy.replace(bf_intervl=60)
    with pytest.raises(sw.SiteError, match="backfill 'easy' ignores bf_interval"):
        sw.Policy().replace(bf_interval=60)
