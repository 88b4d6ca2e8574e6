"""Free replays of recordings, and replays at the recorded instants of the schedulers.

``python tests/slurm/free_replays.py NAME ...`` prints the mean wait of each recording, and how
much the mean waits of the replays differ from it.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reference.slurm.replay import CYCLE, INTERVAL, PASS, SUBMIT, Replay, Run
from slurm.case import Case

if TYPE_CHECKING:
    from reference.slurm.job import Job
    from slurm.recording import Recorded, Recording

SETTLING = 0.75
"""Seconds from a job's end until its nodes are free: about 10 ms of real time, because the lab's
clock runs 60 times as fast."""


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


def replay_at_recorded_instants(name: str, settling: float = 0.5) -> FreeReplay:
    """Replay with submissions, passes and cycles at their recorded instants.

    The replay keeps its own waiting and running jobs, so starts that differ are never corrected.
    """
    recording, replay = _prepared(name, settling)
    run = Run(replay, [_job_as_run(each) for each in recording.jobs.values()])
    for line in recording.events:
        instant, kind, *rest = line.split()
        if kind == "submit":
            run.push(float(instant), SUBMIT, int(rest[0]))
        elif kind == "cycle":
            run.push(float(instant), CYCLE)
        elif kind == "main":
            run.push(float(instant), INTERVAL if rest[0] == "full" else PASS)
    while run.events:
        run.handle_next()
    return FreeReplay(recording, {n: start for n, (start, _) in run.starts.items()})


def _prepared(name: str, settling: float) -> tuple[Recording, Replay]:
    case = Case.named(name)
    replay = Replay(case.machine, case.parameters, case.priority(), settling=settling)
    return case.recording, replay


def _job_as_run(each: Recorded) -> Job:
    return dataclasses.replace(each.job, run=each.end - each.start)


def main(names: list[str]) -> None:
    """Print one line per recording."""
    for name in names:
        free = free_replay(name)
        line = f"{name}: recorded {free.recorded_wait:,.0f} s, free {free.excess:+.1%}"
        if free.recording.events:
            timed = replay_at_recorded_instants(name)
            line += f", at recorded instants {timed.excess:+.1%}"
            line += f" ({timed.equal} of {len(timed.starts)} jobs in the recorded second)"
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
