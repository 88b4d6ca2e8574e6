"""Requested times: round, popular values, above the run time except for jobs that are killed."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.random import PCG64

from slotwise.generators import lublin
from slotwise.generators.estimates import ROUND_VALUES, Requests, longest_limit, request

if TYPE_CHECKING:
    from numpy.typing import NDArray

HOUR = 3600


def ask(
    run_time: NDArray[np.int64], killed: float = 0.0, users: int = 100, session: int = 1
) -> Requests:
    n = len(run_time)
    user = (np.arange(n) // session % users + 1).astype(np.int32)
    opens = (np.arange(n) % session == 0).astype(np.uint8)
    return request(PCG64(1), run_time, user, opens, users, killed)


def test_twenty_values_cover_about_nine_jobs_in_ten() -> None:
    # Tsafrir, Etsion and Feitelson: in their logs, 20 values cover about 90 % of the jobs.
    trace = lublin(50_000, seed=1)
    most = Counter(trace.requested_time.tolist()).most_common(20)
    assert 0.85 < sum(jobs for _, jobs in most) / len(trace) < 0.97


def test_the_limit_is_among_the_most_popular_values() -> None:
    trace = lublin(50_000, seed=1)
    popular = [value for value, _ in Counter(trace.requested_time.tolist()).most_common(3)]
    assert 48 * HOUR in popular
    assert (trace.requested_time <= 48 * HOUR).all()


@pytest.mark.parametrize("killed", [0.0, 0.1, 0.5])
def test_the_given_share_of_jobs_cannot_end_within_its_request(killed: float) -> None:
    n = 50_000
    run_time = np.random.default_rng(2).integers(61, 40 * HOUR, n)
    requests = ask(run_time, killed)
    share = (requests.requested_time < run_time).mean()
    assert share == pytest.approx(killed, abs=4 * math.sqrt(0.25 / n))


def test_a_request_that_is_too_short_is_the_round_value_below_the_run_time() -> None:
    requests = ask(np.array([61, 300, 301, 3 * HOUR, 47 * HOUR, 60, 1], np.int64), killed=1.0)
    assert requests.requested_time[:5].tolist() == [60, 60, 300, 2 * HOUR, 36 * HOUR]
    assert (requests.requested_time[5:] >= 60).all()  # no request is below a minute


def test_a_session_repeats_its_request_if_it_is_long_enough() -> None:
    run_time = np.tile(np.array([100, 50, 90, 100], np.int64), 5000)
    requested = ask(run_time, session=4).requested_time.reshape(-1, 4)
    assert (requested == requested[:, :1]).all()
    run_time = np.tile(np.array([100, 20 * HOUR], np.int64), 5000)
    requested = ask(run_time, session=2).requested_time.reshape(-1, 2)
    assert (requested[:, 1] >= 20 * HOUR).all()
    kept = requested[:, 0] >= 20 * HOUR
    assert (requested[kept, 0] == requested[kept, 1]).all()


def test_users_have_habits() -> None:
    # Two in five requests below the limit are the user's favourite value, far more than the 9 %
    # that a popular value has among all users.
    requested = ask(np.full(60_000, 30, np.int64), users=60).requested_time.reshape(-1, 60)
    share = [Counter(u.tolist()).most_common(1)[0][1] / len(u) for u in requested.T]
    assert min(share) > 0.2


def test_odd_requests_are_multiples_of_a_minute_within_three_run_times() -> None:
    run_time = np.random.default_rng(3).integers(1, 48 * HOUR, 50_000)
    requests = ask(run_time)
    requested = requests.requested_time
    assert (requested % 60 == 0).all()
    odd = ~np.isin(requested, list(ROUND_VALUES))
    # One in ten of the requests below the limit is a random multiple of a minute, and some of these
    # happen to be round values. 0.2 · 0.8 + 0.8 · 0.08 = 22 % of all requests equal the limit.
    assert 0.03 < odd.mean() < 0.08
    assert (requested[odd] <= 3 * run_time[odd] + HOUR).all()


@pytest.mark.parametrize(
    ("longest", "limit"), [(1, 48), (48 * HOUR, 48), (48 * HOUR + 1, 72), (100 * HOUR, 120)]
)
def test_the_limit_is_two_days_or_the_whole_days_of_the_longest_job(
    longest: int, limit: int
) -> None:
    assert longest_limit(longest) == limit * HOUR
    requests = ask(np.array([longest], np.int64))
    assert requests.limits[-1] == limit * HOUR
    assert longest <= requests.requested_time[0] <= limit * HOUR


def test_the_queue_is_the_shortest_that_accepts_the_request() -> None:
    requests = Requests(np.array([60, 3600, 3601, 43_200, 43_201]), (3600, 43_200, 172_800))
    assert requests.queues().tolist() == [1, 1, 2, 2, 3]
