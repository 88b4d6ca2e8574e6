"""Phase 2 of the queue design: splitting and merging, on cases worked out on paper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from slotwise.advice.queue_design import split
from slotwise.advice.queue_design.layout import Layout, Part, Partition
from slotwise.advice.queue_design.merge import may_merge, merge_queues, merged
from slotwise.advice.queue_design.replays import Replays
from slotwise.advice.queue_design.split import cut_size, split_of, split_queues

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR = 3600
DAY = 24 * HOUR
# The jobs in `narrow` have 1, 1, 4 and 6 CPU hours, and the job in `wide` has 20.
FOUR = [
    (0, HOUR, 1, DAY), (1, HOUR, 1, 2 * HOUR), (2, HOUR, 4, DAY), (3, HOUR, 6, 6 * HOUR),
    (4, HOUR, 20, DAY),
]  # fmt: skip


def replays_of(history: Callable[..., Any], sizes: tuple[int, int]) -> tuple[Layout, Replays]:
    jobs, base = history(FOUR)
    return Layout.of_base(base, sizes), Replays(jobs, base)


def test_the_first_subqueue_is_filled_to_half_with_all_jobs_of_a_size(
    history: Callable[..., Any],
) -> None:
    layout, replays = replays_of(history, (40, 60))
    jobs = replays.jobs_of(layout.partitions[0])
    assert cut_size(jobs, "CPU hours") == 4  # 1 + 1 + 4 of the 12 CPU hours
    assert cut_size(jobs, "jobs") == 1  # two of the four jobs


@pytest.mark.parametrize(
    ("by", "sizes", "parts"),
    [
        # Each part has 6 of 12 CPU hours, so 20 processors.
        ("CPU hours", [20, 20], [(1, 4, 0, DAY), (5, 10, 0, DAY)]),
        # The parts have 2 and 10 of 12 CPU hours, so 6.67 and 33.33 processors.
        ("jobs", [7, 33], [(1, 1, 0, DAY), (2, 10, 0, DAY)]),
        # The second and fourth jobs request less than 12 h and have 1 + 6 of 12 CPU hours: 23.3 and
        # 16.7 processors.
        ("run time", [23, 17], [(1, 10, 0, DAY // 2 - 1), (1, 10, DAY // 2 - 1, DAY)]),
    ],
)
def test_a_queue_is_split_in_three_ways(
    history: Callable[..., Any], by: Any, sizes: list[int], parts: list[tuple[int, ...]]
) -> None:
    layout, replays = replays_of(history, (40, 60))
    two = split_of(layout.partitions[0], by, replays)
    assert two is not None
    assert [p.size for p in two] == sizes
    assert [(q.fewest, q.most, q.above, q.longest) for p in two for q in p.parts] == parts
    assert [p.name for p in two] == ["narrow.1", "narrow.2"]
    assert all(p.parents == {"narrow"} for p in two)


def test_a_share_below_the_largest_job_prevents_a_split(history: Callable[..., Any]) -> None:
    # The second sub-queue has half of the CPU hours, so it would get 9 of the 18 processors of
    # `narrow`. But it takes jobs on up to 10.
    layout, replays = replays_of(history, (18, 82))
    assert split_of(layout.partitions[0], "CPU hours", replays) is None


def test_one_job_or_one_size_is_not_split(history: Callable[..., Any]) -> None:
    layout, replays = replays_of(history, (40, 60))
    assert split_of(layout.partitions[1], "CPU hours", replays) is None


def test_splitting_goes_on_while_it_helps(history: Callable[..., Any]) -> None:
    # Four long jobs of 10 processors occupy 40 of the 45 processors of `narrow`; short jobs of 1
    # processor follow.
    rows = [(k * 60, 4 * HOUR, 10, DAY) for k in range(4)]
    rows += [(600 + k * 60, 60, 1, HOUR) for k in range(40)]
    jobs, base = history(rows)
    layout = Layout.of_base(base, (45, 55))
    replays = Replays(jobs, base)
    told: list[str] = []
    split = split_queues(layout, replays, told.append)
    assert replays.mean(split) <= replays.mean(layout)
    assert len(told) == len(split.partitions) - len(layout.partitions)
    assert sum(split.sizes) == 100


def test_a_queue_is_split_then_its_subqueues_then_the_next_queue(
    history: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # `narrow` has 40 processors. Four 10-processor jobs run for 4 h, while 16 one-processor jobs
    # and six 4-processor jobs, of 1 h each, wait 4 h: in total 88 h. A split by jobs gives the
    # one-processor jobs a sub-queue. They have 16 of 200 CPU hours, so 3 processors, and wait 3·(0
    # + 1 + 2 + 3 + 4) + 5 = 35 h. On the other 37 processors, three 10-processor jobs start at
    # once, and 4-processor jobs run one after another beside them. At 4 h, the fourth 10-processor
    # job and the last two 4-processor jobs start: 0 + 1 + 2 + 3 + 3·4 = 18 h. A split by CPU hours
    # would put every job into the first sub-queue; a split by run time would leave the first
    # sub-queue empty. If the second sub-queue is split by jobs, the 4-processor jobs have 24 of 184
    # CPU hours, so 5 of 37 processors. The waits are then 0 + … + 5 and 4, in total 19 h, which is
    # worse.
    rows = [(0, 4 * HOUR, 10, DAY)] * 4 + [(0, HOUR, 1, DAY)] * 16 + [(0, HOUR, 4, DAY)] * 6
    jobs, base = history(rows)
    layout = Layout.of_base(base, (40, 60))
    replays = Replays(jobs, base)
    looked_at: list[str] = []

    def watched(partition: Partition, by: Any, replays: Replays) -> Any:
        looked_at.append(partition.name)
        return split_of(partition, by, replays)

    monkeypatch.setattr(split, "split_of", watched)
    assert replays.mean(layout) == 88 * HOUR / 26
    after = split_queues(layout, replays)
    assert [(p.name, p.size) for p in after.partitions] == [
        ("narrow.1", 3), ("narrow.2", 37), ("wide", 60),
    ]  # fmt: skip
    assert replays.mean(after) == pytest.approx((35 + 18) * HOUR / 26)
    assert list(dict.fromkeys(looked_at)) == ["narrow", "narrow.1", "narrow.2", "wide"]


def part(fewest: int, most: int, above: int = 0, longest: int = DAY) -> Part:
    return Part(0, fewest, most, above, longest)


def queue(name: str, *parts: Part, parents: tuple[str, ...] = ()) -> Partition:
    return Partition(name, parts, 100, frozenset(parents))


def test_sizes_and_requests_must_be_adjacent_or_overlap() -> None:
    low, high = queue("low", part(24, 96)), queue("high", part(97, 1032))
    assert may_merge(low, high)
    assert not may_merge(low, high, adjacency=0)  # as in the paper: 97 ≤ 96 is false
    assert not may_merge(low, queue("far", part(98, 1032)))
    assert may_merge(low, queue("over", part(50, 200)), adjacency=0)
    day2 = queue("long", part(24, 96, DAY, 3 * DAY))
    assert may_merge(low, day2)
    assert not may_merge(low, queue("later", part(24, 96, DAY + 1, 3 * DAY)))


def test_two_subqueues_of_one_queue_are_not_merged() -> None:
    one, two = (queue(f"a.{k}", part(24, 96), parents=("a",)) for k in (1, 2))
    assert not may_merge(one, two)
    both = merged(one, queue("b", part(24, 96)))
    assert both.parents == {"a"}
    assert both.size == 200
    assert not may_merge(both, two)
    assert may_merge(replace(two, parents=frozenset({"a.2"})), one)


def test_merging_takes_the_best_pair_until_no_pair_helps(history: Callable[..., Any]) -> None:
    # `narrow` has two jobs of 10 but only 10 processors, so the second job waits an hour, while 50
    # of the processors of `wide` are idle. In the merged queue, on 100 processors, no job waits.
    jobs, base = history([(0, HOUR, 10, HOUR), (0, HOUR, 10, HOUR), (0, HOUR, 40, HOUR)])
    layout, replays = Layout.of_base(base, (10, 90)), Replays(jobs, base)
    assert replays.mean(layout) == 1200  # 0, 3600, 0
    told: list[str] = []
    after = merge_queues(layout, replays, told.append)
    assert [p.name for p in after.partitions] == ["narrow+wide"]
    assert replays.mean(after) == 0
    assert told == ["narrow and wide merged: mean wait of all jobs from 0.33 h to 0.00 h"]
    # Sizes 10 and 11 are adjacent only because merge_queues() adds one to 10 by default.
    assert merge_queues(layout, replays, adjacency=0) == layout


def test_merging_stops_where_it_does_not_help(history: Callable[..., Any]) -> None:
    # Each queue has enough processors, so merging them would not shorten any wait.
    jobs, base = history([(0, HOUR, 10, HOUR), (0, HOUR, 50, HOUR)])
    layout = Layout.of_base(base, (50, 50))
    assert merge_queues(layout, Replays(jobs, base)) == layout
