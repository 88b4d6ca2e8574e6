"""The public run of 500 jobs under different hypotheses about its rules and inputs.

``python -m slurm.public.hypotheses FOLDER WORKLOAD COUNTERS`` (in `tests`) prints one line per
hypothesis. FOLDER contains slurm_acct.out, slurm.conf and topology.conf of the run, WORKLOAD is its
jobs500.events, and COUNTERS is its sdiag.csv. The columns:

- heads: how many jobs started by the main scheduler had the highest priority of all waiting jobs.
  The main scheduler starts no other jobs, because all jobs are in one partition.
- backfilled: of the jobs that backfill started, how many the oracle also starts from the recorded
  state, and how many of these on the recorded nodes.
- cycles: backfill cycles in which the oracle starts exactly the recorded jobs.
- wait, pairs: the mean wait in a free replay, and the pairs of jobs that start in the recorded
  order.

The last lines compare replays in which one time is changed by a few seconds.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reference.slurm.backfill import Backfill
from reference.slurm.fair_share import FairShare
from reference.slurm.replay import Replay
from reference.slurm.rules import Rules
from reference.slurm.running import Running
from reference.slurm.state import State
from slurm.priority_history import PriorityHistory
from slurm.public.record import DAEMON, SHARES, PublicRun, instant
from slurm.public.replay import RenewedRun
from slurm.public.tree import TreeConsTres

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference.slurm.job import Job
    from slurm.recording import Recorded

CROWD = 5  # with more waiting jobs than this, the order of the queue matters


@dataclass(frozen=True)
class Hypothesis:
    """Rules and inputs that the oracle assumes; the defaults explain the run best."""

    name: str
    features: bool = True  # jobs keep the features that they requested
    by_name: bool = True  # nodes are in the order of their names
    topology: bool = True
    early_groups: bool = True  # job ends are grouped as in old versions of Slurm
    asked_nodes: bool = True  # jobs that requested only tasks count as one node in the job size
    damping: int = 5
    most_per_user: int = 20
    shift: int = 0  # seconds from the start of the daemon to the first renewal
    interval: int = 30  # seconds from cycle to cycle
    settling: float = 0.3  # seconds from the end of a job until its nodes are free

    def prioritised(self, job: Job) -> Job:
        """Return the job with the size that counts in its priority."""
        return replace(job, nodes=1) if self.asked_nodes else job


class Steps(NamedTuple):
    """Numbers of recorded steps, and of those that a hypothesis explains."""

    heads: int
    mains: int
    backfilled: int
    same_nodes: int
    backfills: int
    right_cycles: int
    cycles: int


class Seen(NamedTuple):
    """Recorded jobs, in the form that `PriorityHistory` expects."""

    jobs: dict[int, Recorded]


class Examined:
    """The public run, compared with what the oracle does under one hypothesis."""

    def __init__(self, run: PublicRun, given: Hypothesis) -> None:
        self.run = replace(run, by_name=given.by_name)
        self.given = given
        self.parameters = replace(
            self.run.parameters, bf_max_job_user=given.most_per_user, bf_interval=given.interval
        )
        weights = self.parameters.multifactor
        assert weights is not None
        self.weights = replace(weights, damping=given.damping)
        self.first = instant(DAEMON) + given.shift
        self.jobs = {
            number: each if given.features else replace(each, job=replace(each.job, feature=""))
            for number, each in self.run.jobs.items()
        }

    def steps(self) -> Steps:
        """Compare each recorded step."""
        sized = {
            number: replace(each, job=self.given.prioritised(each.job))
            for number, each in self.jobs.items()
        }
        seen: Any = Seen(sized)
        history = PriorityHistory(seen, self.run.machine, self.weights, SHARES, self.first)
        heads, mains = self._heads(history)
        right = self._cycles(history)
        return Steps(
            heads, mains, right["starts"], right["nodes"], right["wanted"],
            right["cycles"], len(self.run.cycles),
        )  # fmt: skip

    def _heads(self, history: PriorityHistory) -> tuple[int, int]:
        """Count the main scheduler's starts of the first job in the queue, and all its starts."""
        found = mains = 0
        for each in self.jobs.values():
            waiting = [
                other.job
                for other in self.jobs.values()
                if other.job.submit <= each.start < other.start
            ]
            if each.by != "main" or len(waiting) <= CROWD:
                continue
            mains += 1
            own = history.at(each.job, each.start - 1)
            found += all(history.at(job, each.start) <= own for job in waiting)
        return found, mains

    def _cycles(self, history: PriorityHistory) -> Counter[str]:
        counted: Counter[str] = Counter()
        scheduler = Backfill(self.run.machine, self.parameters)
        scheduler.selector = self._selector()
        for now in self.run.cycles:
            state = self._state(now, history)
            starts = {job.number: nodes for job, nodes in scheduler.decide(state).starts}
            wanted = {
                each.job.number: each.nodes
                for each in self.jobs.values()
                if each.start == now and each.by != "main"
            }
            counted["wanted"] += len(wanted)
            counted["starts"] += len(starts.keys() & wanted.keys())
            counted["nodes"] += len(starts.items() & wanted.items())
            counted["cycles"] += starts.keys() == wanted.keys()
        return counted

    def _state(self, now: int, history: PriorityHistory) -> State:
        """Return the recorded state just before the cycle in the second `now`."""
        before = [
            each
            for each in self.jobs.values()
            if each.start < now < each.end or (each.start == now and each.by == "main")
        ]
        waiting = [
            each.job
            for each in self.jobs.values()
            if each.job.submit <= now <= each.start and each not in before
        ]
        running = [
            Running(each.job, each.start, each.nodes, each.start + each.job.limit)
            for each in before
        ]
        priorities = {job.number: history.at(job, now) for job in waiting}
        return State(now, running, waiting, priorities)

    def replayed(self) -> dict[int, int]:
        """Return the starts of a free replay."""
        shares = FairShare(SHARES, self.weights.half_life, self.weights.damping)
        given = replace(self.parameters, multifactor=self.weights)
        replay = Replay(
            self.run.machine, given, lambda _job, _now: 0.0, settling=self.given.settling
        )
        run = RenewedRun(replay, [each.job for each in self.jobs.values()], shares, self.first)
        run.sized = self.given.prioritised
        run.main.selector = run.backfill.selector = self._selector()
        return {number: start for number, (start, _) in run.run().items()}

    def _selector(self) -> TreeConsTres:
        tree = self.run.tree if self.given.topology else None
        selector = TreeConsTres(self.run.machine, self.parameters, Rules(), tree)
        selector.early_groups = self.given.early_groups
        return selector


def pairs_in_order(first: Mapping[int, int], second: Mapping[int, int]) -> float:
    """Return the share of job pairs that start in the same order; pairs that tie are left out."""
    good = total = 0
    for one, other in itertools.combinations(first, 2):
        if first[one] != first[other]:
            total += 1
            good += (first[one] - first[other]) * (second[one] - second[other]) > 0
    return good / total


HYPOTHESES = (
    Hypothesis("all of them"),
    Hypothesis("without requested features", features=False),
    Hypothesis("job size from the nodes given", asked_nodes=False),
    Hypothesis("without topology/tree", topology=False),
    Hypothesis("nodes in the order of slurm.conf", by_name=False),
    Hypothesis("ends grouped as in 22.05", early_groups=False),
    Hypothesis("FairShareDampeningFactor 1", damping=1),
    Hypothesis("no bf_max_job_user", most_per_user=0),
    Hypothesis(
        "as the record and slurm.conf alone",
        features=False,
        asked_nodes=False,
        topology=False,
        by_name=False,
        early_groups=False,
    ),
)

SHIFTED = (
    Hypothesis("unshifted"),
    Hypothesis("renewals 4 s later", shift=4),
    Hypothesis("cycles every 31 s", interval=31),
    Hypothesis("nodes free 1 s later", settling=1.3),
)


def main(folder: str, workload: str, counters: str) -> None:
    """Print the figures for each hypothesis, and how much replays differ from each other."""
    run = PublicRun(Path(folder), Path(workload), Path(counters))
    recorded = {number: each.start for number, each in run.jobs.items()}
    for given in HYPOTHESES:
        examined = Examined(run, given)
        found, starts = examined.steps(), examined.replayed()
        wait = sum(start - run.jobs[number].job.submit for number, start in starts.items())
        sys.stdout.write(
            f"{given.name}: heads {found.heads} of {found.mains}, backfilled {found.backfilled} of "
            f"{found.backfills} ({found.same_nodes} on the nodes), cycles {found.right_cycles} of "
            f"{found.cycles}, wait {wait / len(starts):,.0f} s, pairs "
            f"{pairs_in_order(recorded, starts):.1%}\n"
        )
        sys.stdout.flush()
    replays = {given.name: Examined(run, given).replayed() for given in SHIFTED}
    for name, starts in replays.items():
        others = [f"{pairs_in_order(starts, other):.1%}" for other in replays.values()]
        sys.stdout.write(
            f"{name}: pairs as recorded {pairs_in_order(recorded, starts):.1%}, "
            f"as in each replay {', '.join(others)}\n"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
