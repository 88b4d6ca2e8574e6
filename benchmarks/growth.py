"""CPU microseconds per job as the queue gets deeper.

All jobs in a burst arrive within a few hours, and the replay ends once all have ended. For each
site, the burst is doubled until nearly 20,000 jobs wait at once. The last column divides the cost
per job in the largest burst by the cost per job in the second largest. It is 1 if the depth does
not matter, and 2 if the replay time is quadratic in the depth.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import slotwise as sw
from yardstick import node_sites, node_tasks, site_costs
from yardstick.clock import clocked
from yardstick.tables import digits

if TYPE_CHECKING:
    from collections.abc import Callable

DEPTHS = (2_500, 5_000, 10_000, 20_000)
PACE = 2_000  # factor by which jobs arrive faster than in the log
COLUMNS = ("user", "group", "queue", "partition")
MIDNIGHT = 20_000 * 86_400  # midnight on an arbitrary day
PLAIN = ("plain easy", "plain conservative")
ROUNDS = 0.2  # seconds spent measuring each burst
ON_NODES = ("whole nodes, easy", "1,500 nodes, easy", "the centre, easy")


def names() -> list[str]:
    return [*PLAIN, *site_costs.WORKS, *site_costs.ALONE, *ON_NODES]


def burst(trace: sw.Trace, jobs: int) -> sw.Trace:
    """Return a log of the first `jobs` jobs, which arrive `PACE` times as fast as in `trace`."""
    some = trace[:jobs]
    made = sw.Trace.from_columns(
        (some.submit - some.submit[0]) // PACE,
        some.run_time,
        some.processors,
        some.requested_time,
        max_processors=some.max_processors,
        unix_start_time=MIDNIGHT,
        labels=some.labels,
        **{name: getattr(some, name) for name in COLUMNS},
    )
    return made if some.demands is None else made.with_demands(some.demands)


def case(name: str) -> tuple[sw.Trace, Callable[[sw.Trace], sw.Site]]:
    """Return a log, and a function that makes the site for a burst of its jobs."""
    if name in PLAIN:
        policy = sw.Policy(backfill=name.removeprefix("plain "))
        return year(), lambda _: sw.Site(sw.Processors(site_costs.PROCESSORS), policy)
    if name in site_costs.ALONE:
        cell = {"work": name, "row": None}
        trace, machine = site_costs.trace_of(cell)
        return trace, lambda some: site_costs.site_of(name, machine, some)
    if name == "whole nodes, easy":
        drawn = sw.generate("lublin", n_jobs=max(DEPTHS), processors=1500, load=0.85, seed=1)
        nodes = sw.Nodes([sw.NodeType(count=1500, cores=1)], whole_nodes=True)
        return drawn, lambda _: sw.Site(nodes)
    if name == "1,500 nodes, easy":
        site = sw.Site(machine=node_tasks.MACHINE, policy=sw.Policy(reserve="nodes"))
        return node_tasks.workload(max(DEPTHS)), lambda _: site
    if name == "the centre, easy":
        centre = sw.Site.from_toml(str(node_sites.CENTRE))
        return sw.generate("centre", n_jobs=max(DEPTHS), seed=1), lambda _: centre
    return year(), lambda some: site_costs.site_of(name, site_costs.PROCESSORS, some)


def year() -> sw.Trace:
    return site_costs.YEAR.trace()


def measured(name: str, depths: tuple[int, ...], limit: float) -> list[float | None]:
    """Return the microseconds per job at each depth; None where a replay could exceed the limit."""
    trace, site_of = case(name)
    found: list[float | None] = []
    seconds = 0.0
    for depth in depths:
        if 4 * seconds > limit:  # at twice the depth, the time may quadruple
            found.append(None)
            continue
        some = burst(trace, depth)
        site = site_of(some)
        seconds = fastest(some, site)
        found.append(1e6 * seconds / len(some))
    return found


def fastest(trace: sw.Trace, site: sw.Site) -> float:
    """Return the CPU seconds of the fastest of several replays."""
    spent: list[float] = []
    while sum(spent) < ROUNDS:
        spent.append(clocked(lambda: sw.simulate(trace, site))[2])
    return min(spent)


def line(name: str, found: list[float | None]) -> str:
    cells = ["–" if each is None else digits(each) for each in found]
    known = [each for each in found if each is not None]
    growth = f"{known[-1] / known[-2]:.1f}" if len(known) > 1 else "–"
    return f"| {name} | {' | '.join([*cells, growth])} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--only", metavar="TEXT", nargs="+", help="sites whose name has one of these"
    )
    parser.add_argument(
        "--limit", type=float, default=60, help="seconds of one replay (default 60)"
    )
    parser.add_argument("--depths", type=int, nargs="+", default=DEPTHS, help="jobs of the bursts")
    arguments = parser.parse_args()
    chosen = [n for n in names() if not arguments.only or any(t in n for t in arguments.only)]
    if not chosen:
        parser.error(f"--only {' '.join(arguments.only)}: no site name contains any of these")
    depths = tuple(arguments.depths)
    print("| site | " + " | ".join(f"{depth:,} jobs" for depth in depths) + " | growth |")
    print("| --- |" + " ---: |" * (len(depths) + 1))
    for name in chosen:
        print(line(name, measured(name, depths, arguments.limit)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
