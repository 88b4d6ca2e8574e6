"""Free replays of recordings, from submissions, run times and limits alone."""

from __future__ import annotations

import dataclasses
import datetime

import pytest

import slotwise as sw
from bench_slurm import SUMS_OF_STARTS, recorded_site, recorded_trace
from reference.slurm.preset_replay import PresetReplay
from reference.slurm.replay_priorities import ReplayPriorities
from slurm.case import RECORDINGS, Case
from slurm.free_replays import (
    FreeReplay,
    by_preset,
    epilog_of,
    free_replay,
    replay_at_recorded_instants,
)
from slurm.recorded_site import standing_of

# Differences beyond 5 % of the preset's mean waits; docs/slurm.md gives the reasons.
BEYOND = {
    "case_limits": -1.0,  # the mean wait is 1 s: a start takes up to 2 s on the lab's clock
    "fairshare": -0.064,  # the oracle's replay with the preset's timing differs as much
    "tiers": 0.070,  # nodes complete for 0.75 s, the preset counts whole seconds
}


@pytest.mark.filterwarnings("ignore::slotwise.SiteWarning")  # some QOS have no jobs
@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDINGS.glob("*.conf")))
def test_the_mean_wait_under_the_preset_is_within_five_percent(name: str) -> None:
    # A start that is off by a second changes all later ones, so single starts are not compared.
    replay = by_preset(name)
    recorded = replay.recording.jobs.values()
    assert replay.starts.keys() == {each.job.number for each in recorded if each.start >= 0}
    if name in BEYOND:
        assert abs(replay.excess) > 0.05
        assert replay.excess == pytest.approx(BEYOND[name], abs=0.0005)
    else:
        assert abs(replay.excess) <= 0.05


@pytest.mark.parametrize("name", SUMS_OF_STARTS)
def test_the_starts_add_up_to_the_sum_that_the_benchmark_checks(name: str) -> None:
    site = recorded_site(name)
    trace = recorded_trace(name, tuple(queue.name for queue in site.queues))
    assert int(sw.simulate(trace, site).start.sum()) == SUMS_OF_STARTS[name]


def test_prio_waits_less_if_its_jobs_have_ages() -> None:
    # The slurm.conf has a weight of age, but without slurmdbd all ages stayed 0.
    with_ages = by_preset("prio", with_ages=True)
    assert with_ages.excess == pytest.approx(-0.114, abs=0.0005)


@pytest.mark.parametrize(
    ("name", "equal", "recorded"), [("reset", -0.450, -0.048), ("fairshare", 0.104, -0.064)]
)
def test_the_recorded_shares_explain_most_of_the_difference(
    name: str, equal: float, recorded: float
) -> None:
    # The oracle's replay has the preset's timing, with equal shares or with those of the recording.
    assert by_preset(name).excess == pytest.approx(recorded, abs=0.0005)
    assert by_preset_of_the_oracle(name, shares=False).excess == pytest.approx(equal, abs=0.0005)
    assert by_preset_of_the_oracle(name, shares=True).excess == pytest.approx(recorded, abs=0.0005)


def by_preset_of_the_oracle(name: str, *, shares: bool) -> FreeReplay:
    """Replay a recording with age and fair share under the oracle, with the preset's timing."""
    case, standing = Case.named(name), standing_of(name)
    recording = case.recording
    jobs = [
        dataclasses.replace(
            each.job, run=each.end - each.start, account=standing.account_of[each.job.user]
        )
        for each in recording.jobs.values()
    ]
    jobs.sort(key=lambda job: (job.submit, job.number))
    assert case.parameters.multifactor is not None
    priorities = ReplayPriorities(
        case.machine,
        case.parameters.multifactor,
        standing,
        jobs,
        datetime.datetime(2026, 1, 1),
        case.shares if shares else None,
    )
    epilog = epilog_of(recording)
    replay = PresetReplay(case.machine, case.parameters, jobs, epilog, priorities)
    return FreeReplay(recording, {number: start for number, (start, _) in replay.run().items()})


@pytest.mark.parametrize(
    "name",
    [
        "test_depth",
        "features",
        "exclusive",
        "memory",
        "user_limit",
        "tiers",
        "prio",
        pytest.param("fifo_fast", marks=pytest.mark.slow),
    ],
)
def test_the_mean_wait_under_the_oracle_is_within_five_percent(name: str) -> None:
    free = free_replay(name)
    assert len(free.starts) == len(free.recording.jobs)
    assert abs(free.excess) <= 0.05


def test_at_the_recorded_instants_all_starts_but_one_are_those_recorded() -> None:
    # Jobs in the free replay of `tiers` wait 5 % more than recorded only because the replay lacks
    # the recorded instants.
    timed = replay_at_recorded_instants("tiers")
    assert (timed.equal, len(timed.starts)) == (129, 130)
    assert abs(timed.excess) < 0.001
