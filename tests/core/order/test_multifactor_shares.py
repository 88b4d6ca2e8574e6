"""Shares of accounts and users in the classic fair share; the comments derive the factors."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw


def result(trace: sw.Trace, **shares: Any) -> sw.Result:
    order = {"name": "multifactor", "fairshare": 1024, "half_life": 0, **shares}
    return sw.simulate(trace, sw.Site(1, sw.Policy.preset("slurm", version="25.11", order=order)))


def with_a_waiting_job(**owners: Any) -> sw.Trace:
    """Return three jobs; the first runs until 900, and the others wait for its processor."""
    return sw.Trace.from_columns([0, 1, 1], [900, 60, 60], [1] * 3, [900, 60, 60], **owners)


def test_shares_weigh_the_usage_of_accounts() -> None:
    trace = sw.Trace.from_columns(
        [0, 1, 2, 3], [900, 60, 60, 60], [1] * 4, [900] * 4, account=["a", "a", "b", "a"],
        user=["x", "y", "z", "x"],
    )  # fmt: skip
    found = result(trace, shares={"a": 2, "b": 1, "a/x": 3})
    # At 600, the usage computed at 300 still applies. Account a has 2 of the 4 shares, account
    # b has 1, and root has 1. User x has 3/4 of the shares of a, and y has 1/4. So U(x) = 1,
    # S(x) = 3/8, U(y) = 1/4 and S(y) = 1/8; z has used nothing.
    parts = [found.priority_at(row, 600).fairshare / 1024 for row in (3, 1, 2)]
    assert parts == pytest.approx([2 ** -(8 / 3), 2**-2, 1])


def test_entries_without_jobs_count() -> None:
    trace = with_a_waiting_job(account=["a", "b", "a"], user=["x", "z", "x"])
    found = result(trace, shares={"a": 2, "b": 1, "root": 0, "c": 1, "a/x": 1, "a/w": 3, "c/v": 5})
    # Account a has 2/4 of the shares, and x has 1/4 of that. So U(x) = 1 and S(x) = 1/8.
    assert found.priority_at(2, 600).fairshare / 1024 == pytest.approx(2**-8)


def test_without_shares_the_factor_is_0() -> None:
    trace = with_a_waiting_job(account=["a", "b", "a"], user=["x", "z", "x"])
    found = result(trace, shares={"a": 0, "b/z": 0})
    parts = [found.priority_at(row, time).fairshare for row in (2, 1) for time in (1, 600)]
    assert parts == [0, 0, 0, 0]


def test_the_engine_starts_the_account_with_more_shares_first() -> None:
    # Both accounts have run 60 s on one processor when jobs 2 and 3 wait for job 1 to end.
    trace = sw.Trace.from_columns(
        [0, 1, 2, 3], [60] * 4, [1] * 4, account=["a", "b", "a", "b"], user=["x", "z", "x", "z"]
    )
    order = {"name": "multifactor", "fairshare": 1000, "half_life": 0}

    def starts(**shares: float) -> list[int]:
        policy = sw.Policy(order={**order, "shares": shares}, backfill="none")
        return [int(start) for start in sw.simulate(trace, sw.Site(1, policy)).start]

    assert starts(a=3) == [0, 60, 120, 180]
    assert starts(b=3) == [0, 60, 180, 120]


def test_shares_name_codes_of_a_log_without_names() -> None:
    trace = with_a_waiting_job(account=[7, 8, 7], user=[1, 2, 1])
    found = result(trace, shares={"7": 2, "8": 1, "7/1": 1, "7/5": 1})
    # Account 7 has 2/4 of the shares, and its user 1 has half of that.
    assert found.priority_at(2, 600).fairshare / 1024 == pytest.approx(2**-4)
