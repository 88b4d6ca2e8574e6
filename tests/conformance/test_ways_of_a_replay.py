"""All ways to replay a site give the same starts.

The ways are `simulate`, a stepped simulation, and `simulate` with a limit that no job reaches.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import slotwise as sw

KEYS = [
    "user", "group", "-job_id", "requested_memory", "queue_priority", "-area", "executable",
    "queue_priority * 100 + wait / 60", "-processors * queue_priority", "wait / requested_time",
]  # fmt: skip
ORDERS = [order.name for order in sw.orders() if order.name != "expression"]
BACKFILLS = [
    "none", "first-fit", "easy", "relaxed", "multiple-queue", "depth", "replan", "conservative",
]  # fmt: skip


def many_identical(draw: Random, rng: np.random.Generator) -> sw.Trace:
    """Draw jobs with few distinct sizes and requests, so that most wait behind an identical job."""
    n = draw.choice((30, 80, 200))
    requested_time = rng.choice(draw.choice(([100], [100, 400], [60, 120, 300, 900])), n)
    return sw.Trace.from_columns(
        np.cumsum(rng.integers(0, draw.choice((1, 10, 60)), n)),
        np.maximum(1, (requested_time * rng.choice([0.3, 1, 1.2], n)).astype(int)),
        rng.choice(draw.choice(([1], [1, 4], [1, 2, 4, 8])), n),
        requested_time,
        user=rng.integers(1, 5, n),
        group=rng.integers(1, 3, n),
        requested_memory=rng.integers(1, 9, n),
        queue=rng.integers(1, 4, n),
        executable=rng.integers(1, 6, n),
    )


def drawn_order(draw: Random) -> Any:
    kind = draw.random()
    if kind < 0.35:
        return {"name": "expression", "key": draw.choice(KEYS)}
    if kind < 0.6:
        weights = {"queue_time": (0, 1, 5), "expansion": (0, 10, 100), "qos": (0, 1, 100)}
        return {"name": "priority"} | {name: draw.choice(some) for name, some in weights.items()}
    return draw.choice(ORDERS)


def drawn_site(draw: Random) -> sw.Site:
    backfill = draw.choice(BACKFILLS)
    apart = draw.random() < 0.4
    pools = [sw.Pool("a", 8), sw.Pool("b", 8)] if apart or draw.random() < 0.3 else []
    queues = [
        sw.Queue(
            f"q{number}",
            trace_queues=[number],
            priority=draw.choice((0, 0, 1, 2.5)),
            pools=["ab"[number % 2]] if apart else [],
            order=drawn_order(draw) if draw.random() < 0.2 else None,
        )
        for number in (1, 2, 3)
    ]
    policy = sw.Policy(
        order=drawn_order(draw), backfill=backfill, kill_at_limit=draw.random() < 0.8
    )
    return sw.Site(16, policy, pools=pools, queues=queues)


@pytest.mark.parametrize("seed", range(200))
def test_every_way_gives_the_same_starts(seed: int) -> None:
    draw = Random(seed)
    trace, site = many_identical(draw, np.random.default_rng(seed)), drawn_site(draw)
    result = sw.simulate(trace, site)
    simulation = sw.Simulation(trace, site)
    simulation.run()
    assert np.array_equal(simulation.result().start, result.start)
    limited = sw.simulate(trace, site.replace(limits=sw.Limits(running=10**6)))
    assert np.array_equal(limited.start, result.start)
