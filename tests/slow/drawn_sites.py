"""Random traces, policies and sites from a seed, with any combination of features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import slotwise as sw

if TYPE_CHECKING:
    import random

ORDERS: tuple[Any, ...] = (
    *(info.name for info in sw.orders() if info.name not in ("expression", "fairshare")),
    {"name": "priority", "cores": -3, "expansion": 1},
    {"name": "fairshare", "half_life": 20},
    {"name": "expression", "key": "(wait + requested_time) / max(requested_time, 1)"},
    {"name": "expression", "key": "queue_priority * 3 - processors % 3"},
)
PLANNERS = (
    "none", "first-fit", "easy", "relaxed", "multiple-queue", "depth", "replan", "conservative",
)  # fmt: skip
COUNTED = (
    "running", "processors_in_use", "running_per_user", "processors_per_user",
    "running_per_group", "processors_per_group", "queued_per_user",
)  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """A trace and a site; times are multiples of `unit`."""

    trace: sw.Trace
    site: sw.Site
    unit: int


def drawn(chance: random.Random) -> Drawn | None:
    """Draw a trace and a site; None if no site drawn for the trace is valid."""
    unit = chance.choice((1, 10, 60, 1800))
    size = chance.choice((1, 2, 4, 8, 8, 100))
    trace = drawn_trace(chance, chance.choice((0, 1, 3, 10, 30, 30, 80)), size, unit)
    for _ in range(12):
        try:
            return Drawn(trace, drawn_site(chance, trace, size, unit), unit)
        except sw.SiteError:
            continue
    return None


def drawn_trace(chance: random.Random, count: int, size: int, unit: int) -> sw.Trace:
    """Draw jobs that arrive together, end at or beyond their limits, and depend on each other."""
    submit, requested, run, processors = [], [], [], []
    now = chance.choice((0, 0, 1000, 2**40))
    for _ in range(count):
        now += chance.choice((0, 0, 0, 1, unit, chance.randrange(5 * unit + 1)))
        limit = chance.choice((0, unit, unit, 2 * unit, chance.randrange(20 * unit + 1)))
        submit.append(now)
        requested.append(limit)
        run.append(chance.choice((limit, limit, limit // 2, limit + 1, 3 * limit)))
        processors.append(chance.choice((1, 1, 2, size, max(1, size // 2), size + 1)))
    columns: dict[str, Any] = {}
    if chance.random() < 0.7:
        columns |= {
            "user": [chance.choice((-1, 1, 1, 2, 3)) for _ in range(count)],
            "group": [chance.choice((-1, 1, 2)) for _ in range(count)],
            "queue": [chance.choice((-1, 0, 1, 2)) for _ in range(count)],
        }
    if chance.random() < 0.5:
        before = [chance.choice((-1, -1, i, max(1, i - 2), i + 1, count + 5)) for i in range(count)]
        columns["preceding_job"] = before
        columns["think_time"] = [chance.choice((-1, 0, unit)) for _ in range(count)]
    return sw.Trace.from_columns(submit, run, processors, requested, max_processors=size, **columns)


def drawn_policy(chance: random.Random, unit: int, *, plain: bool, torus: bool) -> sw.Policy:
    """Draw a policy; a `plain` site (only machine and policy) allows more policies."""
    backfill = chance.choice((*PLANNERS, "window") if torus else PLANNERS)
    given: dict[str, Any] = {"order": chance.choice(ORDERS), "backfill": backfill}
    if backfill == "depth":
        given["depth"] = chance.choice((1, 2, 1000))
    elif backfill == "relaxed":
        given["relaxation"] = chance.choice((0.0, 0.3, 1e9))
    elif backfill == "window":
        given |= {
            "window": chance.choice((1, 5, 20)),
            "solver": chance.choice(("branch-and-bound", "greedy")),
            "beyond_window": chance.random() < 0.5,
        }
    if backfill not in ("none", "first-fit"):
        given["estimates"] = chance.choice(("requested", "requested", "exact", "user-history"))
    # Passes with this period fall between multiples of `unit`. The period grows with the unit:
    # every 7 s, an endless replay in units of 1,800 s would have tens of millions of passes.
    period = f"{max(7, 7 * unit // 60)}s"
    given["passes"] = chance.choice(("per-instant", "per-instant", "per-event", "periodic", period))
    given["kill_at_limit"] = chance.random() < 0.6
    if torus and backfill in ("none", "first-fit", "easy"):
        given["allocation"] = chance.choice(("first", "least-spread", "contiguous"))
    if plain and backfill == "conservative":
        given |= chance.choice(({}, {"compression": "every-end"}, {"promises": "per-arrival"}))
    if plain and backfill == "easy" and chance.random() < 0.3:
        given |= chance.choice(
            ({"backfill_order": "sjf"}, {"spare_processors": False}, {"frozen_reservation": True})
        )
    return sw.Policy(**given)


def drawn_site(chance: random.Random, trace: sw.Trace, size: int, unit: int) -> sw.Site:
    """Draw a plain machine, a torus, nodes, or a centre with any combination of parts."""
    kind = chance.random()
    if kind < 0.2:
        return sw.Site(size, drawn_policy(chance, unit, plain=True, torus=False))
    if kind < 0.35:
        shape = chance.choice(((size,), (2, 3), (4, 4), (2, 2, 2), (1, 5)))
        torus = sw.Torus(shape, processors_per_node=chance.choice((1, 1, 2)))
        effect = chance.choice((sw.PlacementEffect(), sw.PlacementEffect(alpha=0.5)))
        return sw.Site(torus, drawn_policy(chance, unit, plain=True, torus=True), placement=effect)
    if kind < 0.42:
        kinds = [
            sw.NodeType(chance.choice((1, 3)), chance.choice((1, 4)), chance.choice((0, "1GB")))
            for _ in range(chance.choice((1, 2)))
        ]
        return sw.Site(sw.Nodes(kinds), drawn_policy(chance, unit, plain=True, torus=False))
    return _centre(chance, trace, size, unit)


def _centre(chance: random.Random, trace: sw.Trace, size: int, unit: int) -> sw.Site:
    parts: dict[str, Any] = {}
    pools = _pools(chance, size) if chance.random() < 0.5 else []
    names = [pool.name for pool in pools]
    if chance.random() < 0.6:
        parts["queues"] = [
            _queue(chance, f"q{number}", size, unit, names)
            for number in range(chance.randrange(1, 4))
        ]
        if any(queue.hours for queue in parts["queues"]):
            parts["clock"] = sw.Clock(start="2020-01-01T07:59:00")
    if chance.random() < 0.4:
        limits = {name: chance.randrange(1, size + 2) for name in chance.sample(COUNTED, 2)}
        parts["limits"] = sw.Limits(**limits, lifted_when_idle=chance.random() < 0.3)
    if chance.random() < 0.5:
        parts["interruption"] = _interruption(chance, unit)
    parts["dependencies"] = chance.random() < 0.3
    parts |= _calendar(chance, trace, size, unit, names)
    policy = drawn_policy(chance, unit, plain=False, torus=False)
    return sw.Site(size, policy, pools=pools, **parts)


def _pools(chance: random.Random, size: int) -> list[sw.Pool]:
    pools, left = [], size
    for number in range(chance.randrange(1, 4)):
        if left == 0:
            break
        count = chance.randrange(1, left + 1)
        threshold = chance.choice((0.0, 1.0, 5.0)) if number and chance.random() < 0.3 else None
        pools.append(sw.Pool(f"p{number}", count, threshold))
        left -= count
    return pools


def _queue(chance: random.Random, name: str, size: int, unit: int, pools: list[str]) -> sw.Queue:
    given: dict[str, Any] = {
        "processors": chance.choice(((1,), (1, size), (1, max(1, size // 2)), (2,))),
        "walltime": chance.choice(((0,), (0, 3 * unit), (2 * unit,))),
        "priority": chance.choice((0, 0, 1, -1.5)),
    }
    optional = {
        "order": lambda: chance.choice(ORDERS),
        "starvation": lambda: chance.choice((1, unit, 5 * unit)),
        "hours": lambda: chance.choice(("20:00-08:00", "00:00-00:10", "08:00-09:00")),
        chance.choice(COUNTED): lambda: chance.randrange(1, size + 2),
    }
    if pools:
        optional["pools"] = lambda: chance.sample(pools, chance.randrange(1, len(pools) + 1))
        optional["spanning"] = lambda: True
    for key, value in optional.items():
        if chance.random() < 0.25:
            given[key] = value()
    return sw.Queue(name, **given)


def _interruption(chance: random.Random, unit: int) -> sw.Interruption:
    every, cost = chance.choice((1, unit)), chance.choice((0, 1, unit))
    return chance.choice(
        (
            sw.Interruption("never"),
            sw.Interruption("from-checkpoint", checkpoint_every=every, checkpoint_cost=cost),
            sw.Interruption("from-checkpoint", checkpoint_at=unit),
            sw.Interruption(refund=5),
        )
    )


def _calendar(
    chance: random.Random, trace: sw.Trace, size: int, unit: int, pools: list[str]
) -> dict[str, Any]:
    first = int(trace.submit[0]) if len(trace) else 0
    span = int(trace.submit[-1]) - first + 10 * unit if len(trace) else 100

    def window() -> dict[str, int]:
        start = first + chance.randrange(-(span // 4) - 1, span + 1)
        given = {"start": start, "duration": chance.choice((1, unit, 3 * unit))}
        if chance.random() < 0.4:
            given["every"] = chance.choice((10 * unit, 20 * unit)) + 297
        return given

    parts: dict[str, Any] = {}
    if chance.random() < 0.35:
        modes, pool = ("drain", "kill"), chance.choice((None, *pools))
        parts["maintenance"] = [sw.Maintenance(**window(), mode=chance.choice(modes), pool=pool)]
    if chance.random() < 0.35:
        parts["outages"] = [
            sw.Outage(
                **window(),
                processors=chance.randrange(1, size + 1),
                mode=chance.choice(("sudden", "drain", "kill")),
            )
            for _ in range(chance.choice((1, 2, 3)))
        ]
    if chance.random() < 0.25:
        pool = pools[0] if pools else None
        parts["reservations"] = [
            sw.Reservation(f"r{n}", **window(), processors=1, users=[1], groups=[2], pool=pool)
            for n in range(chance.choice((1, 2)))
        ]
    if chance.random() < 0.25:
        seed, repair = chance.randrange(9), chance.choice((0, unit))
        law, shape = chance.choice((("exponential", 1.0), ("weibull", 0.3)))
        mean = chance.choice((5, 50)) * unit
        parts["crashes"] = sw.Crashes(law=law, mean=mean, shape=shape, seed=seed, repair=repair)
    return parts
