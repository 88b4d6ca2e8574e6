"""Warnings about queues, partitions and accounts of a log that a site does not list.

Example: the log has jobs from a partition ``gone``, which is not listed in any ``trace_queues``.
They go to the first queue that accepts them, although that queue lists only other partitions.
Another example is ``shares = { root = 0.01, bio = 0.59, ai = 0.4 }``: any other account in the log
gets 1 share, as much as these three together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import route
from slotwise.replay.site_names import SiteNames
from slotwise.replay.to_core import core_site, without_dispatcher
from slotwise.site.faults import dotted
from slotwise.site.order_checks import orders_of
from slotwise.site.policy.order_tables import BETWEEN
from slotwise.text import are, first_of, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.site import Site
    from slotwise.trace import Trace

_MOST_NAMED = 5
_REJECTED = -1
"""Stands for the queue of a job that no queue accepts."""


def unlisted_queues(site: Site, trace: Trace) -> Iterator[str]:
    """Warn about queues and partitions of the log that are not listed in any `trace_queues`.

    Jobs that go to a queue without `trace_queues` cause no warning.
    """
    if not len(trace) or not any(queue.trace_queues for queue in site.queues):
        return
    rows = _without_queue(site, trace)
    if not len(rows):
        return
    core = core_site(without_dispatcher(site), trace, site.machine_for(trace).count)
    taken = route(trace._jobs, core)[0]
    naming = np.array([bool(queue.trace_queues) for queue in site.queues])
    is_rejected = taken[rows] < 0
    found = _by_name(trace, rows[is_rejected | naming[taken[rows]]], taken)
    for name, counts in list(found.items())[:_MOST_NAMED]:
        if rejected := counts.pop(_REJECTED, 0):
            yield (
                f"the log's {name} is in no trace_queues, and {plural(rejected, 'job')} from it "
                f"{are(rejected)} accepted by no queue; add the name to the trace_queues of a queue"
            )
        if not counts:
            continue
        queues = [f"'{site.queues[queue].name}'" for queue in counts]
        one, word = sum(counts.values()) == 1, "queue" if len(queues) == 1 else "queues"
        yield (
            f"the log's {name} is in no trace_queues: {plural(sum(counts.values()), 'job')} "
            f"{'goes' if one else 'go'} to {word} {' and '.join(queues)}, the first to accept "
            f"{'it' if one else 'them'}; add the name to the trace_queues of the right queue"
        )
    if rest := list(found.values())[_MOST_NAMED:]:
        jobs = sum(sum(counts.values()) for counts in rest)
        yield (
            f"{plural(len(rest), 'more queue')} of the log, with {plural(jobs, 'job')}, "
            f"{are(len(rest))} in no trace_queues; add the names to the "
            "trace_queues of the right queues"
        )


def _without_queue(site: Site, trace: Trace) -> NDArray[np.int64]:
    """Return the rows of the jobs whose queue and partition no queue of the site lists.

    Queues and partitions without a name, as in most SWF logs, are ignored.
    """
    names = SiteNames(trace)
    known = [names.queue_codes(queue.trace_queues) for queue in site.queues]
    logged = np.zeros(len(trace), dtype=bool)
    named = np.zeros(len(trace), dtype=bool)
    for index, column in enumerate(("queue", "partition")):
        codes: NDArray[Any] = trace._column(column)
        logged |= np.isin(codes, list(trace.labels.get(column, {})))
        named |= np.isin(codes, [code for each in known for code in each[index]])
    return np.flatnonzero(logged & ~named)


def _by_name(
    trace: Trace, rows: NDArray[np.int64], taken: NDArray[np.int32]
) -> dict[str, dict[int, int]]:
    """Count how many jobs of each logged queue or partition go to each queue of the site."""
    found: dict[str, dict[int, int]] = {}
    queue, partition = trace._column("queue"), trace._column("partition")
    of_queue, of_partition = (trace.labels.get(name, {}) for name in ("queue", "partition"))
    for row in rows.tolist():
        if (code := int(queue[row])) in of_queue:
            name = f"queue '{of_queue[code]}'"
        else:
            name = f"partition '{of_partition[int(partition[row])]}'"
        counts = found.setdefault(name, {})
        counts[int(taken[row])] = counts.get(int(taken[row]), 0) + 1
    return found


def unlisted_accounts(site: Site, trace: Trace) -> Iterator[str]:
    """Warn about accounts of the log that have no entry in a ``shares`` table of fractions."""
    for key, order in orders_of(site):
        table = order.tables.get("shares", {})
        accounts = {name: share for name, share in table.items() if BETWEEN not in name}
        weight = dict(order.parameters).get("fairshare", 0)
        if not weight or all(share == int(share) for share in accounts.values()):
            continue
        counts = _jobs_by_account(trace, accounts)
        if not counts:
            continue
        shown = first_of(counts, _MOST_NAMED)
        total = sum(accounts.values())
        yield (
            f"{dotted((*key, 'shares'))} has no entry for {plural(len(counts), 'account')} of the "
            f"log, with {plural(sum(counts.values()), 'job')}: {shown}. Each has one share, but "
            f"the entries are fractions that add up to {total:.4g}; add an entry for each account"
        )


def _jobs_by_account(trace: Trace, accounts: dict[str, float]) -> dict[str, int]:
    """Count the jobs of each account without an entry, the account with the most jobs first."""
    codes, counts = np.unique(trace.account, return_counts=True)
    labels = trace.labels.get("account", {})
    jobs: dict[str, int] = {}
    for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
        name = labels.get(code, str(code) if code >= 0 else "(none)")
        if name not in accounts:
            jobs[name] = jobs.get(name, 0) + count
    return dict(sorted(jobs.items(), key=lambda each: -each[1]))
