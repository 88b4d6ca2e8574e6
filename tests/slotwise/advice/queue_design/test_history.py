"""Base queues, months and epochs of a history, and sites that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.history import History, months_of
from slotwise.advice.queue_design.parameters import DAY, Parameters
from slotwise.studies.queues.sites import derive_queues

if TYPE_CHECKING:
    from collections.abc import Callable

HOUR = 3600


def days(*submits: float) -> sw.Trace:
    n = len(submits)
    return sw.Trace.from_columns([int(d * DAY) for d in submits], [60] * n, [1] * n,
                                 max_processors=100)  # fmt: skip


def test_months_follow_the_clock_of_the_machine(serc: sw.Trace) -> None:
    months = months_of(serc)
    assert [m.name for m in months] == [
        "2015-07", "2015-08", "2015-09", "2015-10", "2015-11", "2015-12", "2016-01", "2016-02",
        "2016-03",
    ]  # fmt: skip
    # Time 0 is midnight of 1 July at UTC+05:30; July has 31 days.
    assert (months[0].begin, months[0].end) == (0, 31 * DAY)
    assert sum(len(m.of(serc)) for m in months) == len(serc)


def test_a_trace_without_dates_is_cut_every_30_days() -> None:
    months = months_of(days(0, 10, 31, 59.5))
    assert [(m.begin // DAY, m.end // DAY) for m in months] == [(0, 30), (30, 60)]


def test_months_covered_only_in_part_are_left_out() -> None:
    assert [m.name for m in months_of(days(0, 10, 40))] == ["days 1-30"]


def test_epochs_are_counted_back_from_the_end(history: Callable[..., Any]) -> None:
    # Ten-day epochs, counted back from the end of day 31, leave out the first day.
    trace = days(0.5, 1.5, 12, 20, 22, 30)
    base = Base.of(sw.Site(100, queues=[sw.Queue("all")]), trace)
    epochs = History.of(trace, base, 0, 31 * DAY).epochs(Parameters())
    assert [(w, len(part), part.begin // DAY) for w, part in epochs] == [
        (1 / 3, 1, 1), (2 / 3, 2, 11), (1.0, 2, 21),
    ]  # fmt: skip


def test_epochs_without_a_job_are_left_out_and_a_short_history_is_one() -> None:
    trace = days(0, 25)
    base = Base.of(sw.Site(100, queues=[sw.Queue("all")]), trace)
    epochs = History.of(trace, base, 0, 30 * DAY).epochs(Parameters())
    assert [w for w, _part in epochs] == [1 / 3, 1.0]
    short = days(0, 1, 2)
    (only,) = History.of(short, base, 0, 3 * DAY).epochs(Parameters())
    assert only[0] == 1.0
    assert len(only[1]) == 3


def test_open_bounds_are_those_of_the_jobs(small_site: sw.Site) -> None:
    trace = sw.Trace.from_columns([0, 1], [60, 60], [3, 30], [100, 900], max_processors=100)
    base = Base.of(sw.Site(100, queues=[sw.Queue("all")]), trace)
    assert base.queues[0].processors == (1, 30)
    assert base.queues[0].walltime == (0, 900)


def test_queues_of_jobs_above_half_of_the_machine_span(small_site: sw.Site) -> None:
    base = Base.of(small_site, days(0))
    assert [q.spanning for q in base.queues] == [False, False, True]
    assert base.owners == (0, 1)
    assert base.largest_spanning == 100


def test_equal_priorities_are_replaced_by_size() -> None:
    site = sw.Site(
        100,
        queues=[sw.Queue("b", processors=(11, 50)), sw.Queue("a", processors=(1, 10))],
    )
    assert [q.priority for q in Base.of(site, days(0)).queues] == [2, 1]


def test_given_priorities_replace_those_of_the_site() -> None:
    site = sw.Site(100, queues=[sw.Queue("a", processors=(1, 10), priority=7),
                                sw.Queue("b", processors=(11, 50), priority=8)])  # fmt: skip
    assert [q.priority for q in Base.of(site, days(0)).queues] == [7, 8]
    base = Base.of(site, days(0), (2.0, 1.0))
    assert [q.priority for q in base.queues] == [2, 1]
    assert base.threshold_priority == 2
    with pytest.raises(ValueError, match="3 priorities for 2 queues"):
        Base.of(site, days(0), (1.0, 2.0, 3.0))


def test_a_site_without_queues_is_refused() -> None:
    with pytest.raises(sw.SiteError, match=r"no queues to configure.*derive_queues"):
        Base.of(sw.Site(100), days(0))


def test_queues_by_number_are_refused() -> None:
    site = sw.Site(100, queues=[sw.Queue("q", trace_queues=[1])])
    with pytest.raises(sw.SiteError, match="queue 'q' accepts jobs by trace_queues"):
        Base.of(site, days(0))


def test_a_history_without_jobs_is_refused(small_site: sw.Site) -> None:
    base = Base.of(small_site, days(0))
    with pytest.raises(sw.TraceError, match="the history has no jobs"):
        History.of(days(0)[:0], base)
    with pytest.raises(sw.TraceError, match="has no jobs; use a log of at least"):
        months_of(days(0)[:0])


def test_a_history_that_no_queue_accepts_is_refused() -> None:
    site = sw.Site(100, queues=[sw.Queue("q", processors=(50, 60))])
    trace = days(0, 1)
    with pytest.raises(sw.TraceError, match="accept none of the 2 jobs"):
        History.of(trace, Base.of(site, trace))


def test_jobs_of_no_queue_are_left_out_and_counted() -> None:
    site = sw.Site(100, queues=[sw.Queue("q", processors=(1, 10))])
    trace = sw.Trace.from_columns([0, 1, 2], [60] * 3, [1, 20, 2], max_processors=100)
    found = History.of(trace, Base.of(site, trace))
    assert (len(found), found.n_left_out) == (2, 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": (1.0,)}, "1 weights for 3 epochs"),
        ({"chunk": 0}, "chunk is 0; use a number from 1"),
        ({"degree": 4}, "degree is 4; use a number from 1 to 3"),
        ({"band": 0.5}, "band is 0.5; use a number from 1"),
    ],
)
def test_parameters_out_of_range_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Parameters(**changes)


def test_derived_queues_take_every_job_that_fits(serc: sw.Trace) -> None:
    site = derive_queues(serc)
    queue = sw.simulate(serc, site.replace(
        queues=[q.replace(spanning=False) for q in site.queues]
    )).queue  # fmt: skip
    assert (queue >= 0).all()
    assert [q.name for q in site.queues] == ["short", "small", "smalllong", "medium", "large"]
    assert site.queues[-1].spanning
    # The short jobs request up to 2 h, like those of idqueue.
    assert site.queues[0].walltime == (0, 2 * HOUR)


def test_a_log_of_one_kind_of_job_is_one_queue() -> None:
    trace = sw.Trace.from_columns(range(50), [60] * 50, [1] * 50, max_processors=4)
    queues = derive_queues(trace).queues
    assert [q.name for q in queues] == ["small", "large"]


def test_no_queues_are_derived_for_a_machine_without_jobs_or_size() -> None:
    trace = sw.Trace.from_columns([0], [60], [8])
    with pytest.raises(sw.TraceError, match="no job in the trace fits on 4 processors"):
        derive_queues(trace, 4)
    with pytest.raises(sw.SiteError, match="size of the machine"):
        derive_queues(trace)
