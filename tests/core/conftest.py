"""Small workloads, fixed and random."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import slotwise as sw

Row = tuple[int, int, int, int]
Replay = Callable[..., sw.Result]


def replay_rows(rows: list[Row], processors: int, **policy: object) -> sw.Result:
    """Replay jobs given as (submit, run_time, requested_time, processors)."""
    submit, run_time, requested_time, wanted = (np.array(c) for c in zip(*rows, strict=True))
    trace = sw.Trace.from_columns(submit, run_time, wanted, requested_time)
    chosen = sw.Policy(**policy)  # type: ignore[arg-type]
    return sw.simulate(trace, sw.Site(machine=sw.Processors(processors), policy=chosen))


@pytest.fixture
def replay() -> Replay:
    return replay_rows
