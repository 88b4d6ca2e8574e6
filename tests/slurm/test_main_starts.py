"""Starts by the main scheduler, which are in order and at the instants of rule 3."""

from __future__ import annotations

from pathlib import Path

import pytest

from slurm.case import Case
from slurm.recording import Recorded, Recording

RECORDINGS = Path(__file__).parent / "recordings"
WITH_EVENTS = sorted(path.name.split(".")[0] for path in RECORDINGS.glob("*.events.gz"))


@pytest.mark.parametrize(("name", "main"), [("fifo_fast", 58), ("prio", 92)])
def test_no_main_start_passes_a_job_of_its_partition(name: str, main: int) -> None:
    case = Case.named(name)
    priority = case.priority()
    jobs = list(case.recording.jobs.values())

    def rank(each: Recorded) -> tuple[float, int, int]:
        return -priority(each.job, each.start), each.job.submit, each.job.number

    started = [each for each in jobs if each.by == "main"]
    passed = [
        (each.job.number, other.job.number)
        for each in started
        for other in jobs
        # A submission takes up to four emulated seconds to arrive.
        if other.job.submit < each.start - 4 and other.start > each.start + 1
        if other.job.partition == each.job.partition and rank(other) < rank(each)
    ]
    assert len(started) == main
    assert passed == []


@pytest.mark.parametrize(("name", "at_interval"), [("fifo_fast", 5), ("prio", 60)])
def test_each_main_start_follows_an_end_or_a_submission_or_an_interval(
    name: str, at_interval: int
) -> None:
    # Nodes of wide jobs may not be free until 35 s after the end. batch_sched_delay is 3 s, and a
    # submission takes up to 4 s. All other starts are made by a periodic pass after an event.
    jobs = list(Recording(RECORDINGS / f"{name}.csv").jobs.values())
    for each in (each for each in jobs if each.by == "main"):
        since_end = [each.start - other.end for other in jobs if other.end <= each.start]
        since_submit = each.start - each.job.submit
        nearest = min([since_submit - 7, *(since - 35 for since in since_end)])
        assert nearest <= at_interval, each.job.number


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_passes_follow_ends_submissions_and_intervals(name: str) -> None:
    # An end counts once its nodes are free. The lab's clock runs 60 times as fast as real time, so
    # 0.1 s of real time is 6 s here; in one recording, the database increases this to 9 s.
    given = Case.named(name).parameters
    interval = given.sched_interval
    reach = 10 + (given.batch_sched_delay if given.defer else 0)
    lines = [line.split() for line in Recording(RECORDINGS / f"{name}.csv").events]
    first = next(place for place, line in enumerate(lines) if line[1] == "submit")
    events = [float(line[0]) for line in lines if line[1] in ("submit", "free")]
    passes = [line for line in lines[first:] if line[1] in ("main", "held")]
    # The log reports free nodes up to 2 s late.
    instants = [float(line[0]) for line in passes if line[-1] == "depth"]
    late = [each for each in instants if not any(-reach <= event - each <= 2 for event in events)]
    assert late == []
    # The instants at which the last full pass may have run, and the seconds by which it was late. A
    # late pass does not delay the next one. The log does not show whether a skipped pass was full.
    last: list[tuple[float, float]] = []
    for line in passes:
        instant = float(line[0])
        # Slurm compares whole seconds.
        gaps = [instant - each for each, late in last if instant - each + late >= interval - 1.1]
        gaps = [gap for gap in gaps if gap <= interval + 6]
        if line[-1] == "full":
            assert gaps or not last
            last = [(instant, max(0.0, *(gap - interval for gap in gaps), 0.0))]
        elif line[1] == "held" and gaps:
            last.append((instant, max(0.0, *(gap - interval for gap in gaps))))


def test_under_defer_an_end_requests_a_pass_as_a_submission_does() -> None:
    # defer: batch_sched_delay is 20 s. Slurm looks for a request every second.
    lines = [line.split() for line in Recording(RECORDINGS / "defer.csv").events]
    first = next(place for place, line in enumerate(lines) if line[1] == "submit")
    previous = requested = None
    waits = []
    for line in lines[first:]:
        instant = float(line[0])
        if line[1] in ("submit", "free") and requested is None:
            requested = instant
        elif line[1] == "main":
            if line[2] == "depth" and previous is not None:
                assert requested is not None
                waits.append(instant - max(requested, previous + 20))
            previous, requested = instant, None
    assert len(waits) == 105
    assert min(waits) >= -1  # the delay is compared in whole seconds
    assert max(waits) <= 2.5


def test_a_completing_job_holds_both_schedulers() -> None:
    # CompleteWait is 24 s, which Slurm compares in whole seconds; epilogs take up to 48 s.
    recording = Recording(RECORDINGS / "complete_wait.csv")
    completing: dict[int, int] = {}  # nodes by job
    ends: dict[int, int] = {}
    held, latest, lags = 0, [], []
    stopped = free_from = 0.0  # ends of the last cycle and of the last hold
    for instant, kind, *fields in (line.split() for line in recording.events):
        since = [int(float(instant)) - ends[job] for job in completing]
        if kind == "end":
            job = int(fields[0])
            completing[job], ends[job] = recording.jobs[job].nodes, int(float(instant))
        elif kind == "free":
            node = 1 << int(fields[0]) - 1
            completing = {j: nodes & ~node for j, nodes in completing.items()}
            for job in [each for each, nodes in completing.items() if not nodes]:
                del completing[job]
                free_from = max(free_from, min(float(instant), ends[job] + 25))
        elif kind == "held":
            held += 1
            assert min(since) <= 24
        elif kind == "stop":
            stopped = float(instant)
        elif kind in ("main", "cycle") and since:
            latest.append(min(since))
        if kind == "cycle":
            free_from = max([free_from, *(ends[job] + 25 for job in completing)])
            if free_from > stopped + 30:
                lags.append(float(instant) - free_from)
    assert held == 41
    assert len(latest) == 44
    assert min(latest) == 25
    assert len(lags) == 35
    assert 0 <= min(lags) <= max(lags) <= 1.1  # Slurm checks every second


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_every_main_start_is_made_in_a_pass(name: str) -> None:
    lines = [line.split() for line in Recording(RECORDINGS / f"{name}.csv").events]
    for place, line in enumerate(lines):
        if line[1] == "start" and line[3] == "main":
            before = [each for each in lines[:place] if each[1] != "start"][-1]
            assert before[1] == "main"
