"""Limits on what may run, wait or be considered at the same time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from slotwise.site.parts import readers
from slotwise.site.parts.amounts import Amounts, amounts_of
from slotwise.site.parts.part import SitePart

if TYPE_CHECKING:
    from collections.abc import Mapping

_JOBS, _PROCESSORS = readers.limit("jobs"), readers.limit("processors")

COUNT_READERS = {
    "running": _JOBS,
    "processors_in_use": _PROCESSORS,
    "running_per_user": _JOBS,
    "processors_per_user": _PROCESSORS,
    "running_per_group": _JOBS,
    "processors_per_group": _PROCESSORS,
    "running_per_account": _JOBS,
    "processors_per_account": _PROCESSORS,
    "running_per_qos": _JOBS,
    "processors_per_qos": _PROCESSORS,
    "queued_per_user": _JOBS,
    "submitted": _JOBS,
    "submitted_per_user": _JOBS,
    "submitted_per_group": _JOBS,
    "submitted_per_account": _JOBS,
    "submitted_per_qos": _JOBS,
}
"""Readers for the limits that are single numbers."""

RESOURCE_LIMITS = ("total", "per_user", "per_group", "per_account", "per_qos")
"""Limits that are amounts by resource."""

LIMIT_READERS = {**COUNT_READERS, **dict.fromkeys(RESOURCE_LIMITS, amounts_of)}
"""Readers for the limits that both sites and queues have."""

NO_AMOUNTS = Amounts({})


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedLimits(SitePart):
    """Limits on a set of jobs: all jobs of a site, or those of a queue or of some owners."""

    running: int | None = None
    processors_in_use: int | None = None
    running_per_user: int | None = None
    processors_per_user: int | None = None
    running_per_group: int | None = None
    processors_per_group: int | None = None
    running_per_account: int | None = None
    processors_per_account: int | None = None
    running_per_qos: int | None = None
    processors_per_qos: int | None = None
    queued_per_user: int | None = None
    submitted: int | None = None
    submitted_per_user: int | None = None
    submitted_per_group: int | None = None
    submitted_per_account: int | None = None
    submitted_per_qos: int | None = None
    total: Mapping[str, int | str] = NO_AMOUNTS
    per_user: Mapping[str, int | str] = NO_AMOUNTS
    per_group: Mapping[str, int | str] = NO_AMOUNTS
    per_account: Mapping[str, int | str] = NO_AMOUNTS
    per_qos: Mapping[str, int | str] = NO_AMOUNTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(CountedLimits):
    """Limits of a site; a job that would exceed one is not eligible.

    Each limit is at least 1, or None (in files "none") for no limit. All apply together.

    Limits per user do not apply to jobs of an unknown user (-1 in the log); the same holds for
    groups, accounts and QOSes.

    Parameters
    ----------
    running : int, jobs, optional
        Jobs running at once.
    processors_in_use : int, processors, optional
        Processors in use at once.
    running_per_user, running_per_group, running_per_account, running_per_qos : int, jobs, optional
        Jobs of one user, group, account or quality of service running at once.
    processors_per_user, processors_per_group, processors_per_account, processors_per_qos : int, \
processors, optional
        Processors in use at once by one user, group, account or quality of service.
    queued_per_user : int, jobs, optional
        Number of waiting jobs that a pass considers for each user: the earliest by submit time.
    submitted : int, jobs, optional
        Jobs waiting or running at once. `over_submitted` decides what happens to further jobs.
    submitted_per_user, submitted_per_group, submitted_per_account, submitted_per_qos : int, jobs, \
optional
        Jobs of one user, group, account or quality of service waiting or running at once.
    total : mapping of str to int, optional
        Amounts in use at once, by node resource, such as ``{"gpus": 64, "memory": "2TB"}``. The
        key ``"nodes"`` counts nodes that run a job.
    per_user, per_group, per_account, per_qos : mapping of str to int, optional
        Amounts in use at once by one user, group, account or quality of service.
    lifted_when_idle : bool, default False
        True: when no eligible job waits, jobs delayed only by limits per user and group may start.
        They start in order, as long as they fit. This was the rule on Kraken.
    over_submitted : {"reject", "hold"}, default "reject"
        ``"reject"``: a job that would exceed a limit on submitted jobs is rejected. ``"hold"``: the
        job stays outside the queue until the limit allows it.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.
    """

    lifted_when_idle: bool = False
    over_submitted: str = "reject"

    READERS: ClassVar = {
        **LIMIT_READERS,
        "lifted_when_idle": readers.flag,
        "over_submitted": readers.one_of("reject", "hold"),
    }
