"""Strategies for queue design: each turns a base site and a history into a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise.advice.queue_design import strategies
from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.history import History, months_of
from slotwise.advice.queue_design.layout import Layout, Part, Partition
from slotwise.advice.queue_design.parameters import Parameters
from slotwise.advice.queue_design.replays import Replays
from slotwise.advice.queue_design.search import search
from slotwise.advice.queue_design.strategies import Decision
from slotwise.studies.queues.sites import derive_queues, table_i

if TYPE_CHECKING:
    from collections.abc import Callable

FEW = Parameters(samples=30, starts=4, chunk=200, search_replays=40)
ALL = ("static", "proportional", "nlp", "reconfigure", "hybrid", "search_simulator",
       "nonpartitioned", "mqb")  # fmt: skip


@pytest.fixture(scope="module")
def two_months(serc: sw.Trace) -> tuple[sw.Trace, sw.Trace]:
    january, february = (m for m in months_of(serc) if m.name in ("2016-01", "2016-02"))
    return january.of(serc), february.of(serc)


@pytest.mark.parametrize("name", ALL)
def test_every_job_of_the_next_month_is_in_exactly_one_queue(
    name: str, two_months: tuple[sw.Trace, sw.Trace]
) -> None:
    history, month = two_months
    strategy: Callable[..., sw.Site] = getattr(strategies, name)
    site = strategy(table_i(), history, FEW)
    result = sw.simulate(month, site)
    assert result.rejections() == {}
    assert (result.queue >= 0).all()
    assert np.bincount(result.queue, minlength=len(site.queues)).sum() == len(month)
    assert (result.start >= 0).all()
    if site.pools:
        assert sum(pool.processors for pool in site.pools) == 35_232


def test_jobs_keep_their_base_queue_and_are_routed_inside_it(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    history, month = two_months
    decision = Decision.of(table_i(), history, FEW)
    base = decision.base
    # `idqueue` is split by size, and its second part is merged with `small72`. `small` is split by
    # requested time.
    day = 24 * 3600
    layout = Layout(
        base,
        (
            Partition("idqueue.1", (Part(0, 8, 48, 0, 7200),), 1000),
            Partition("mixed", (Part(0, 49, 256, 0, 7200), Part(2, 24, 1032, day, 3 * day)), 7000),
            Partition("small.1", (Part(1, 24, 1032, 0, day // 2 - 1),), 5000),
            Partition("small.2", (Part(1, 24, 1032, day // 2 - 1, day),), 7000),
            Partition("medium", (Part.whole(base, 3),), 15_232),
        ),
    )
    result = sw.simulate(month, layout.site())
    names = np.array(result.queue_names)[result.queue]
    known = {1: ("idqueue.1", "mixed/idqueue"), 2: ("small.1", "small.2"), 3: ("mixed/small72",),
             4: ("medium",), 5: ("large",)}  # fmt: skip
    for number, allowed in known.items():
        assert set(names[month.queue == number]) == set(allowed)
    first = (month.queue == 1) & (month.processors <= 48)
    assert set(names[first]) == {"idqueue.1"}
    pools = np.array([*result.pool_names, "several"])[result.pool]
    assert set(pools[np.isin(names, ["mixed/idqueue", "mixed/small72"])]) == {"mixed"}


def test_parts_of_a_merged_queue_are_one_queue() -> None:
    # Half of the 10 processors are busy until 10, the other half until 60. In the merged queue, the
    # job that arrived at 1 starts at 10, although the one that arrived at 2 was in the queue with
    # the higher priority.
    trace = sw.Trace.from_columns(
        [0, 0, 1, 2], [10, 60, 10, 10], [5, 5, 5, 5], [10, 60, 10, 60], max_processors=10
    )
    site = sw.Site(
        10,
        queues=[
            sw.Queue("short", processors=(1, 5), walltime=(0, 50), priority=1),
            sw.Queue("long", processors=(1, 5), walltime=(50, 100), priority=2),
        ],
    )
    base = Base.of(site, trace)
    both = Partition("both", (Part.whole(base, 0), Part.whole(base, 1)), 10)
    assert sw.simulate(trace, site).start.tolist() == [0, 0, 20, 10]
    assert sw.simulate(trace, Layout(base, (both,)).site()).start.tolist() == [0, 0, 10, 20]


def test_partitions_without_spanning_jobs_are_replayed_alone_with_equal_starts(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    history = two_months[0]
    history = history[history.queue != 5]
    decision = Decision.of(table_i(), history, FEW)
    replays = decision.replays
    assert not replays.is_coupled
    layout = decision.layout("proportional")
    (waits,) = replays.waits([layout])
    whole = sw.simulate(history, layout.site())
    assert waits.mean == pytest.approx(whole.metrics()["mean_wait"])
    by_pool = whole.metrics_by("pool")
    for partition, wait in zip(layout.partitions, waits.by_partition, strict=True):
        assert wait == pytest.approx(by_pool[partition.name]["mean_wait"])
    assert replays.n_replays == 4
    replays.waits([layout, layout.resized(layout.sizes)])
    assert replays.n_replays == 4  # no partition is replayed again


def test_one_partition_is_replayed_once_for_sizes_that_hold_the_same_jobs(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    """All jobs take multiples of 8 processors, and 30,003 // 8 = 30,000 // 8 = 3,750."""
    replays = Decision.of(table_i(), two_months[0], FEW).replays
    assert replays.is_coupled
    base = replays.base
    whole = Partition("all", tuple(Part.whole(base, k) for k in base.owners), 30_000)
    layouts = [Layout(base, (whole.resized(size),)) for size in (30_000, 30_003, 30_008)]
    waits = replays.waits(layouts)
    assert waits[0] is waits[1]
    alone = [Replays(replays.history, base).waits([layout])[0] for layout in layouts]
    assert waits == alone
    assert waits[0] != waits[2]


def test_a_partition_smaller_than_a_job_waits_forever(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    history = two_months[0][:500]
    decision = Decision.of(table_i(), history, FEW)
    layout = decision.layout("proportional")
    sizes = list(layout.sizes)
    sizes[0] -= 200
    sizes[1] += 200
    assert decision.replays.mean(layout.resized(sizes)) == np.inf


def test_search_is_never_worse_than_its_start(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    history = two_months[0]
    decision = Decision.of(table_i(), history, FEW)
    starts = [decision.layout("proportional")]
    found = search(starts, decision.replays, FEW)
    at_first = sw.simulate(history, starts[0].site()).metrics()["mean_wait"]
    assert found.wait < at_first
    assert sw.simulate(history, found.layout.site()).metrics()["mean_wait"] == pytest.approx(
        found.wait
    )
    assert found.n_replays <= FEW.search_replays
    assert search(starts, decision.replays, FEW).layout == found.layout


def test_search_uses_no_more_replays_than_the_other_strategies(
    two_months: tuple[sw.Trace, sw.Trace], monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[int] = []

    def asked(starts: object, replays: object, parameters: Parameters) -> object:
        spent.append(parameters.search_replays)
        return search(starts, replays, parameters.replace(search_replays=0))  # type: ignore[arg-type]

    monkeypatch.setattr("slotwise.advice.queue_design.strategies.search", asked)
    decision = Decision.of(table_i(), two_months[0], FEW.replace(search_replays=10_000))
    decision.layout("search")
    of_others = decision.program.n_jobs_replayed + decision.replays.n_jobs_replayed
    assert spent == [of_others // len(decision.history)]
    assert 0 < spent[0] < 10_000


def test_limits_of_running_jobs_are_only_on_the_shared_machine(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    shared = strategies.nonpartitioned(table_i(), two_months[0], FEW)
    assert {q.name: q.running for q in shared.queues} == dict(FEW.running)
    assert all(q.running is None for q in strategies.static(table_i(), two_months[0]).queues)


def test_limits_are_per_machine_even_with_equal_queue_names(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    other = derive_queues(two_months[0])
    assert {q.name for q in other.queues} & set(FEW.running)
    shared = strategies.nonpartitioned(other, two_months[0], FEW)
    assert all(q.running is None for q in shared.queues)
    own = other.replace(queues=[q.replace(running=7) for q in other.queues])
    assert all(q.running == 7 for q in strategies.nonpartitioned(own, two_months[0]).queues)


def test_a_history_lacking_a_queue_still_gives_each_a_partition(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    history = two_months[0]
    history = history[history.queue != 3]
    site = strategies.reconfigure(table_i(), history, FEW)
    taken = sw.simulate(two_months[1], site)
    assert taken.rejections() == {}


def test_a_history_of_one_day_is_one_epoch(two_months: tuple[sw.Trace, sw.Trace]) -> None:
    history = two_months[0]
    day = history[history.submit < history.submit[0] + 86_400]
    site = strategies.nlp(table_i(), day, FEW)
    assert sum(pool.processors for pool in site.pools) == 35_232


def test_largest_jobs_that_exceed_the_machine_are_refused() -> None:
    site = sw.Site(
        100,
        queues=[
            sw.Queue("a", processors=(1, 50), walltime=(0, 60)),
            sw.Queue("b", processors=(1, 50), walltime=(60, 600)),
            sw.Queue("c", processors=(1, 50), walltime=(600, 6000)),
        ],
    )
    trace = sw.Trace.from_columns([0, 0, 0], [30, 300, 3000], [1, 1, 1], max_processors=100)
    with pytest.raises(sw.SiteError, match="need 150 processors in total, but the machine has 100"):
        strategies.proportional(site, trace)


def test_replays_of_a_history_are_the_same_on_any_number_of_threads(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    decision = Decision.of(table_i(), two_months[0], FEW)
    layout = decision.layout("proportional")
    one, two = (
        Replays(decision.history, decision.base, workers).waits([layout]) for workers in (1, 2)
    )
    assert one == two


def test_a_job_counts_for_the_first_queue_that_accepts_it(
    two_months: tuple[sw.Trace, sw.Trace],
) -> None:
    base = Base.of(table_i(), two_months[0])
    assert (History.of(two_months[0], base).queue + 1 == two_months[0].queue).all()
