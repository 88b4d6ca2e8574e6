"""Limits: how much may run, or be looked at, at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from slotwise.site.parts import readers
from slotwise.site.parts.part import SitePart

LIMIT_READERS = {
    "running": readers.limit("jobs"),
    "processors_in_use": readers.limit("processors"),
    "running_per_user": readers.limit("jobs"),
    "processors_per_user": readers.limit("processors"),
    "running_per_group": readers.limit("jobs"),
    "processors_per_group": readers.limit("processors"),
    "queued_per_user": readers.limit("jobs"),
}
"""The limits that sites and queues have alike."""


@dataclass(frozen=True, slots=True)
class Limits(SitePart):
    """Limits of a site; a job beyond one is not eligible.

    Each is at least 1, or None (in files "none") for none.

    Jobs of an unknown user, -1 in the log, are not limited by user; nor those of an unknown group
    by group.

    Parameters
    ----------
    running : int, jobs, optional
        Running at a time.
    processors_in_use : int, processors, optional
        In use at a time.
    running_per_user, running_per_group : int, jobs, optional
        Of one user or group, running at a time.
    processors_per_user, processors_per_group : int, processors, optional
        In use at a time by one user or group.
    queued_per_user : int, jobs, optional
        Waiting jobs of a user that a pass looks at: the first by submit.
    lifted_when_idle : bool, default False
        Whether, when no eligible job waits, jobs that only the limits by user and group hold back
        are tried in order while they fit, as on Kraken.

    Raises
    ------
    SiteError
        Naming every field at fault.
    """

    running: int | None = None
    processors_in_use: int | None = None
    running_per_user: int | None = None
    processors_per_user: int | None = None
    running_per_group: int | None = None
    processors_per_group: int | None = None
    queued_per_user: int | None = None
    lifted_when_idle: bool = False

    READERS: ClassVar = {**LIMIT_READERS, "lifted_when_idle": readers.flag}
