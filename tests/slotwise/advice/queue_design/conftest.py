"""Fixtures: a machine of 100 processors with logs, and one month of the paper's log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import slotwise as sw
from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.history import History

HOUR = 3600
Rows = Sequence[tuple[int, int, int, int]]


@pytest.fixture
def small_site() -> sw.Site:
    """`narrow` and `wide` share 100 processors by size; jobs above 50 span partitions."""
    return sw.Site(
        100,
        queues=[
            sw.Queue("narrow", processors=(1, 10), walltime=(0, 24 * HOUR), priority=1),
            sw.Queue("wide", processors=(11, 50), walltime=(0, 24 * HOUR), priority=2),
            sw.Queue("huge", processors=(51, 100), walltime=(0, 24 * HOUR), priority=3),
        ],
    )


def trace_of(rows: Rows) -> sw.Trace:
    """Make a log of (submit, run_time, processors, requested_time)."""
    submit, run_time, processors, requested = zip(*rows, strict=True)
    return sw.Trace.from_columns(submit, run_time, processors, requested, max_processors=100)


@pytest.fixture
def history(small_site: sw.Site) -> Callable[[Rows], tuple[History, Base]]:
    """Route rows to the queues of the small machine."""

    def make(rows: Rows) -> tuple[History, Base]:
        trace = trace_of(rows)
        base = Base.of(small_site, trace)
        return History.of(trace, base), base

    return make


@pytest.fixture(scope="session")
def serc() -> sw.Trace:
    return sw.generate("serc", seed=1)
