"""Checkpoints: how long an attempt takes, and how much work survives an interruption."""

from __future__ import annotations

import pytest

from slotwise import _core


def make_rule(**values: object) -> _core.Interruption:
    rule = _core.Interruption()
    rule.requeue = _core.Requeue.from_checkpoint
    for name, value in values.items():
        setattr(rule, name, value)
    return rule


def run_by_seconds(work: int, every: int, cost: int) -> list[int]:
    """Step through an attempt second by second, and return the work saved after each second."""
    saved_at = [0]
    saved = done = paying = 0
    while done < work:
        if paying:
            paying -= 1
            if paying == 0:
                saved = done
        else:
            done += 1
            if done % every == 0 and done < work:
                paying = cost
                if cost == 0:
                    saved = done
        saved_at.append(saved)
    return saved_at


@pytest.mark.parametrize("every", [1, 2, 5, 10, 40])
@pytest.mark.parametrize("cost", [0, 1, 3])
@pytest.mark.parametrize("work", [1, 2, 9, 10, 11, 20, 25, 31])
def test_periodic_checkpoints_are_those_of_a_walk_by_seconds(
    work: int, every: int, cost: int
) -> None:
    rule = make_rule(checkpoint_every=every, checkpoint_cost=cost)
    saved_at = run_by_seconds(work, every, cost)
    length = _core.length_of_attempt(0, work, rule)
    assert length == len(saved_at) - 1
    assert [_core.saved_after(0, work, x, rule) for x in range(length)] == saved_at[:length]


def test_the_example_of_the_header() -> None:
    # 25 s of work with a checkpoint of 2 s after every 10 s takes 25 + floor(24 / 10) · 2 = 29 s.
    rule = make_rule(checkpoint_every=10, checkpoint_cost=2)
    assert _core.length_of_attempt(0, 25, rule) == 29
    assert _core.saved_after(0, 25, 11, rule) == 0
    assert _core.saved_after(0, 25, 12, rule) == 10
    assert _core.length_of_attempt(10, 15, rule) == 17


def test_a_job_without_work_runs_nothing() -> None:
    assert _core.length_of_attempt(0, 0, make_rule(checkpoint_every=5, checkpoint_cost=3)) == 0


def test_the_one_checkpoint_counts_the_work_of_all_attempts() -> None:
    # One checkpoint after 40 of 100 s takes 5 s: the first attempt runs for 105 s, and 40 s of work
    # is saved from 45 s onwards.
    rule = make_rule(checkpoint_at=40, checkpoint_cost=5)
    assert _core.length_of_attempt(0, 100, rule) == 105
    assert [_core.saved_after(0, 100, x, rule) for x in (0, 44, 45, 104)] == [0, 0, 40, 40]
    # The second attempt starts after the checkpoint: it runs for 60 s and saves nothing more.
    assert _core.length_of_attempt(40, 60, rule) == 60
    assert _core.saved_after(40, 60, 59, rule) == 0


@pytest.mark.parametrize("work", [1, 39, 40])
def test_a_job_that_ends_by_the_checkpoint_writes_none(work: int) -> None:
    rule = make_rule(checkpoint_at=40, checkpoint_cost=5)
    assert _core.length_of_attempt(0, work, rule) == work
    assert _core.saved_after(0, work, work - 1, rule) == 0


def test_nothing_is_saved_for_jobs_that_start_afresh() -> None:
    rule = make_rule()
    rule.requeue = _core.Requeue.from_start
    assert _core.length_of_attempt(0, 100, rule) == 100
    assert _core.saved_after(0, 100, 99, rule) == 0
