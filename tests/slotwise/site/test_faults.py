"""All faults of a site are reported together, each with its full path, whatever else is wrong."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from slotwise.site.build import build
from slotwise.site.faults import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_what_is_wrong_in_one_part_hides_nothing_else_of_it(tmp_path: Path) -> None:
    # The first queue has no name, but its ranges, order and pools are still checked, and so is
    # whether it hides other queues.
    text = """
        [machine]
        processors = 64
        speed = 2
        [policy]
        order = { name = "priority", cores = "x" }
        depth = 0
        kill_at_limit = false
        compression = "every-end"
        [[pool]]
        processors = 100
        [[queue]]
        processors = [65, 64]
        walltime = ["2:00", "3:00"]
        order = { name = "priority", cores = "x" }
        trace_queues = [1, -1, 1]
        hours = ["8:00", "20:00-8:00"]
        [[queue]]
        processors = [1]
        pools = ["here", "there"]
        running = 0
        [[queue]]
        name = "hidden"
        processors = [70, 80]
        [[queue]]
        name = "hidden"
        [[reservation]]
        start = 0
        duration = "2h"
        every = "1h"
        processors = 65
        users = [1, -2]
        [crashes]
        law = "weibul"
        times = [1, "never"]
    """
    file = tmp_path / "site.toml"
    file.write_text(text)
    with pytest.raises(sw.SiteError) as caught:
        sw.Site.from_toml(file)
    lines = [
        re.sub(r"^.*?site\.toml(:\d+)?: ", "", line) for line in str(caught.value).splitlines()
    ]
    assert sorted(line.partition(": ")[0] for line in lines) == sorted(
        [
            "machine.speed",
            "policy.order.cores",
            "policy.depth",
            "policy.compression",
            "pool[0].name",
            "pool",  # 100 on a machine of 64
            "queue[0].name",
            "queue[0].processors",
            "queue[0].walltime[0]",
            "queue[0].walltime[1]",
            "queue[0].order.cores",
            "queue[0].trace_queues[1]",
            "queue[0].hours[0]",
            "queue[1].name",
            "queue[1].pools[0]",
            "queue[1].pools[1]",
            "queue[1].running",
            "queue[2].processors",
            "queue[3].name",
            "queue[3]",
            "reservation[0].name",
            "reservation[0].duration",
            "reservation[0].processors",
            "reservation[0].users[1]",
            "crashes.law",
            "crashes.times[1]",
        ]
    )


WHOLE: dict[str, Any] = {
    "dependencies": True,
    "machine": {"processors": 64},
    "policy": {"order": {"name": "priority", "cores": 0}, "backfill": "depth", "depth": 2},
    "pool": [
        {"name": "a", "processors": 40},
        {"name": "b", "processors": 24, "threshold": 2.0},
    ],
    "queue": [
        {"name": "q", "processors": [1, 8], "walltime": [0, 60], "priority": 1, "order": "sjf"},
        {"name": "r", "trace_queues": [2], "priority": 1, "starvation": 60, "pools": ["a", "b"]},
        {"name": "s", "processors": [9], "spanning": True, "pools": ["a"], "hours": "1:00-2:00"},
    ],
    "limits": {"running": 3, "queued_per_user": 2, "lifted_when_idle": True},
    "maintenance": [{"start": 0, "duration": 60, "every": 90, "mode": "kill", "pool": "a"}],
    "outage": [{"start": 0, "duration": 60, "every": 90, "processors": 2, "pool": "b"}],
    "reservation": [
        {"name": "x", "start": 9, "duration": 60, "processors": 2, "pool": "a", "users": [1]}
    ],
    "crashes": {"law": "weibull", "mean": 60, "shape": 0.5, "seed": 3, "repair": 5},
    "interruption": {"requeue": "from-checkpoint", "checkpoint_every": 9, "checkpoint_cost": 1},
    "clock": {"start": "2024-01-01", "utc_offset": "-05:00"},
}


def places(value: Any, key: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if key:
        yield key
    if isinstance(value, dict | list) and key[-1:] != ("order",):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*key, step))


def test_the_whole_site_is_sound() -> None:
    assert build(WHOLE).to_dict()["queue"][0]["name"] == "q"


@given(st.sets(st.sampled_from(list(places(WHOLE))), min_size=1, max_size=4), st.data())
def test_each_of_several_wrong_values_is_told(wrong: set[Any], data: st.DataObject) -> None:
    document = copy.deepcopy(WHOLE)
    outer = {key for key in wrong if not any(key[:n] in wrong for n in range(1, len(key)))}
    for key in outer:
        table: Any = document
        for step in key[:-1]:
            table = table[step]
        table[key[-1]] = data.draw(st.sampled_from([{"a": 1}, [[1]]]))
    with pytest.raises(sw.SiteError) as caught:
        build(document, default_place="f")
    told = [line.removeprefix("f: ").partition(": ")[0] for line in str(caught.value).splitlines()]
    for key in outer:
        assert any(place.startswith(dotted(key[:3])) for place in told), (key, told)


def test_a_backfill_without_a_name_hides_no_other_fault_of_the_policy() -> None:
    with pytest.raises(sw.SiteError) as caught:
        build({"policy": {"order": {"a": 1}, "backfill": {"a": 1}}}, default_place="f")
    told = [line.split(": ")[1] for line in str(caught.value).splitlines()]
    assert "policy.backfill.name" in told
    assert any(place.startswith("policy.order") for place in told)
