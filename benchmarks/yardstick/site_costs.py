"""Cost of the rules of a site: limits, maintenance, opening hours, time-dependent orders, pools.

Each row compares the replay of one log under one site with the plain replay in the same process.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import slotwise as sw
from yardstick.rows import PROCESSORS, ROOT, Row
from yardstick.task import judged

if TYPE_CHECKING:
    from collections.abc import Callable

LOGS = ("KTH", "SDSC-BLUE", "CEA-Curie", "RICC")
YEAR = Row("lublin 100k load 0.85", "", PROCESSORS, 100_000, 0.85)
ROUNDS = 3, 25
MONTH, SHIFT = "30d", "8h"
FORMULA = {"name": "priority", "queue_time": 5, "expansion": 100, "cores": 1}


@dataclass(frozen=True)
class Work:
    """Backfill rule of the plain replay, and targets for the cost ratio on RICC and other logs."""

    backfill: str
    target: float
    on_ricc: float | None = None  # None: RICC is left out

    def bound(self, log: str) -> float:
        return self.on_ricc if log.startswith("RICC") and self.on_ricc else self.target


WORKS = {
    "five running jobs per user": Work("easy", 2, 2),
    "a monthly maintenance": Work("easy", 2, 2),
    "hours of a queue": Work("easy", 2, 2),
    "processors per user and group": Work("easy", 3, 3),
    "priority formula, limit and maintenance": Work("easy", 4, 4),
    "fairshare": Work("easy", 5, 10),
    "conservative and a maintenance": Work("conservative", 2),
    "conservative and five running jobs per user": Work("conservative", 2),
}
# Cost ratios that still miss their targets. For each rule, the first part of a log's name is mapped
# to the ratio reached so far.
HELD: dict[str, dict[str, float]] = {
    "fairshare": {"lublin": 6},
    "conservative and five running jobs per user": {"CEA-Curie": 6},
    "hybrid pools": {"": 8},
}
ALONE = {"hybrid pools": Work("easy", 3), "Kraken's site": Work("easy", 4)}


def cells(logs: list[Row]) -> list[dict[str, Any]]:
    """List every rule on every available log, and the two sites of `examples/sites`."""
    chosen = [row for row in logs if row.name.startswith(LOGS)] + [YEAR]
    out = [
        {"work": work, "row": row.to_dict(), "name": f"{work}, {row.name}"}
        for work, its in WORKS.items()
        for row in chosen
        if its.on_ricc is not None or not row.name.startswith("RICC")
    ]
    return out + [{"work": work, "row": None, "name": work} for work in ALONE]


def held(cell: dict[str, Any]) -> float:
    """Return the bound on the ratio: the target if met, otherwise the ratio reached so far."""
    log = cell["row"]["name"] if cell["row"] else ""
    for start, most in HELD.get(cell["work"], {}).items():
        if log.startswith(start):
            return max(most, target(cell))
    return target(cell)


def verdict(cell: dict[str, Any], ratio: float) -> str:
    return judged(ratio, target(cell), held(cell))


def target(cell: dict[str, Any]) -> float:
    return (WORKS | ALONE)[cell["work"]].bound(cell["row"]["name"] if cell["row"] else "")


def trace_of(cell: dict[str, Any]) -> tuple[sw.Trace, int]:
    """Return the trace of a row, and the processors of its machine."""
    if cell["work"] == "hybrid pools":
        return sw.generate("serc", seed=1), PROCESSORS
    if cell["work"] == "Kraken's site":
        return sw.generate("kraken", n_jobs=100_000, seed=1), 98_976
    row = Row(**cell["row"])
    trace = row.trace()
    return trace, row.machine(trace)


def site_of(work: str, machine: int, trace: sw.Trace) -> sw.Site:
    if work in ALONE:
        file = "hybrid.toml" if work == "hybrid pools" else "kraken.toml"
        site = sw.Site.from_toml(str(ROOT / "examples" / "sites" / file))
        return site if work == "hybrid pools" else site.replace(maintenance=[weekly(trace)])
    processors = sw.Processors(machine)
    limit = sw.Limits(running_per_user=5)
    first = int(trace.submit[0])
    upkeep = [sw.Maintenance(start=first + 15 * 86_400, duration=SHIFT, every=MONTH)]
    policy = sw.Policy(backfill=WORKS[work].backfill)
    if work == "hours of a queue":
        return sw.Site(processors, queues=[sw.Queue("day", hours="06:00-22:00")])
    if work == "fairshare":
        return sw.Site(processors, sw.Policy(order="fairshare"))
    if work == "processors per user and group":
        most = sw.Limits(processors_per_user=machine // 2, processors_per_group=machine * 3 // 4)
        return sw.Site(processors, limits=most)
    if work == "priority formula, limit and maintenance":
        formula = sw.Policy(order=FORMULA)
        return sw.Site(processors, formula, limits=limit, maintenance=upkeep)
    if "running" in work:
        return sw.Site(processors, policy, limits=limit)
    return sw.Site(processors, policy, maintenance=upkeep)


def weekly(trace: sw.Trace) -> sw.Maintenance:
    return sw.Maintenance(start=int(trace.submit[0]) + 2 * 86_400, duration=SHIFT, every="7d")


def measure(
    cell: dict[str, Any],
    seconds: float,
    clocked: Callable[..., tuple[Any, float, float]],
    answer_of: Callable[[sw.Result], dict[str, Any]],
) -> dict[str, Any]:
    """Measure the site and the plain replay alternately; the fastest rounds give the ratio."""
    trace, machine = trace_of(cell)
    site = site_of(cell["work"], machine, trace)
    work = (WORKS | ALONE)[cell["work"]]
    plain = sw.Site(sw.Processors(machine), sw.Policy(backfill=work.backfill))
    expected = answer_of(sw.simulate(trace, site))
    spent: dict[str, list[float]] = {"plain": [], "ruled": []}
    while len(spent["plain"]) < ROUNDS[0] or (
        sum(map(sum, spent.values())) < seconds and len(spent["plain"]) < ROUNDS[1]
    ):
        spent["plain"].append(clocked(lambda: sw.simulate(trace, plain))[1])
        result, cpu, _ = clocked(lambda: sw.simulate(trace, site))
        spent["ruled"].append(cpu)
        if answer_of(result) != expected:
            raise AssertionError("two replays of one trace and site gave different starts")
    ratios = [a / b for a, b in zip(spent["ruled"], spent["plain"], strict=True)]
    return {
        "jobs": len(trace),
        "plain_seconds": min(spent["plain"]),
        "replay_seconds": min(spent["ruled"]),
        "ratio": min(spent["ruled"]) / min(spent["plain"]),
        "median_ratio": statistics.median(ratios),
        "answer": expected,
    }
