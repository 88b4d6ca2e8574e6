"""The `depth` and `replan` backfills, which plan all reservations again in each pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st

import slotwise as sw

Replay = Callable[..., sw.Result]
MACHINE = 6

JOBS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 30), st.integers(0, 25), st.integers(1, MACHINE)),
    min_size=1,
    max_size=40,
)

# The example in depth_planner.hpp: (submit, run_time, requested_time, processors) of A to D.
EXAMPLE = [(0, 100, 100, 6), (0, 50, 50, 8), (0, 10, 10, 10), (0, 160, 160, 2)]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        # B has a reservation at 100. D leaves 8 processors for B, so D starts; C waits for D.
        ({"backfill": "depth", "depth": 1}, [0, 100, 160, 0]),
        # C also has a reservation, for all processors at 150. D would hold two until 160.
        ({"backfill": "depth", "depth": 2}, [0, 100, 150, 160]),
        ({"backfill": "replan"}, [0, 100, 150, 160]),
        # If the smallest jobs are tried first, D starts before C gets a reservation.
        ({"backfill": "depth", "depth": 2, "backfill_order": "smallest"}, [0, 100, 160, 0]),
    ],
)
def test_reservations_hold_as_deep_as_asked(
    replay: Replay, policy: dict[str, object], expected: list[int]
) -> None:
    assert replay(EXAMPLE, 10, **policy).start.tolist() == expected


def test_replanning_keeps_no_promise_to_a_job_overtaken_in_order(replay: Replay) -> None:
    # A holds both processors until 100. B (50 s) is planned at 100. C (20 s) is shorter, and
    # precedes B as soon as it arrives. By then, conservative has promised B a start at 100; replan
    # plans C first.
    rows = [(0, 100, 100, 2), (1, 50, 50, 2), (2, 20, 20, 2)]
    assert replay(rows, 2, backfill="conservative", order="sjf").start.tolist() == [0, 100, 150]
    assert replay(rows, 2, backfill="replan", order="sjf").start.tolist() == [0, 120, 100]


def random_trace(rows: list[tuple[int, int, int, int]]) -> sw.Trace:
    columns = [np.array(c) for c in zip(*sorted(rows, key=lambda row: row[0]), strict=True)]
    submit, run_time, requested_time, processors = columns
    users = np.arange(len(rows)) % 3
    return sw.Trace.from_columns(submit, run_time, processors, requested_time, user=users)


@given(
    JOBS,
    st.sampled_from(["fcfs", "sjf", "wfp3"]),
    st.sampled_from([None, "smallest", "unicef"]),
    st.sampled_from(["requested", "exact", "user-history"]),
    st.booleans(),
)
def test_depth_1_is_easy(
    rows: list[tuple[int, int, int, int]],
    order: str,
    backfill_order: str | None,
    estimates: sw.policy.EstimatesName,
    kill_at_limit: bool,
) -> None:
    trace = random_trace(rows)
    results = []
    for backfill in ("easy", "depth"):
        policy = sw.Policy(
            order=order,
            backfill=backfill,
            backfill_order=backfill_order,
            estimates=estimates,
            kill_at_limit=kill_at_limit,
        )
        results.append(sw.simulate(trace, sw.Site(machine=sw.Processors(MACHINE), policy=policy)))
    easy, depth = results
    assert depth.start.tolist() == easy.start.tolist()
    assert depth.backfilled.tolist() == easy.backfilled.tolist()


@given(JOBS)
def test_replan_is_depth_without_end(rows: list[tuple[int, int, int, int]]) -> None:
    trace = random_trace(rows)
    machine = sw.Processors(MACHINE)
    deep = sw.Site(machine=machine, policy=sw.Policy(backfill="depth", depth=1000))
    replan = sw.Site(machine=machine, policy=sw.Policy(backfill="replan"))
    assert sw.simulate(trace, deep).start.tolist() == sw.simulate(trace, replan).start.tolist()
