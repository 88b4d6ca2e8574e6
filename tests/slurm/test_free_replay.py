"""Free replays of recordings, from submissions, run times and limits alone."""

from __future__ import annotations

import pytest

from slurm.free_replays import free_replay, replay_at_recorded_instants


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
def test_the_mean_wait_is_within_five_percent(name: str) -> None:
    # A start that is off by a second changes all later ones, so single starts are not compared.
    free = free_replay(name)
    assert len(free.starts) == len(free.recording.jobs)
    assert abs(free.excess) <= 0.05


def test_at_the_recorded_instants_all_starts_but_one_are_those_recorded() -> None:
    # Jobs in the free replay of `tiers` wait 5 % more than recorded only because the replay lacks
    # the recorded instants.
    timed = replay_at_recorded_instants("tiers")
    assert (timed.equal, len(timed.starts)) == (129, 130)
    assert abs(timed.excess) < 0.001
