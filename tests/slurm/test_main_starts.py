"""The main scheduler starts jobs in priority order, at the instants given by rule 3."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from reference.slurm.rules import Rules
from slurm.case import Case
from slurm.holds import Holds
from slurm.passes import Passes, causes_and_passes
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
    # The nodes of a wide job may not be free until 35 s after it ends. batch_sched_delay is 3 s,
    # and a submission takes up to 4 s. All other starts are made by a periodic pass after an event.
    jobs = list(Recording(RECORDINGS / f"{name}.csv").jobs.values())
    for each in (each for each in jobs if each.by == "main"):
        since_end = [each.start - other.end for other in jobs if other.end <= each.start]
        since_submit = each.start - each.job.submit
        nearest = min([since_submit - 7, *(since - 35 for since in since_end)])
        assert nearest <= at_interval, each.job.number


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_passes_follow_ends_submissions_and_intervals(name: str) -> None:
    # The end of a job counts once its nodes are free. The lab's clock runs 60 times as fast as real
    # time, so 0.1 s of real time is 6 s here; in one recording, the database increases this to 9 s.
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


# For each recording: the numbers of passes without a logged cause, of late passes, and of early
# full passes. In `factors`, changes of site factors also cause passes.
UNEXPLAINED = {
    "complete_wait": (1, 1, 2),
    "count_reserve": (0, 0, 2),
    "exclusive": (3, 0, 0),
    "factors": (12, 4, 0),
    "fairshare": (0, 5, 0),
    "features": (0, 1, 0),
    "job_test": (1, 2, 0),
    "max_time": (3, 1, 1),
    "memory": (0, 1, 0),
    "node_order": (1, 0, 0),
    "part_limit": (2, 1, 0),
    "running_limit": (2, 1, 0),
    "test_depth": (0, 1, 0),
    "tres_gpus": (1, 1, 0),
}


def passes_without(name: str, **off: bool) -> tuple[int, int, int]:
    """Return the numbers of early, late and early full passes, with some rules switched off."""
    passes = Passes(Case.named(name), dataclasses.replace(Rules(), **off))
    return len(passes.early), len(passes.late), len(passes.early_full)


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_nearly_all_passes_run_when_the_rule_says(name: str) -> None:
    assert passes_without(name) == UNEXPLAINED.get(name, (0, 0, 0))
    assert Passes(Case.named(name)).count > 160


@pytest.mark.parametrize("name", WITH_EVENTS)
@pytest.mark.parametrize("rule", ["passes_at_ends", "passes_at_submissions"])
def test_passes_have_no_cause_without_the_rule(rule: str, name: str) -> None:
    early, _, _ = passes_without(name, **{rule: False})
    assert early >= 27 + UNEXPLAINED.get(name, (0, 0, 0))[0]


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_full_passes_are_early_if_the_interval_begins_with_any_pass(name: str) -> None:
    assert passes_without(name, interval_of_full_passes=False)[2] >= 45


@pytest.mark.parametrize(
    ("name", "faults"),
    [("complete_wait", (9, 4, 2)), ("memory", (0, 15, 0)), ("tiers", (0, 7, 0))],
)
def test_passes_are_early_or_late_if_ends_are_treated_otherwise(
    name: str, faults: tuple[int, int, int]
) -> None:
    # Only `complete_wait` has an Epilog, after which a pass runs at once.
    assert passes_without(name, passes_after_epilogs=False) == faults


@pytest.mark.parametrize("name", WITH_EVENTS)
@pytest.mark.parametrize("more", [-3, 3])
def test_passes_are_early_or_late_with_another_delay(name: str, more: int) -> None:
    case = Case.named(name)
    delay = case.parameters.batch_sched_delay + more
    changed = dataclasses.replace(case.parameters, batch_sched_delay=delay)
    passes = Passes(dataclasses.replace(case, parameters=changed))
    early, late, _ = UNEXPLAINED.get(name, (0, 0, 0))
    assert (len(passes.late) > late) if more < 0 else (len(passes.early) > early)


def test_a_pass_is_early_if_the_delay_begins_with_any_pass() -> None:
    # In `complete_wait`, a submission causes a pass 0.8 s after the pass that follows an Epilog.
    assert passes_without("complete_wait", delay_after_request=False) == (2, 1, 2)


def test_a_pass_follows_an_epilog_at_once() -> None:
    events = list(causes_and_passes(Case.named("complete_wait")))
    passes = [instant for instant, kind in events if kind not in ("submit", "free")]
    frees = [instant for instant, kind in events if kind == "free"]
    lags = sorted(min(each - free for each in passes if each >= free) for free in frees)
    assert len(lags) == 60
    assert lags[53] < 0.01


@pytest.mark.parametrize(
    ("rule", "faults"),
    [
        ("", {}),
        ("complete_wait", {"skipped": 41}),
        ("bounded_wait", {"ran": 44}),
        ("whole_last_second", {"skipped": 1, "late": 21}),
        ("skipped_passes", {"not_repeated": 13}),
        ("delayed_cycles", {"early": 35}),
    ],
)
def test_a_completing_job_holds_both_schedulers(rule: str, faults: dict[str, int]) -> None:
    # CompleteWait is 24 s, which Slurm compares in whole seconds; epilogs take up to 48 s.
    off = {rule: False} if rule else {}
    holds = Holds(Case.named("complete_wait"), dataclasses.replace(Rules(), **off))
    kinds = ("ran", "skipped", "early", "late", "not_repeated")
    assert {kind: len(getattr(holds, kind)) for kind in kinds if getattr(holds, kind)} == faults
    assert rule or holds.delayed == 35


@pytest.mark.parametrize("name", WITH_EVENTS)
def test_every_main_start_is_made_in_a_pass(name: str) -> None:
    lines = [line.split() for line in Recording(RECORDINGS / f"{name}.csv").events]
    for place, line in enumerate(lines):
        if line[1] == "start" and line[3] == "main":
            before = [each for each in lines[:place] if each[1] != "start"][-1]
            assert before[1] == "main"
