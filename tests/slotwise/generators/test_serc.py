"""A generated workload like that of the queue paper, compared with its tables."""

from __future__ import annotations

import re

import numpy as np
import pytest

import slotwise as sw
from slotwise.generators.serc_months import (
    LOADS,
    MACHINE,
    MEAN_LOAD,
    QUEUES,
    TABLE_I,
    TABLE_II,
    month_hours,
)

HOUR = 3600


@pytest.fixture(scope="module")
def trace() -> sw.Trace:
    return sw.generate("serc", seed=3)


def shares(trace: sw.Trace) -> dict[tuple[int, int], list[float]]:
    """Return the CPU time per queue, as a share of what the machine provides in each month."""
    found, begin = {}, 0
    for month in TABLE_II:
        end = begin + month_hours(month) * HOUR
        jobs = trace[(trace.submit >= begin) & (trace.submit < end)]
        work = np.bincount(jobs.queue, weights=jobs.processors * jobs.run_time, minlength=6)[1:]
        found[month] = list(work / (MACHINE * (end - begin)))
        begin = end
    return found


def test_the_jobs_per_queue_and_month_are_those_of_table_ii(trace: sw.Trace) -> None:
    begin = 0
    for month, counts in TABLE_II.items():
        end = begin + month_hours(month) * HOUR
        jobs = trace[(trace.submit >= begin) & (trace.submit < end)]
        assert tuple(np.bincount(jobs.queue, minlength=6)[1:]) == counts
        begin = end
    assert len(trace) == 51_329


def test_sizes_and_requests_are_within_table_i(trace: sw.Trace) -> None:
    for number, name in enumerate(QUEUES, 1):
        jobs, known = trace[trace.queue == number], TABLE_I[name]
        assert jobs.processors.min() >= known.fewest
        assert jobs.processors.max() <= known.most
        assert jobs.requested_time.min() > known.above
        assert jobs.requested_time.max() == known.longest
        assert (jobs.run_time <= jobs.requested_time).all()


def test_every_job_is_in_the_first_queue_of_table_i_that_accepts_it(trace: sw.Trace) -> None:
    site = sw.Site(
        queues=[
            sw.Queue(
                name, processors=(known.fewest, known.most), walltime=(known.above, known.longest)
            )
            for name, known in TABLE_I.items()
        ]
    )
    assert (sw.simulate(trace, site).queue + 1 == trace.queue).all()


def test_estimates_are_mostly_the_longest_of_the_queue(trace: sw.Trace) -> None:
    for number, name in enumerate(QUEUES, 1):
        asked = trace.requested_time[trace.queue == number]
        assert np.mean(asked == TABLE_I[name].longest) > 0.6


def test_december_gives_the_partition_of_the_paper(trace: sw.Trace) -> None:
    # "the proportional partitioning method allocated 57% of the nodes to medium, 22% … small and
    # 21% … small72": shares in December, excluding "large".
    idqueue, small, small72, medium, _large = shares(trace)[2015, 12]
    total = idqueue + small + small72 + medium
    rounded = [round(100 * x / total) for x in (medium, small, small72, idqueue)]
    assert rounded == [57, 22, 21, 0]


def test_medium_falls_in_january_and_totals_swing_as_in_the_paper(trace: sw.Trace) -> None:
    months = shares(trace)
    assert months[2016, 1][3] < 0.55 * months[2015, 12][3]
    totals = [sum(each) for each in months.values()]
    swings = np.abs(np.diff(totals))
    # The largest changes are from November to December (the fifth change) and from January to
    # February (the seventh).
    assert set(np.argsort(swings)[-2:]) == {4, 6}


def test_load_scales_every_queue_and_month_equally() -> None:
    for month, own in shares(sw.generate("serc", seed=3, load=0.6)).items():
        wanted = [x * 0.6 / MEAN_LOAD for x in LOADS[month]]
        assert own[:4] == pytest.approx(wanted[:4], rel=0.03)
        assert own[4] == pytest.approx(wanted[4], abs=0.02)  # about two jobs' worth


def test_arrivals_follow_the_day_and_the_week(trace: sw.Trace) -> None:
    hour = trace.submit // HOUR % 24
    assert np.sum((hour >= 10) & (hour < 18)) > 2.5 * np.sum(hour < 8)
    day = (trace.submit // (24 * HOUR) + 2) % 7  # 1 July 2015 was a Wednesday
    assert np.mean(day >= 5) < 0.8 * 2 / 7


def test_fewer_jobs_are_the_first(trace: sw.Trace) -> None:
    some = sw.generate("serc", n_jobs=500, seed=3)
    assert some.submit.tolist() == trace.submit[:500].tolist()
    assert some.processors.tolist() == trace.processors[:500].tolist()


@pytest.mark.parametrize(("seed", "killed"), [(0, 0.03), (4, 0.1)])
def test_an_impossible_load_is_refused_with_the_possible_range(seed: int, killed: float) -> None:
    with pytest.raises(ValueError, match=r"load=2: .* set a load in this range") as fault:
        sw.generate("serc", load=2.0, seed=seed, killed=killed)
    named = re.search(r"must be from ([\d.]+) to ([\d.]+);", str(fault.value))
    assert named is not None
    low, high = map(float, named.groups())
    for load in (low, high):
        sw.generate("serc", load=load, seed=seed, killed=killed)
    for load in (low - 0.002, high + 0.002):
        with pytest.raises(ValueError, match=f"load={load:g}: .* must be from {low:g} to {high:g}"):
            sw.generate("serc", load=load, seed=seed, killed=killed)


def test_a_killed_share_that_allows_no_load_is_refused() -> None:
    with pytest.raises(ValueError, match=r"killed=1: no load suits every queue, because"):
        sw.generate("serc", killed=1.0)


def test_more_jobs_than_in_the_tables_are_refused() -> None:
    with pytest.raises(ValueError, match=r"n_jobs=60000: .* from 1 to 51,329"):
        sw.generate("serc", n_jobs=60_000)
