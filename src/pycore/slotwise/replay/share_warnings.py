"""Warnings about accounts in a log that have no share, in a table that gives fractions.

Example: ``shares = { root = 0.01, bio = 0.59, ai = 0.4 }``, and the log has an account chem. It has
one share, as much as all other accounts together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.site.faults import dotted
from slotwise.site.order_checks import orders_of
from slotwise.site.policy.order_tables import BETWEEN
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site import Site
    from slotwise.trace import Trace

_MOST_NAMED = 8


def share_warnings(site: Site, trace: Trace) -> Iterator[str]:
    """Warn about accounts in the log without an entry in a table of shares with fractions."""
    for key, order in orders_of(site):
        table = order.tables.get("shares", {})
        accounts = {name: share for name, share in table.items() if BETWEEN not in name}
        weight = dict(order.parameters).get("fairshare", 0)
        if not weight or all(share == int(share) for share in accounts.values()):
            continue
        counts = _unlisted(trace, accounts)
        if not counts:
            continue
        shown = ", ".join(list(counts)[:_MOST_NAMED])
        more = len(counts) - _MOST_NAMED
        shown += f" and {more:,} more" if more > 0 else ""
        total = sum(accounts.values())
        yield (
            f"{dotted((*key, 'shares'))} has no entry for {plural(len(counts), 'account')} of the "
            f"log, with {plural(sum(counts.values()), 'job')}: {shown}. Each has one share, but "
            f"the entries are fractions that add up to {total:.4g}; add an entry for each account"
        )


def _unlisted(trace: Trace, accounts: dict[str, float]) -> dict[str, int]:
    """Count the jobs of each account without an entry, the largest account first."""
    codes, counts = np.unique(trace.account, return_counts=True)
    labels = trace.labels.get("account", {})
    jobs: dict[str, int] = {}
    for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
        name = labels.get(code, str(code) if code >= 0 else "(none)")
        if name not in accounts:
            jobs[name] = jobs.get(name, 0) + count
    return dict(sorted(jobs.items(), key=lambda each: -each[1]))
