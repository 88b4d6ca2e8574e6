"""Finds limits of a site that the log's own schedule exceeds.

A replay cannot reproduce such a schedule. Example: ann ran 5 jobs at once in the log, and the site
allows one running job per user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise.site.parts.owners import owners_of
from slotwise.trace.peaks import peaks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData
    from slotwise.trace import Trace

    Rows = NDArray[np.bool_]

_OWNERS = ("user", "group", "account", "qos")


class ExceededLimit(NamedTuple):
    """A limit of a site, and the amount in the log that exceeds it.

    Attributes
    ----------
    name : str
        Its place in the site, such as ``limits.running_per_user``.
    unit : str
        ``jobs`` or ``processors``.
    owner : str
        ``user``, ``group``, ``account`` or ``qos``; empty for a limit on all jobs together.
    most, allowed : int
        Largest amount in use at once in the log, and the amount that the limit allows.
    """

    name: str
    unit: str
    owner: str
    most: int
    allowed: int


def exceeded_limits(logged: ReplayData, replay: ReplayData) -> list[ExceededLimit]:
    """Return the limits of the site that the log's own schedule exceeds, worst first."""
    found = [
        each
        for place, rows, limits in _limited(replay)
        for each in _exceeded(place, rows, limits, logged)
    ]
    return sorted(found, key=lambda each: each.allowed / each.most)


def _limited(replay: ReplayData) -> Iterator[tuple[str, Rows, Any]]:
    """Yield each part of a site that may set limits: its name, the jobs it covers, the limits."""
    site, trace = replay.site, replay.trace
    yield "limits", np.ones(len(trace), dtype=np.bool_), site.limits
    for number, queue in enumerate(site.queues):
        yield f"queue.{queue.name}", replay.queue == number, queue
    for number, named in enumerate(site.named_limits):
        yield f"named_limit[{number}]", _jobs_of(trace, named), named


def _jobs_of(trace: Trace, named: Any) -> Rows:
    """Mark the jobs of the owners that a part of a site lists."""
    rows: Rows = np.zeros(len(trace), dtype=np.bool_)
    for column, owners in owners_of(named).items():
        listed = (owners,) if isinstance(owners, str | int) else owners
        codes = {word: code for code, word in trace.labels.get(column, {}).items()}
        wanted = [codes.get(each, -2) if isinstance(each, str) else each for each in listed]
        rows |= np.isin(trace._column(column), wanted)
    return rows


def _exceeded(place: str, rows: Rows, limits: Any, logged: ReplayData) -> Iterator[ExceededLimit]:
    trace = logged.trace
    for owner in ("", *_OWNERS):
        end = f"_per_{owner}" if owner else ""
        names = {"jobs": f"running{end}", "processors": f"processors{end or '_in_use'}"}
        if all(getattr(limits, name) is None for name in names.values()):
            continue
        owners = trace._column(owner) if owner else np.zeros(len(trace), dtype=np.int32)
        weights = (np.ones(len(trace), dtype=np.int64), trace.processors)
        peaks = peaks_of(np.where(rows, owners, -1), logged.start, logged.end, weights)
        for (unit, name), peak in zip(names.items(), peaks, strict=True):
            allowed, most = getattr(limits, name), int(peak.max(initial=0))
            if allowed is not None and most > allowed:
                yield ExceededLimit(f"{place}.{name}", unit, owner, most, allowed)
