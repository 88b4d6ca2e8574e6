"""Limits on the jobs of some users, groups, accounts or QOSes.

Example: ``NamedLimits(users=["alice", "bob"], running=4)`` allows alice and bob together to
run four jobs at once; other jobs neither count towards the limit nor are subject to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from slotwise.site.faults import Check, Fault
from slotwise.site.parts.limits import LIMIT_READERS, CountedLimits
from slotwise.site.parts.owners import OWNER_COLUMNS, OWNER_READERS, owners_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def _of_no_owner(limits: Any) -> Iterator[Fault]:
    if not owners_of(limits):
        yield Fault(
            ("users",),
            "the table lists no user, group, account or qos; add one, or set the limit "
            "under [limits], where it applies to all jobs",
        )


def _without_limit(limits: Any) -> Iterator[Fault]:
    if not any(getattr(limits, name) for name in LIMIT_READERS):
        yield Fault(
            ("running",), "no limit is given; set one, such as running = 4, or remove the table"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLimits(CountedLimits):
    """Limits on the jobs of the listed owners; other jobs do not count towards them.

    These limits apply in addition to those of the site and the queue.

    Parameters
    ----------
    users, groups, accounts, qos : sequence of str or int, optional
        Owners by name or by their number in the trace; at least one. The jobs of all of them count.
    running, processors_in_use, running_per_user, processors_per_user, submitted, total, per_user, \
... : optional
        As in `Limits`.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.
    """

    users: str | int | Sequence[str | int] = ()
    groups: str | int | Sequence[str | int] = ()
    accounts: str | int | Sequence[str | int] = ()
    qos: str | int | Sequence[str | int] = ()

    READERS: ClassVar = {**OWNER_READERS, **LIMIT_READERS}
    CHECKS: ClassVar = (
        Check(frozenset(OWNER_COLUMNS), _of_no_owner),
        Check(frozenset(LIMIT_READERS), _without_limit),
    )
