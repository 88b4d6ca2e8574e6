"""Fixtures: a machine of 100 processors with logs, and one month of the paper's log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import slotwise as sw
from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.history import History
from slotwise.advice.queue_design.layout import Layout, Part, Partition
from slotwise.advice.queue_design.parameters import DAY
from slotwise.studies.queues.workloads import table_i

HOUR = 3600
Rows = Sequence[tuple[int, int, int, int]]


@pytest.fixture
def small_site() -> sw.Site:
    """Return a site of 100 processors with queues by job size; jobs above 50 span partitions."""
    return sw.Site(
        100,
        queues=[
            sw.Queue("narrow", processors=(1, 10), walltime=(0, 24 * HOUR), priority=1),
            sw.Queue("wide", processors=(11, 50), walltime=(0, 24 * HOUR), priority=2),
            sw.Queue("huge", processors=(51, 100), walltime=(0, 24 * HOUR), priority=3),
        ],
    )


def trace_of(rows: Rows) -> sw.Trace:
    """Return a log with these rows of (submit, run_time, processors, requested_time)."""
    submit, run_time, processors, requested = zip(*rows, strict=True)
    return sw.Trace.from_columns(submit, run_time, processors, requested, max_processors=100)


@pytest.fixture
def history(small_site: sw.Site) -> Callable[[Rows], tuple[History, Base]]:
    """Return a function that assigns the rows of a log to the queues of the small machine."""

    def make(rows: Rows) -> tuple[History, Base]:
        trace = trace_of(rows)
        base = Base.of(small_site, trace)
        return History.of(trace, base), base

    return make


@pytest.fixture(scope="session")
def serc() -> sw.Trace:
    return sw.generate("serc", seed=1)


@pytest.fixture(scope="session")
def base(serc: sw.Trace) -> Base:
    return Base.of(table_i(), serc)


@pytest.fixture(scope="session")
def layout(base: Base) -> Layout:
    """Return a layout: `small` split, `idqueue` and `small72` merged, common pool of 3232."""
    return Layout(
        base,
        (
            Partition("mixed", (Part.whole(base, 0), Part.whole(base, 2)), 8000),
            Partition("small.1", (Part(1, 24, 240, 0, DAY),), 4000),
            Partition("small.2", (Part(1, 241, 1032, 0, DAY),), 4000),
            Partition("medium", (Part.whole(base, 3),), 16_000),
        ),
        hybrid=True,
        threshold=2.0,
    )
