"""Starts by the main scheduler, which are in order and at the instants of rule 3."""

from __future__ import annotations

from itertools import pairwise
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
    lines = [line.split() for line in Recording(RECORDINGS / f"{name}.csv").events]
    first = next(place for place, line in enumerate(lines) if line[1] == "submit")
    events = [float(line[0]) for line in lines if line[1] in ("submit", "free")]
    passes = [(float(line[0]), line[2]) for line in lines[first:] if line[1] == "main"]
    # The log reports free nodes up to 2 s late.
    late = [
        instant
        for instant, kind in passes
        if kind == "depth" and not any(-10 <= event - instant <= 2 for event in events)
    ]
    assert late == []
    full = [instant for instant, kind in passes if kind == "full"]
    gaps = [after - before for before, after in pairwise(full)]
    assert min(gaps) >= 58.9
    assert max(gaps) <= 66


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_every_main_start_is_made_in_a_pass(name: str) -> None:
    lines = [line.split() for line in Recording(RECORDINGS / f"{name}.csv").events]
    for place, line in enumerate(lines):
        if line[1] == "start" and line[3] == "main":
            before = [each for each in lines[:place] if each[1] != "start"][-1]
            assert before[1] == "main"
