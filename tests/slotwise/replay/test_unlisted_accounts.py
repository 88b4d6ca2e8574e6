"""Warnings about accounts in a log that have no entry in a table of fractional shares."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw
from slotwise.replay.warnings.unlisted_names import unlisted_accounts

LOG = sw.Trace.from_columns(
    [0] * 4, [9] * 4, [1] * 4, [9] * 4, user=["u"] * 4, account=["bio", "chem", "gone", "chem"]
)


def site(shares: dict[str, float], **changes: Any) -> sw.Site:
    order = {"name": "multifactor", "fairshare": 10, "shares": shares, **changes}
    nodes = sw.Nodes([sw.NodeType(hosts="n[1-2]", cores=4)])
    return sw.Site(machine=nodes, policy=sw.Policy.preset("slurm", version="25.11", order=order))


def told(shares: dict[str, float], log: sw.Trace = LOG, **changes: Any) -> list[str]:
    return list(unlisted_accounts(site(shares, **changes), log))


def test_accounts_without_an_entry_among_fractions_are_named() -> None:
    assert told({"root": 0.25, "bio": 0.5, "bio/ann": 3}) == [
        "policy.order.shares has no entry for 2 accounts of the log, with 3 jobs: chem, gone. Each "
        "has one share, but the entries are fractions that add up to 0.75; add an entry for each "
        "account"
    ]
    few = site({"bio": 0.5})
    with pytest.warns(sw.SiteWarning, match=r"policy\.order\.shares has no entry for 2 accounts"):
        sw.simulate(LOG, few)


def test_jobs_without_an_account_and_many_accounts_are_counted() -> None:
    nobody = sw.Trace.from_columns([0], [9], [1])
    assert "1 account of the log, with 1 job: (none). Each" in told({"bio": 0.5}, nobody)[0]
    many = [f"a{number}" for number in range(11)]
    log = sw.Trace.from_columns([0] * 11, [9] * 11, [1] * 11, account=many)
    assert ", a4 and 5 more. Each has" in told({"a10": 0.5}, log)[0]


@pytest.mark.parametrize(
    ("shares", "changes"),
    [
        ({"bio": 0.5, "chem": 0.25, "gone": 0.25}, {}),  # every account has an entry
        ({"bio": 3, "bio/ann": 0.5}, {}),  # the shares are Slurm's own numbers
        ({"bio": 0.5}, {"fairshare": 0}),  # the shares have no effect
    ],
)
def test_other_tables_give_no_warning(shares: dict[str, float], changes: dict[str, Any]) -> None:
    assert told(shares, **changes) == []
