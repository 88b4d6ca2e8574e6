"""The table of machines and features: each cell is the program's answer to a small replay.

Machines are columns. Rows are the registered backfills, the parts of a site, and the ways to use a
replay. A cell is "yes" if the replay runs to completion; otherwise it gives the program's reason.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import slotwise as sw

if TYPE_CHECKING:
    from collections.abc import Callable

Change = dict[str, Any]
_PLACE = re.compile(r"^[a-z_]+(\[\d+\])?(\.[a-z_]+)*: ")
SIZE = 8
MACHINES: dict[str, Any] = {
    "processors": SIZE,
    "torus": sw.Torus((SIZE,)),
    "nodes": sw.Nodes([sw.NodeType(hosts="n[1-8]", cores=1, gpus=1, features=["ib"])]),
}
"""Machines of the same size, by the heading of their column."""

CLOCK = {"clock": sw.Clock("2024-03-01T12:00")}
POOLS = [sw.Pool("a", 4), sw.Pool("b", 4)]
SITE_FEATURES: dict[str, Change] = {
    "queues, priorities": {"queues": [sw.Queue("a", priority=1, trace_queues=[1]), sw.Queue("b")]},
    "starvation limits": {"queues": [sw.Queue("a", starvation=10)]},
    "opening hours": {"queues": [sw.Queue("a", hours="08:00-20:00")], **CLOCK},
    "`default_walltime`": {"queues": [sw.Queue("a", default_walltime=60)]},
    "`nodes` of a queue": {
        "queues": [sw.Queue("a", trace_queues=[1], nodes=["n[1-4]"]), sw.Queue("b")]
    },
    "pools": {"pools": POOLS},
    "pools with a threshold": {
        "pools": [sw.Pool("a", 4), sw.Pool("b", 4, threshold=1)],
        "queues": [sw.Queue("a", priority=1)],
    },
    "spanning queues": {"pools": POOLS, "queues": [sw.Queue("a", pools=["a", "b"], spanning=True)]},
    "limits per user, group, account, qos": {"limits": sw.Limits(running_per_user=2)},
    "limits on submitted jobs": {"limits": sw.Limits(submitted_per_user=9)},
    "limits on resources": {"limits": sw.Limits(per_user={"gpus": 4})},
    "maintenance": {"maintenance": [sw.Maintenance(50, 10)]},
    "outages given as a processor count": {"outages": [sw.Outage(50, 10, 2)]},
    "outages of named nodes": {"outages": [sw.Outage(50, 10, nodes=["n1"])]},
    "crashes": {"crashes": sw.Crashes([50])},
    "crashes of individual nodes": {
        "crashes": sw.Crashes(law="exponential", mean=1000, seed=1, per_node=True)
    },
    "user reservations": {"reservations": [sw.Reservation("r", 50, 10, processors=2, users=[1])]},
    "dependencies": {"dependencies": True},
    '`reserve = "nodes"`': {"policy": sw.Policy(reserve="nodes")},
    "contiguous allocation": {"policy": sw.Policy(allocation="contiguous")},
    "placement effect": {"placement": sw.PlacementEffect(alpha=0.1)},
    'periodic passes, `estimates = "user-history"`': {
        "policy": sw.Policy(passes="30s", estimates="user-history")
    },
}


def trace() -> sw.Trace:
    """Make a dozen small jobs of two users."""
    rows = range(12)
    return sw.Trace.from_columns(
        [5 * row for row in rows],
        [20 + row for row in rows],
        [1 + row % 3 for row in rows],
        [30 + row for row in rows],
        user=[1 + row % 2 for row in rows],
        queue=[row % 2 for row in rows],
        wait=[0] * 12,
        max_processors=SIZE,
    )


def start_what_fits(queue: Any, machine: Any) -> list[int]:
    """Start jobs in order while they fit."""
    free, chosen = machine.free, []
    for row in range(len(queue)):
        if queue.processors[row] > free:
            break
        free -= int(queue.processors[row])
        chosen.append(int(queue.job_id[row]))
    return chosen


def step(site: sw.Site) -> None:
    """Step, change, copy and restore a simulation."""
    sim = sw.Simulation(trace(), site)
    sim.run(until=20)
    sim.submit(processors=2, run_time=5)
    sim.estimate_start(processors=2, requested_time=10)
    sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes())).run()


def sweep(site: sw.Site) -> None:
    """Replay under two sites."""
    list(sw.sweep(trace(), [site, site]))


def report(site: sw.Site) -> None:
    """Write the page of a replay."""
    with tempfile.TemporaryDirectory() as folder:
        sw.simulate(trace(), site).to_report(Path(folder) / "page.html")


USES: dict[str, Callable[[sw.Site], object]] = {
    "stepping, snapshots, `estimate_start`": step,
    "a dispatcher (`sw.External`)": lambda site: sw.simulate(
        trace(), site.replace(policy=sw.External(start_what_fits))
    ),
    "`explain`": lambda site: sw.simulate(trace(), site).explain(12),
    "fair start": lambda site: sw.simulate(trace(), site).fair_start(),
    "`sweep`": sweep,
    "the report": report,
}


def answer(use: Callable[[], object]) -> str:
    """Return "yes", or the program's reason for refusing."""
    try:
        use()
    except (sw.SiteError, sw.TraceError, ValueError) as fault:
        return f"no: {_PLACE.sub('', str(fault).splitlines()[0])}"
    return "yes"


def probes() -> dict[str, Callable[[Any], str]]:
    """Return, for each row in order, a function that returns its cell for a machine."""

    def replayed(machine: Any, **change: Any) -> str:
        return answer(lambda: sw.simulate(trace(), sw.Site(machine=machine, **change)))

    rows: dict[str, Callable[[Any], str]] = {
        f"backfill `{info.name}`": lambda machine, name=info.name: replayed(  # type: ignore[misc]
            machine, policy=sw.Policy(backfill=name)
        )
        for info in sw.backfills()
    }
    for feature, change in SITE_FEATURES.items():
        rows[feature] = lambda machine, change=change: replayed(machine, **change)  # type: ignore[misc]
    for name, use in USES.items():
        rows[name] = lambda machine, use=use: answer(  # type: ignore[misc]
            lambda: use(sw.Site(machine=machine))
        )
    return rows


def matrix() -> str:
    """Return the table; the reasons for refusals are listed below it, once each."""
    reasons: dict[str, int] = {}
    lines = [f"| feature | {' | '.join(MACHINES)} |", f"|---|{'---|' * len(MACHINES)}"]
    for feature, probe in probes().items():
        cells = []
        for machine in MACHINES.values():
            said = probe(machine)
            why = said.removeprefix("no: ")
            cells.append(
                "yes" if said == "yes" else f"no ({reasons.setdefault(why, len(reasons) + 1)})"
            )
        lines.append(f"| {feature} | {' | '.join(cells)} |")
    lines += ["", *(f"{number}. {why}" for why, number in reasons.items())]
    return "\n".join(lines) + "\n"
