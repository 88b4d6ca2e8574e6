"""Free replays of recordings, and replays at the recorded instants of the schedulers.

``python tests/slurm/free_replays.py NAME ...`` prints the mean wait of each recording, and how
much the mean waits of the oracle's replays differ from it. ``--preset`` prints the same for the
preset's replays, and the range of twenty replays whose submissions are up to 3 s late.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import slotwise as sw
from reference.slurm.replay import CYCLE, INTERVAL, PASS, SUBMIT, Replay, Run
from slurm.case import Case
from slurm.priorities import renewal_instants
from slurm.public.replay import RENEW, RenewedRun
from slurm.recorded_site import site_of, trace_of, with_order, with_rule

if TYPE_CHECKING:
    from reference.slurm.fair_share import FairShare
    from reference.slurm.job import Job
    from slurm.recording import Recorded, Recording

SETTLING = 0.75
"""Seconds from a job's end until its nodes are free: about 10 ms of real time, because the lab's
clock runs 60 times as fast."""
EPILOGS = {"complete_wait": 28}
"""Seconds that nodes spend completing, in recordings with epilogs of 6 to 48 s."""
WITHOUT_AGE = ("prio",)
"""Recordings made without slurmdbd, in which the age factors of all jobs stayed 0."""


@dataclasses.dataclass(frozen=True)
class FreeReplay:
    """A recording, and a replay of its workload that is never reset to the recorded state."""

    recording: Recording
    starts: dict[int, int]

    @property
    def recorded_wait(self) -> float:
        """Mean recorded wait, in seconds, of the jobs that start in the replay."""
        jobs = self.recording.jobs
        return sum(jobs[n].start - jobs[n].job.submit for n in self.starts) / len(self.starts)

    @property
    def excess(self) -> float:
        """Relative difference of the replay's mean wait from the recorded one."""
        jobs = self.recording.jobs
        waits = (start - jobs[number].job.submit for number, start in self.starts.items())
        return sum(waits) / len(self.starts) / self.recorded_wait - 1

    @property
    def equal(self) -> int:
        """Number of jobs that start in the recorded second."""
        jobs = self.recording.jobs
        return sum(jobs[number].start == start for number, start in self.starts.items())


def free_replay(name: str, settling: float = SETTLING) -> FreeReplay:
    """Replay a recording from its submissions, run times and limits alone."""
    recording, replay = _prepared(name, settling)
    jobs = [_job_as_run(each) for each in recording.jobs.values()]
    return FreeReplay(recording, {n: start for n, (start, _) in replay.run(jobs).items()})


def replay_at_recorded_instants(
    name: str, settling: float = 0.5, fair_share: FairShare | None = None
) -> FreeReplay:
    """Replay with submissions, passes and cycles at their recorded instants.

    The replay keeps its own waiting and running jobs, so starts that differ are never corrected.
    With `fair_share`, priorities include fair-share factors computed from the replay's own usage.
    Priorities are then renewed at the recorded instants.
    """
    recording, replay = _prepared(name, settling)
    run = _run_with(replay, [_job_as_run(each) for each in recording.jobs.values()], fair_share)
    renewals = renewal_instants(recording.events) if fair_share else []
    for line in recording.events:
        instant, kind, *rest = line.split()
        if kind == "submit":
            run.push(float(instant), SUBMIT, int(rest[0]))
        elif kind == "cycle":
            run.push(float(instant), CYCLE)
        elif kind == "main":
            run.push(float(instant), INTERVAL if rest[0] == "full" else PASS)
        elif kind == "renew" and renewals:
            run.push(float(instant), RENEW, renewals.pop(0))
    while run.events:
        run.handle_next()
    return FreeReplay(recording, {n: start for n, (start, _) in run.starts.items()})


def _run_with(replay: Replay, jobs: list[Job], fair_share: FairShare | None) -> Run:
    return RenewedRun(replay, jobs, fair_share) if fair_share else Run(replay, jobs)


def by_preset(
    name: str, delays: Random | None = None, *, with_ages: bool = False, **rule: int
) -> FreeReplay:
    """Replay a recording under the preset, on the site that `slotwise site from-slurm` writes.

    `delays` draws a delay of up to 3 s for each submission; `rule` sets parameters of the preset.
    """
    case = Case.named(name)
    site = site_of(name)
    if name in WITHOUT_AGE and not with_ages:
        site = with_order(site, age=0)
    site = with_rule(site, **{"epilog_time": epilog_of(case.recording), **rule})
    result = sw.simulate(trace_of(name, whole_memory=True, delays=delays), site)
    starts = zip(result.trace.job_id.tolist(), result.start.tolist(), strict=True)
    return FreeReplay(case.recording, {number: start for number, start in starts if start >= 0})


def epilog_of(recording: Recording) -> int:
    """Return how long nodes remain completing after a job ends, in whole emulated seconds."""
    if recording.name in EPILOGS:
        return EPILOGS[recording.name]
    # The clock ran 60 times as fast as real time in recordings with events, and 180 times in most
    # recordings without.
    return 1 if recording.events else 2


def _prepared(name: str, settling: float) -> tuple[Recording, Replay]:
    case = Case.named(name)
    replay = Replay(case.machine, case.parameters, case.priority(), settling=settling)
    return case.recording, replay


def _job_as_run(each: Recorded) -> Job:
    return dataclasses.replace(each.job, run=each.end - each.start)


def main() -> None:
    options = argparse.ArgumentParser(description="Compare mean waits of replays and recordings.")
    options.add_argument("--preset", action="store_true", help="of the preset, not of the oracle")
    options.add_argument("name", nargs="+")
    given = options.parse_args()
    for name in given.name:
        sys.stdout.write((preset_line if given.preset else oracle_line)(name) + "\n")
        sys.stdout.flush()


def preset_line(name: str) -> str:
    """Return a line on how much the preset's mean waits differ from the recorded one."""
    replay = by_preset(name)
    late = [by_preset(name, Random(seed)).excess for seed in range(20)]
    at_once = by_preset(name, epilog_time=0)
    line = f"{name}: recorded {replay.recorded_wait:,.0f} s, preset {replay.excess:+.1%}"
    line += f", with late submissions {min(late):+.1%} to {max(late):+.1%}"
    return line + f", with nodes free at once {at_once.excess:+.1%}"


def oracle_line(name: str) -> str:
    """Return a line on how much the oracle's mean waits differ from the recorded one."""
    free = free_replay(name)
    line = f"{name}: recorded {free.recorded_wait:,.0f} s, free {free.excess:+.1%}"
    if free.recording.events:
        timed = replay_at_recorded_instants(name)
        line += f", at recorded instants {timed.excess:+.1%}"
        line += f" ({timed.equal} of {len(timed.starts)} jobs in the recorded second)"
    return line


if __name__ == "__main__":
    main()
