"""Backfilling, by example, on 10 processors.

Rows are (submit, run_time, requested_time, processors).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

Starts = Callable[..., list[int]]


def test_without_backfilling_no_job_passes_one_that_does_not_fit(starts: Starts) -> None:
    # The second job (6 processors) waits until the first (6) ends at 10. The third (4) would fit
    # at 2, but comes after the second.
    rows = [(0, 10, 10, 6), (1, 10, 10, 6), (2, 2, 2, 4)]
    assert starts(*rows, backfill="none") == [0, 10, 10]


def test_first_fit_starts_whatever_fits_and_so_delays_a_wide_job(starts: Starts) -> None:
    # 4 processors are free at 2. The third job takes them until 22; only then are all 10 free for
    # the second job.
    rows = [(0, 10, 10, 6), (1, 10, 10, 10), (2, 20, 20, 4)]
    assert starts(*rows, backfill="first-fit") == [0, 22, 2]


def test_easy_does_not_delay_the_first_blocked_job(starts: Starts) -> None:
    # The shadow time is 10, and the reservation leaves 10 - 10 = 0 extra processors. The third job
    # would end at 22, so it waits until the second ends at 20.
    rows = [(0, 10, 10, 6), (1, 10, 10, 10), (2, 20, 20, 4)]
    assert starts(*rows) == [0, 10, 20]


def test_easy_lets_a_job_pass_that_ends_by_the_shadow_time(starts: Starts) -> None:
    # The third job ends at 2 + 8 = 10, when the reservation of the second begins.
    rows = [(0, 10, 10, 6), (1, 5, 5, 10), (2, 8, 8, 4)]
    assert starts(*rows) == [0, 10, 2]


def test_easy_hands_out_processors_the_reserved_job_leaves_over_only_once(starts: Starts) -> None:
    # The shadow time is 10, and the reservation leaves 10 - 8 = 2 extra processors. The third job
    # takes both until 22. None are left for the fourth, which waits until the second ends at 20.
    rows = [(0, 10, 10, 6), (1, 10, 10, 8), (2, 20, 20, 2), (3, 20, 20, 1)]
    assert starts(*rows) == [0, 10, 2, 20]


def test_spare_processors_shrink_within_one_pass_too(starts: Starts) -> None:
    # Two candidates are submitted together, but there are only 2 extra processors, and the first
    # candidate takes both.
    rows = [(0, 10, 10, 6), (1, 10, 10, 8), (2, 20, 20, 2), (2, 20, 20, 1)]
    assert starts(*rows) == [0, 10, 2, 20]


# The first blocked job needs 8 processors from 10 to 20, and the second 9 from 20 to 30. The fourth
# job needs 2 for 25 s.
SECOND_BLOCKED = [(0, 10, 10, 6), (1, 10, 10, 8), (2, 10, 10, 9), (3, 25, 25, 2)]


def test_easy_protects_only_the_first_blocked_job(starts: Starts) -> None:
    # The reservation of 8 processors leaves 2. So the fourth job runs from 3 to 28, and the third
    # waits for it.
    assert starts(*SECOND_BLOCKED) == [0, 10, 28, 3]


@pytest.mark.parametrize(
    "policy",
    [{"backfill": "depth", "depth": 2}, {"backfill": "replan"}, {"backfill": "conservative"}],
    ids=str,
)
def test_more_reservations_protect_the_second_blocked_job(
    starts: Starts, policy: dict[str, object]
) -> None:
    # The second reservation leaves only 1 processor from 20 to 30, so the fourth job starts at 30.
    assert starts(*SECOND_BLOCKED, **policy) == [0, 10, 20, 30]


def test_depth_counts_reservations_and_replan_has_no_end_of_them(starts: Starts) -> None:
    # The blocked jobs need 8 processors at 10, 9 at 20, and 10 from 30 to 40. The last job needs 1
    # processor for 30 s, from 4 to 34, and delays only the third blocked job.
    rows = [(0, 10, 10, 6), (1, 10, 10, 8), (2, 10, 10, 9), (3, 10, 10, 10), (4, 30, 30, 1)]
    assert starts(*rows, backfill="depth", depth=2) == [0, 10, 20, 34, 4]
    assert starts(*rows, backfill="depth", depth=3) == [0, 10, 20, 30, 40]
    assert starts(*rows, backfill="replan") == [0, 10, 20, 30, 40]


def test_conservative_keeps_promises_that_replanning_breaks(starts: Starts) -> None:
    # Shortest job first. The second job is promised a start at 10. The third is shorter but arrived
    # later, so its promise is for 20.
    rows = [(0, 10, 10, 10), (1, 10, 10, 10), (2, 5, 5, 10)]
    assert starts(*rows, order="sjf", backfill="conservative") == [0, 10, 20]
    assert starts(*rows, order="sjf", backfill="replan") == [0, 15, 10]


def test_conservative_moves_promises_forward_when_a_job_ends_early(starts: Starts) -> None:
    # The second and third jobs are promised starts at 10 and 20. The first ends at 6: the second
    # moves to 6, then the third to 16.
    rows = [(0, 6, 10, 10), (1, 10, 10, 10), (2, 5, 5, 10)]
    assert starts(*rows, backfill="conservative") == [0, 6, 16]


def test_conservative_replaces_a_promise_that_an_overrunning_job_breaks(starts: Starts) -> None:
    # The second job is promised a start at 10. At 10, the first still runs and is estimated to end
    # at 11, so the promise moves to 11; and so on until 13.
    rows = [(0, 13, 10, 10), (1, 5, 5, 10)]
    assert starts(*rows, backfill="conservative", kill_at_limit=False) == [0, 13]


def test_a_relaxed_reservation_may_slip_by_a_share_of_its_wait(starts: Starts) -> None:
    # The first shadow time of the second job is 10, eight seconds after its submit time. Half of
    # these eight seconds is added, which gives a deadline of 14. The third job (3 + 11 = 14) may
    # overtake it, but the fourth (4 + 11 = 15) may not.
    rows = [(0, 10, 10, 6), (2, 10, 10, 10), (3, 11, 11, 2), (4, 11, 11, 2)]
    assert starts(*rows, backfill="relaxed", relaxation=0.5) == [0, 14, 3, 24]
    assert starts(*rows, backfill="relaxed", relaxation=0.0) == [0, 10, 20, 20]


def test_a_relaxed_reservation_slips_once_only(starts: Starts) -> None:
    # The third job runs from 3 to 14. The shadow time is then 14, and the deadline is still 14: at
    # 5, a job of 9 s may start, and one of 10 s may not.
    rows = [(0, 10, 10, 6), (2, 10, 10, 10), (3, 11, 11, 2)]
    assert starts(*rows, (5, 9, 9, 2), backfill="relaxed") == [0, 14, 3, 5]
    assert starts(*rows, (5, 10, 10, 2), backfill="relaxed") == [0, 14, 3, 24]


def test_candidates_may_have_an_order_of_their_own(starts: Starts) -> None:
    # 4 processors are free until 10. If candidates are tried in order of arrival, the third job
    # takes them from 2 to 10. If the shortest is tried first, the fourth takes them from 2 to 5,
    # and the third waits because 5 + 8 > 10.
    rows = [(0, 10, 10, 6), (1, 10, 10, 10), (2, 8, 8, 4), (2, 3, 3, 4)]
    assert starts(*rows) == [0, 10, 2, 20]
    assert starts(*rows, backfill_order="sjf") == [0, 10, 20, 2]


def test_the_estimate_of_a_waiting_job_counts_only_in_the_pass_that_starts_it(
    starts: Starts,
) -> None:
    # The machine has 16 processors, and passes run every 7 s. 2 processors are busy until 15, and 7
    # until 16. The sixth job (8 processors, length 0) has its reservation at 15, when 9 are free,
    # so 1 is extra. At 7, the seventh is still waiting and estimated to run 9 s, until 16, so it
    # takes the extra processor. At 14, it is running and known to end at 15, so 1 is extra again,
    # and the eighth starts.
    rows = [(0, 15, 15, 2), *[(0, 16, 16, 2)] * 3, (0, 16, 16, 1)]
    rows += [(0, 0, 0, 8), (1, 8, 9, 1), (1, 0, 9, 1)]
    policy = {"backfill": "depth", "depth": 3, "passes": "7s"}
    beliefs = {"estimates": "exact", "waiting_estimates": "requested"}
    assert starts(*rows, processors=16, **policy, **beliefs)[6:] == [7, 14]
