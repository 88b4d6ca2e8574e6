"""Builds replays from arrays; the rows are given, or drawn by Hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from reference.metrics import Replay
from slotwise import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.metrics import Column


def replay_of(
    jobs: Sequence[tuple[int, int, int, int]],
    machine: int,
    *,
    state: Sequence[int] | None = None,
    backfilled: Sequence[int] | None = None,
) -> Replay:
    """Build a replay from (submit, processors, start, end) rows."""
    submit, processors, start, end = np.array(jobs, dtype=np.int64).reshape(-1, 4).T.copy()
    if state is None:
        state = np.where(start < 0, 2, 0).tolist()
    if backfilled is None:
        backfilled = [0] * len(jobs)
    return Replay(
        submit,
        processors,
        start,
        end,
        np.array(state, dtype=np.uint8),
        np.array(backfilled, dtype=np.uint8),
        machine,
    )


def core_arguments(replay: Replay) -> tuple[Column, Column, _core.Schedule, int]:
    """Return the arguments with which every metric function of the core begins."""
    schedule = _core.Schedule(replay.start, replay.end, replay.state, replay.backfilled)
    return replay.submit, replay.processors, schedule, replay.machine


@st.composite
def replays(draw: st.DrawFn, max_jobs: int = 25, longest: int = 60) -> Replay:
    """Draw a replay with ties, zero lengths, jobs that never start and overbooked machines."""
    short = st.integers(0, longest)
    rows = draw(
        st.lists(
            st.tuples(short, st.integers(1, 8), short, short, st.integers(0, 5)), max_size=max_jobs
        )
    )
    rows.sort(key=lambda row: row[0])
    jobs = [
        (submit, n, -1, -1) if kind == 0 else (submit, n, submit + wait, submit + wait + run)
        for submit, n, wait, run, kind in rows
    ]
    state = [2 if kind == 0 else int(kind == 1) for *_, kind in rows]
    backfilled = [int(kind == 2) for *_, kind in rows]
    return replay_of(jobs, draw(st.integers(1, 30)), state=state, backfilled=backfilled)
