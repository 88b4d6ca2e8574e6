"""CPU milliseconds per job under the ``slurm`` preset, for longer queues and larger machines.

The first table varies the depth of the queue. For each depth, a burst of jobs is submitted to the
centre within a few minutes, and replayed until all jobs have ended. A backfill cycle tests 500 jobs
(the default) or all jobs. The second table varies the machine from 375 to 3,000 nodes, at the same
load. `growth` is the time for the largest case, divided by the time for the case half as large.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import slotwise as sw
from growth import burst
from yardstick.clock import clocked

CENTRE = Path(__file__).resolve().parent / "slurm_centre.toml"
DEPTHS = (500, 1_000, 2_000, 4_000)
NODES = (375, 750, 1_500, 3_000)
JOBS = 5_000  # replayed on each machine


def milliseconds(trace: sw.Trace, site: sw.Site, rounds: int) -> float:
    """Return the CPU milliseconds per job of the fastest of several replays."""
    fastest = min(clocked(lambda: sw.simulate(trace, site))[2] for _ in range(rounds))
    return 1e3 * fastest / len(trace)


def by_depth(tested: int, rounds: int) -> list[float]:
    """Return the cost at each depth of the queue; a backfill cycle tests up to `tested` jobs."""
    policy = sw.Policy.preset("slurm", version="22.05", bf_interval=30, bf_max_job_test=tested)
    site = sw.Site.from_toml(CENTRE).replace(policy=policy)
    jobs = sw.generate("centre", n_jobs=max(DEPTHS), seed=1)
    return [milliseconds(burst(jobs, depth), site, rounds) for depth in DEPTHS]


def by_nodes(rounds: int) -> list[float]:
    """Return the cost of whole-node jobs on a machine of each size."""
    policy = sw.Policy.preset("slurm", version="22.05", bf_interval=30)
    found = []
    for count in NODES:
        machine = sw.Nodes([sw.NodeType(count=count, cores=1)], whole_nodes=True)
        jobs = sw.generate("lublin", n_jobs=JOBS, processors=count, load=0.85, seed=1)
        found.append(milliseconds(jobs, sw.Site(machine, policy), rounds))
    return found


def table(head: str, columns: tuple[int, ...], rows: dict[str, list[float]]) -> str:
    lines = [
        f"| {head} | " + " | ".join(f"{each:,}" for each in columns) + " | growth |",
        "|---|" + "---:|" * (len(columns) + 1),
    ]
    for name, found in rows.items():
        cells = " | ".join(f"{each:.2g}" for each in found)
        lines.append(f"| {name} | {cells} | {found[-1] / found[-2]:.1f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="replays of each case (default 3)")
    rounds = parser.parse_args().rounds
    depths = {
        f"`bf_max_job_test={tested}`": by_depth(tested, rounds) for tested in (500, max(DEPTHS))
    }
    print(table("jobs in the burst", DEPTHS, depths), end="\n\n", flush=True)
    print(table("nodes", NODES, {f"{JOBS:,} jobs": by_nodes(rounds)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
