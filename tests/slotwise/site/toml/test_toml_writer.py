"""Sites written as TOML read back as the same sites."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from datetime import datetime, timedelta, timezone
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import slotwise as sw
from slotwise.site.build import build
from slotwise.site.fields import LISTS, SINGLES
from slotwise.site.policy import policy_defaults

if TYPE_CHECKING:
    from pathlib import Path

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
DURATIONS = st.integers(1, 2**40)
INSTANTS = st.integers(0, 2**40) | st.datetimes(
    timezones=st.sampled_from([None, timezone(timedelta(hours=-5))])
).map(lambda date: date.replace(microsecond=0))
LIMITS = st.none() | st.integers(1, 10**6)


@st.composite
def sites(draw: st.DrawFn) -> sw.Site:
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    queue = sw.Queue(
        draw(NAMES), (2, draw(LIMITS.map(lambda n: n and n + 1))),
        (draw(st.sampled_from([0, 60])), draw(st.none() | st.integers(61, 10**7))),
        priority=draw(st.floats(-1e9, 1e9)), order=draw(st.sampled_from([None, "sjf"])),
        running=draw(LIMITS), queued_per_user=draw(LIMITS),
        starvation=draw(st.none() | DURATIONS), hours=draw(st.sampled_from([(), "20:00-08:00"])),
        pools=draw(st.sampled_from([(), tuple(names)])),
        trace_queues=draw(st.sets(st.integers(0, 9))),
    )  # fmt: skip
    return sw.Site(
        draw(st.none() | st.just(10**6)),
        draw(st.sampled_from([sw.Policy(), sw.Policy("sjf", "depth", depth=3)])),
        pools=[sw.Pool(name, 3 + i) for i, name in enumerate(names)],
        queues=[queue],
        limits=sw.Limits(running=draw(LIMITS), lifted_when_idle=draw(st.booleans())),
        maintenance=draw(
            st.lists(st.builds(sw.Maintenance, INSTANTS, st.just(9), st.none() | st.just(99)))
        ),
        outages=draw(st.lists(st.builds(sw.Outage, INSTANTS, DURATIONS, st.just(2)), max_size=2)),
        crashes=draw(
            st.builds(sw.Crashes, st.lists(INSTANTS, unique=True))
            | st.builds(
                sw.Crashes, law=st.just("weibull"), mean=DURATIONS,
                shape=st.floats(1e-6, 1e6), seed=st.integers(0, 2**64 - 1), repair=DURATIONS,
            )
        ),
        interruption=sw.Interruption("never", refund=draw(DURATIONS)),
        dependencies=draw(st.booleans()),
        clock=sw.Clock(draw(st.none() | st.just(datetime(2010, 1, 1))), draw(st.just("-05:30"))),
    )  # fmt: skip


@settings(
    deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(sites())
def test_a_written_site_reads_back_as_itself(site: sw.Site) -> None:
    assert build(tomllib.loads(site.to_toml())) == site
    assert build(site.to_dict()) == site


def test_a_site_is_written_to_a_file_whole(tmp_path: Path) -> None:
    site = sw.Site(8, "rlscheduler")  # type: ignore[arg-type]
    path = tmp_path / "site.toml"
    assert path.read_text() if path.exists() else site.to_toml(path) == path.read_text()
    assert sw.Site.from_toml(path) == site


@pytest.mark.parametrize(
    "site",
    [
        sw.Site(
            sw.Torus((4, 4), "row", 2),
            sw.Policy(allocation="contiguous-best"),
            placement=sw.PlacementEffect(0.3, beta=0.5, seed=2**64 - 1),
        ),
        sw.Site(
            sw.Torus((4, 4)),
            sw.Policy(backfill="window", window=7, solver="greedy", refill=True, age_limit="1d"),
        ),
        sw.Site(sw.Nodes([sw.NodeType(2, 4, "16GB", name="x y", licences=3)], "best-fit")),
        sw.Site(policy=sw.Policy("fcfs", "relaxed", relaxation=1e22, passes="90s")),
        sw.Site(policy=sw.Policy({"name": "expression", "key": "wait / requested_time"})),
        sw.Site(policy=sw.Policy.preset("as-logged")),
        sw.Site(8, reservations=[sw.Reservation("r", "2024-01-01", 9, 2, users=[1], groups=[2])]),
    ],
)
def test_machines_policies_and_reservations_read_back(site: sw.Site) -> None:
    assert build(tomllib.loads(site.to_toml())) == site
    assert build(site.to_dict()) == site


def by_wait(jobs: Any, now: int) -> Any:
    return jobs.wait


def start_none(queue: Any, machine: Any) -> None:
    return None


def test_a_function_is_not_written_and_its_place_is_named(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    orders = sw.Site(
        policy=sw.Policy(order=by_wait), queues=[sw.Queue("a", order="sjf", trace_queues=[1])]
    )
    with pytest.raises(sw.SiteError, match=r"^policy.order: .*by_wait\) is a function, which a"):
        orders.to_toml(path)
    outside = sw.Site(
        policy=sw.External(start_none),
        queues=[sw.Queue("a", trace_queues=[1]), sw.Queue("b", order=by_wait)],
    )
    with pytest.raises(sw.SiteError) as caught:
        outside.to_toml(path)
    first, second = str(caught.value).splitlines()
    assert first.startswith("policy: the external dispatcher start_none is a function, which")
    assert second.startswith("queue[1].order: ")
    assert not path.exists()
    assert sw.Site.from_toml(_written(outside, path)).queues[0] == outside.queues[0]


def _written(site: sw.Site, path: Path) -> Path:
    """Write the site without its functions, as the message recommends; return the path."""
    queues = [queue.replace(order=None) for queue in site.queues]
    site.replace(policy=sw.Policy(), queues=queues).to_toml(path)
    return path


def test_a_preset_met_whole_reads_back_under_every_backfill() -> None:
    for backfill in ("none", "easy", "conservative"):
        site = sw.Site(policy=sw.Policy.preset("pyss", backfill=backfill))
        assert build(tomllib.loads(site.to_toml())) == site


def test_durations_are_written_as_people_read_them() -> None:
    site = sw.Site(queues=[sw.Queue("q", walltime=(3600, 86400), starvation=14 * 86400)])
    assert 'walltime = ["01:00:00", "24:00:00"]\nstarvation = "14d"' in site.to_toml()


def _defaults() -> str:
    return resources.files("slotwise.site.parts").joinpath("defaults.toml").read_text()


_HIDDEN = re.compile(r"^# (?=[a-z_]+ = |\[|# [a-z_]+ = )", re.MULTILINE)


def _shown(times: int) -> dict[str, Any]:
    """Return the page of defaults, with one or two levels of comment marks removed.

    Removing one level shows the required keys of the repeatable tables; removing two, every key.
    """
    page = _defaults()
    tables = re.compile(r"^# \[\[.*?(?=^\s*$)", re.MULTILINE | re.DOTALL)
    page = tables.sub(lambda found: _HIDDEN.sub("", found[0]), page)
    return tomllib.loads(_HIDDEN.sub("", page) if times == 2 else page)


def _every_key() -> dict[str, Any]:
    """Return the page of defaults, with all examples uncommented."""
    return _shown(2)


def test_the_page_of_defaults_names_every_key() -> None:
    page = _every_key()
    assert set(page) == {"machine", "policy", "dependencies", *SINGLES} | {
        table for table, _ in LISTS.values()
    }
    policy = {field.name for field in dataclasses.fields(sw.Policy)}
    slurm = {name for name in policy_defaults() if name not in policy}
    assert set(page["policy"]) == policy | slurm | {"preset"}
    for table, part in [*LISTS.values(), *SINGLES.items()]:
        keys = page[table][0] if isinstance(page[table], list) else page[table]
        assert set(keys) == {field.name for field in dataclasses.fields(part)}, table


def test_the_page_of_defaults_is_the_default_site() -> None:
    assert build(tomllib.loads(_defaults())) == sw.Site()


def test_what_the_examples_of_tables_give_beside_what_they_need_are_the_defaults() -> None:
    site = build(_shown(1))
    assert site.policy == sw.Policy()
    assert site.queues == (sw.Queue("small"),)
    assert site.pools == (sw.Pool("batch", 1024),)
    assert (site.limits, site.crashes, site.clock) == (sw.Limits(), sw.Crashes(), sw.Clock())
    assert site.interruption == sw.Interruption()
    assert site.maintenance == (sw.Maintenance("2010-10-13T08:00:00", "8h"),)
    assert site.outages == (sw.Outage("2010-11-02T14:30:00", 5400, 48),)


_WEIBULL = {"law": "weibull", "mean": "1d"}
_CHECKPOINT = {"requeue": "from-checkpoint", "checkpoint_at": "1h"}
# Additional keys that an example needs, by table and key.
_WITH: dict[str, dict[str, dict[str, Any]]] = {
    "crashes": {
        "law": _WEIBULL, "mean": _WEIBULL, "shape": _WEIBULL, "seed": _WEIBULL,
        "repair": {"times": [5]},
    },
    "maintenance": {"node_type": {"node_count": 4}, "node_count": {"node_type": "fat"}},
    "outage": {
        "node_type": {"node_count": 4, "processors": None},
        "node_count": {"node_type": "fat", "processors": None},
    },
    "reservation": {
        "node_type": {"node_count": 4, "processors": None},
        "node_count": {"node_type": "fat", "processors": None},
    },
    "interruption": {
        "checkpoint_at": {"requeue": "from-checkpoint"}, "checkpoint_cost": _CHECKPOINT,
        "checkpoint_every": {"requeue": "from-checkpoint"},
    },
}  # fmt: skip


def test_the_examples_of_the_page_of_defaults_are_possible_one_by_one() -> None:
    parts = dict(LISTS.values()) | SINGLES
    shown = _shown(1)
    for table, keys in _every_key().items():
        if table not in parts:
            continue
        part = parts[table]
        base = shown[table][0] if isinstance(keys, list) else shown[table]
        for name, value in (keys[0] if isinstance(keys, list) else keys).items():
            made = part(**base | _WITH.get(table, {}).get(name, {}) | {name: value})
            assert getattr(made, name) == part.READERS[name](value)
