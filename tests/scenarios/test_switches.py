"""Switches that select the behaviour of published simulators, on cases with 10 processors.

Rows are (submit, run_time, requested_time, processors).
"""

from __future__ import annotations

from collections.abc import Callable

Starts = Callable[..., list[int]]


def test_strict_end_refuses_a_job_that_ends_at_the_shadow_time(starts: Starts) -> None:
    # The shadow time is 10. The third job would end at 2 + 8 = 10, and the fourth at 3 + 6 = 9.
    rows = [(0, 10, 10, 6), (1, 5, 5, 10), (2, 8, 8, 2), (3, 6, 6, 2)]
    assert starts(*rows) == [0, 10, 2, 3]
    assert starts(*rows, strict_end=True) == [0, 10, 15, 3]


def test_without_the_spare_rule_a_job_must_end_by_the_shadow_time(starts: Starts) -> None:
    # Two processors are extra, as many as the third job needs. It would end at 22, after the shadow
    # time of 10. If extra processors are not used, it starts beside the second job at 10.
    rows = [(0, 10, 10, 6), (1, 10, 10, 8), (2, 20, 20, 2)]
    assert starts(*rows) == [0, 10, 2]
    assert starts(*rows, spare_processors=False) == [0, 10, 10]


def test_a_frozen_reservation_ignores_early_ends(starts: Starts) -> None:
    # When the third job becomes the head, 6 processors are estimated to become free at 10, and 2
    # more at 20, so its shadow time is 20. The job on 2 processors already ends at 3, so the true
    # shadow time is 10. The fourth job would end at 4 + 10 = 14, after 10 but before the frozen
    # shadow time of 20.
    rows = [(0, 10, 10, 6), (0, 3, 20, 2), (1, 5, 5, 10), (4, 10, 10, 2)]
    assert starts(*rows) == [0, 0, 10, 15]
    assert starts(*rows, frozen_reservation=True) == [0, 0, 14, 4]


def test_a_frozen_deadline_is_forgotten_with_its_head(starts: Starts) -> None:
    # The second job starts at 10, as reserved. The third job then gets a reservation at 20. The
    # fourth job (9 s) starts at 11 and ends by then.
    rows = [(0, 10, 10, 6), (1, 10, 10, 6), (2, 10, 10, 10), (11, 9, 9, 4)]
    assert starts(*rows, frozen_reservation=True) == [0, 10, 20, 11]


def test_estimates_of_waiting_jobs_may_differ(starts: Starts) -> None:
    # The shadow time is 10. By its request, the third job would end at 52; in fact, it ends at 4.
    rows = [(0, 10, 10, 6), (1, 5, 5, 10), (2, 2, 50, 4)]
    assert starts(*rows) == [0, 10, 15]
    assert starts(*rows, waiting_estimates="exact") == [0, 10, 2]


def test_estimates_of_waiting_jobs_do_not_affect_running_ones(starts: Starts) -> None:
    # The first job is estimated to end at 20, although it ends at 10. The third (2 + 18 = 20)
    # overtakes the second and delays it to 20.
    rows = [(0, 10, 20, 6), (1, 5, 5, 10), (2, 18, 18, 4)]
    assert starts(*rows, waiting_estimates="exact") == [0, 20, 2]
    assert starts(*rows, estimates="exact") == [0, 10, 15]


def test_compression_at_every_end_moves_promises_that_an_early_end_did_not(starts: Starts) -> None:
    # Shortest job first. The second and third jobs are promised starts at 10 and 20. At 6, the
    # first ends early. The third is tried first, but [6, 10) is too short for its 5 s. Then the
    # second moves to 6. The second ends at 16, as estimated, so only `every-end` compresses at 16
    # and moves the third from 20 to 16.
    rows = [(0, 6, 10, 10), (1, 10, 10, 10), (2, 5, 5, 10)]
    conservative = {"order": "sjf", "backfill": "conservative"}
    assert starts(*rows, **conservative) == [0, 6, 20]
    assert starts(*rows, **conservative, compression="every-end") == [0, 6, 16]


def test_a_promise_on_arrival_comes_before_the_completions_of_the_instant(starts: Starts) -> None:
    # Shortest job first. The second job is promised a start at 10. At 5, the third arrives and the
    # first ends early. With promises made in passes, the second moves to 5 (until 15), and the
    # third is promised a start at 15. With promises made on arrival, the third is promised a start
    # at 20. Compression then tries it first and moves it to 5 (until 10); the second stays at 10.
    rows = [(0, 5, 10, 10), (1, 10, 10, 6), (5, 5, 5, 10)]
    policy = {"order": "sjf", "backfill": "conservative", "event_order": "arrivals-first"}
    assert starts(*rows, **policy) == [0, 5, 15]
    assert starts(*rows, **policy, promises="per-arrival") == [0, 10, 5]


def test_with_a_pass_after_each_event_the_order_of_events_matters(starts: Starts) -> None:
    # Shortest job first. At 5, the first job ends and the third (1 s) arrives. If the end is
    # handled first, the second starts before the third is known.
    rows = [(0, 5, 5, 10), (1, 5, 5, 10), (5, 1, 1, 10)]
    assert starts(*rows, order="sjf", passes="per-event") == [0, 5, 10]
    assert starts(*rows, order="sjf", passes="per-event", event_order="arrivals-first") == [0, 6, 5]


def test_a_job_ending_now_may_count_as_gone(starts: Starts) -> None:
    # Shortest job first; arrivals come before the completion of the first job at 5. If the
    # processors of the first job count as busy at 5, both other jobs have arrived when it ends, and
    # the third (1 s) goes first. If they count as free, the second job starts when it arrives.
    rows = [(0, 5, 5, 10), (5, 5, 5, 10), (5, 1, 1, 10)]
    policy = {"order": "sjf", "passes": "per-event", "event_order": "arrivals-first"}
    assert starts(*rows, **policy) == [0, 6, 5]
    assert starts(*rows, **policy, ending_now="free") == [0, 5, 10]


def test_a_job_that_ends_before_its_estimate_never_counts_as_gone(starts: Starts) -> None:
    # The first job was estimated to end at 6, so its processors count as busy when it ends at 5.
    rows = [(0, 5, 6, 10), (5, 5, 5, 10), (5, 1, 1, 10)]
    policy = {"order": "sjf", "passes": "per-event", "event_order": "arrivals-first"}
    assert starts(*rows, **policy, ending_now="free") == [0, 6, 5]


def test_completions_of_one_instant_come_in_the_order_their_jobs_started(starts: Starts) -> None:
    # Shortest job first: at 1 the third job (6 processors) starts before the second (4). Both end
    # at 9, the third first. Its 6 processors are enough for the fifth (5), but not for the fourth
    # (8), which waits until 59. In the opposite order, the first 4 processors would be enough for
    # neither, and the fourth would start on all 10.
    rows = [(0, 1, 1, 10), (0, 8, 20, 4), (0, 8, 8, 6), (2, 5, 5, 8), (2, 50, 50, 5)]
    policy = {"order": "sjf", "backfill": "first-fit", "passes": "per-event"}
    assert starts(*rows, **policy) == [0, 1, 1, 59, 9]
