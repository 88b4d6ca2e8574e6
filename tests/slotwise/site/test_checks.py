"""Contradictions between the parts of a site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

import slotwise as sw
from slotwise.site.queue_coverage import hidden_queues

if TYPE_CHECKING:
    from pathlib import Path

A, B = sw.Pool("a", 4), sw.Pool("b", 4)


def faults_of(**fields: Any) -> list[str]:
    with pytest.raises(sw.SiteError) as caught:
        sw.Site(**fields)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"pools": [A, sw.Pool("a", 1)]}, ["pool[1].name", "'a' is also the name of pool[0]"]),
        ({"machine": 7, "pools": [A, B]}, ["pool: the pools together have 8", "has 7"]),
        (
            {"queues": [sw.Queue("q", processors=(1, 4)), sw.Queue("q")]},
            ["queue[1].name", "queue[0]", "rename"],
        ),
        (
            {"pools": [A, B], "queues": [sw.Queue("q", pools=["a", "b", "bb"])]},
            ["queue[0].pools[2]: unknown pool 'bb'", "did you mean 'b'", "a, b"],
        ),
        ({"queues": [sw.Queue("q", pools="a")]}, ["queue[0].pools", "[[pool]]"]),
        (
            {"pools": [A, B], "queues": [sw.Queue("q", pools=["a"])]},
            ["pool[1]", "no queue uses pool 'b'"],
        ),
        (
            {"pools": [A, sw.Pool("c", 4, threshold=2)], "queues": [sw.Queue("q")]},
            ["queue[0].priority", "passes the threshold of pool 'c'"],
        ),
        ({"pools": [A, sw.Pool("c", 4, threshold=2)]}, ["pool[1].threshold", "no queue"]),
        (
            {
                "pools": [A, sw.Pool("c", 4, threshold=2)],
                "queues": [sw.Queue("q", priority=1, spanning=True)],
            },
            ["queue[0].pools", "spanning = true cannot use pool 'c'", "'c'"],
        ),
        (
            {"pools": [A, B], "queues": [sw.Queue("q", processors=(5, 9), spanning=True)]},
            ["queue[0].processors", "9 is more than the 8 processors"],
        ),
        (
            {"pools": [A, B], "queues": [sw.Queue("q", processors=(5, 8))]},
            ["queue[0].processors", "5 is more than the 4 processors", "spanning = true"],
        ),
        (
            {"machine": 8, "queues": [sw.Queue("q", processors=(9, None))]},
            ["queue[0].processors", "9 is more than the 8 processors"],
        ),
        (
            {"queues": [sw.Queue("a", trace_queues=[1]), sw.Queue("b", trace_queues=[2, 1])]},
            ["queue[1].trace_queues", "1 is already listed in queue 'a'"],
        ),
        (
            {"pools": [A], "maintenance": [sw.Maintenance(0, 9, pool="x")]},
            ["maintenance[0].pool", "unknown pool 'x'"],
        ),
        (
            {"pools": [A], "outages": [sw.Outage(0, 9, 5, pool="a")]},
            ["outage[0].processors", "5 is more than the 4 processors of pool 'a'"],
        ),
        ({"machine": 4, "outages": [sw.Outage(0, 9, 5)]}, ["outage[0].processors", "machine"]),
        (
            {"pools": [A, B], "reservations": [sw.Reservation("r", 0, 9, 1, users=[1])]},
            ["reservation[0].pool", "a, b"],
        ),
    ],
)
def test_parts_that_do_not_go_together_are_refused(
    fields: dict[str, Any], words: list[str]
) -> None:
    (line,) = faults_of(**fields)
    for word in words:
        assert word in line


def test_every_contradiction_is_told_at_once() -> None:
    lines = faults_of(
        machine=7,
        policy="rlscheduler",
        pools=[A, B],
        queues=[sw.Queue("q", pools=["x"]), sw.Queue("late")],
    )
    places = [line.split(":")[0] for line in lines]
    assert places == [
        "queue[0].pools",
        "pool",
        "queue[1]",
        "policy.event_order",
        "policy.spare_processors",
        "policy.strict_end",
        "policy.frozen_reservation",
    ]


@pytest.mark.parametrize(
    "policy",
    [
        sw.Policy(backfill="conservative", promises="per-arrival"),
        sw.Policy(backfill_order="sjf"),
        sw.Policy(waiting_estimates="exact"),
        sw.Policy(ending_now="free"),
        sw.Policy.preset("as-logged"),
    ],
)
def test_a_switch_only_plain_sites_take_is_refused_with_what_to_choose(policy: sw.Policy) -> None:
    lines = faults_of(policy=policy, limits=sw.Limits(running=3))
    refusal = "does not support pools, queues, limits, a calendar, checkpoints or dependencies yet"
    assert lines
    assert all(f"{refusal}: choose" in line for line in lines)
    assert sw.Site(policy=policy).policy == policy


def test_queues_hidden_only_by_several_together_are_found() -> None:
    # Queue c takes jobs of 5 to 12 processors and 1 to 3 h. Queue a covers 5 to 8 processors, and
    # queue b 9 to 12.
    queues = [
        sw.Queue("a", processors=(1, 8), walltime=("0", "4h")),
        sw.Queue("b", processors=(9, 16), walltime=("0", "4h")),
        sw.Queue("c", processors=(5, 12), walltime=("1h", "3h")),
    ]
    (line,) = faults_of(queues=queues)
    assert line.startswith(
        "queue[2]: no job reaches 'c': 'a' and 'b', which come before it, accept all"
    )


def test_a_queue_is_not_hidden_where_one_second_or_processor_is_left() -> None:
    first = sw.Queue("a", processors=(1, 8), walltime=("0", "4h"))
    for left in (
        sw.Queue("b", processors=(1, 9), walltime=("0", "4h")),
        sw.Queue("b", processors=(1, 8), walltime=("0", 4 * 3600 + 1)),
        sw.Queue("b", processors=(1, 8), walltime=("0", "4h"), trace_queues=[3]),
    ):
        assert sw.Site(queues=[first, left]).queues[1] == left
    mapped = sw.Queue("a", trace_queues=[3])
    assert len(sw.Site(queues=[mapped, sw.Queue("b")]).queues) == 2


ENDS = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(sorted)


@given(st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=6), st.none() | st.integers(1, 6))
def test_hidden_is_what_no_single_job_reaches(ranges: list[Any], most: int | None) -> None:
    queues = [
        sw.Queue(str(i), processors=sizes, walltime=(times[0] - 1, times[1]))
        for i, (sizes, times) in enumerate(ranges)
    ]

    def holds(index: int, size: int, time: int) -> bool:
        (low, high), (first, last) = ranges[index]
        return bool(low <= size <= high and first <= time <= last)

    *_, last = range(len(queues))
    reached = any(
        holds(last, size, time) and not any(holds(i, size, time) for i in range(last))
        for size in range(1, 1 + (most or 6))
        for time in range(1, 7)
    )
    can_start = most is None or ranges[last][0][0] <= most
    assert (last in hidden_queues(queues, [most] * len(queues))) == (can_start and not reached)


def test_a_queue_that_only_jobs_too_large_to_start_reach_is_hidden() -> None:
    # Queue c takes jobs of 16 or more processors, but a and b take all jobs up to 64, and larger
    # jobs exceed the machine.
    queues = [
        sw.Queue("a", processors=(1, 32)),
        sw.Queue("b", processors=(33, 64)),
        sw.Queue("c", processors=(16, None)),
    ]
    (line,) = faults_of(machine=64, queues=queues)
    assert line.startswith(
        "queue[2]: no job that can start reaches 'c': 'a' and 'b', which come before it"
    )
    assert "up to the 64 processors" in line
    assert sw.Site(65, queues=queues).queues == tuple(queues)
    # Replays find the fault too, if the header of the log gives the size of the machine.
    unsized = sw.Site(queues=queues)
    wide, narrow = (sw.Trace.from_columns([0], [5], [1], max_processors=n) for n in (65, 64))
    assert len(sw.simulate(wide, unsized)) == 1
    with pytest.raises(sw.SiteError, match="reaches 'c'"):
        sw.simulate(narrow, unsized)


def test_a_queue_that_only_jobs_too_large_for_its_pools_reach_is_hidden() -> None:
    narrow = sw.Queue("narrow", processors=(1, 4), pools=["a"])
    (line,) = faults_of(pools=[A, B], queues=[narrow, sw.Queue("rest", pools=["b"])])
    assert line.startswith("queue[1]: no job that can start reaches 'rest': 'narrow', which comes")
    across = sw.Queue("rest", pools=["a", "b"], spanning=True)
    assert sw.Site(pools=[A, B], queues=[narrow, across]).queues[1] == across


def test_parts_with_faults_of_their_own_hide_no_fault_between_the_others(tmp_path: Path) -> None:
    # Invalid on their own: pool[1], queue[0], policy.depth, maintenance[0]. Contradictions: pools
    # too large together (6 + 6 > 8), two queues with the same name, queue[2] hidden by queue[1],
    # unknown pools, one queue of the trace in two `trace_queues`, and a value of `promises` that is
    # refused if there are queues.
    site = tmp_path / "site.toml"
    site.write_text("""
[machine]
processors = 8
[policy]
backfill = "conservative"
promises = "per-arrival"
depth = 0
[[pool]]
name = "a"
processors = 6
[[pool]]
name = "b"
processors = 0
[[pool]]
name = "c"
processors = 6
[[queue]]
name = "first"
processors = [9, 1]
pools = ["nowhere"]
[[queue]]
name = "second"
processors = [1, 4]
trace_queues = [3]
pools = ["b"]
[[queue]]
name = "first"
processors = [2, 3]
pools = ["d"]
[[queue]]
name = "fourth"
trace_queues = [3]
[[maintenance]]
start = 0
duration = "2d"
every = "1d"
[[maintenance]]
start = 0
duration = 60
pool = "e"
""")
    with pytest.raises(sw.SiteError) as caught:
        sw.Site.from_toml(site)
    told = [re.sub(r"^.*?site\.toml(:\d+)?: ", "", line) for line in str(caught.value).splitlines()]
    assert sorted(line.partition(":")[0] for line in told) == sorted(
        [
            "policy.depth",
            "pool[1].processors",
            "queue[0].processors",
            "queue[0].pools",
            "maintenance[0].duration",
            "pool",
            "queue[2].name",
            "queue[2]",
            "queue[2].pools",
            "queue[3].trace_queues",
            "maintenance[1].pool",
            "policy.promises",
        ]
    )


@pytest.mark.parametrize(
    "tables",
    [
        # The pool with the invalid name may be the one that the queue uses.
        '[[pool]]\nname = 5\nprocessors = 4\n[[queue]]\nname = "q"\npools = ["p"]',
        # A queue with invalid ranges may use the pool.
        '[[pool]]\nname = "p"\nprocessors = 4\n[[pool]]\nname = "r"\nprocessors = 4\n'
        '[[queue]]\nname = "q"\nprocessors = [3, 1]\npools = ["p"]\n'
        '[[queue]]\nname = "s"\npools = ["r"]',
        # A pool of unknown size may be large enough.
        '[[pool]]\nname = "p"\nprocessors = "many"\n'
        '[[queue]]\nname = "q"\nprocessors = [5, 9]\npools = ["p"]',
        # The torus is faulty, but the allocation rule is not refused for lack of a torus.
        '[machine]\ntorus = [0, 4]\n[policy]\nallocation = "contiguous"',
    ],
)
def test_what_hangs_on_a_part_with_a_fault_is_not_blamed(tmp_path: Path, tables: str) -> None:
    site = tmp_path / "site.toml"
    site.write_text(tables)
    with pytest.raises(sw.SiteError) as caught:
        sw.Site.from_toml(site)
    assert len(str(caught.value).splitlines()) == 1
