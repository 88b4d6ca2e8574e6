"""Refuses parts of a site that the replay of Slurm's schedulers does not support yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import UNKNOWN, Fault, sound
from slotwise.site.parts.crashes import Crashes
from slotwise.site.parts.interruption import Interruption
from slotwise.site.parts.limits import Limits
from slotwise.site.policy import Policy
from slotwise.site.policy.backfill_facts import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site.faults import Key

_LISTS = {"maintenance": "maintenance", "outages": "outage", "reservations": "reservation"}
_SINGLES = {"crashes": Crashes(), "interruption": Interruption()}
_QUEUE_FIELDS = ("order", "starvation", "hours")
_LIMITS = ("queued_per_user",)
"""Limits that the ``slurm`` backfill does not support."""


def slurm_faults(site: Any) -> Iterator[Fault]:
    """Find parts that the ``slurm`` backfill does not support."""
    if not isinstance(site.policy, Policy) or name_of(site.policy.backfill) != "slurm":
        return
    remedy = "backfill 'slurm' does not support this yet; leave it out, or choose another backfill"
    for key in _asked(site):
        yield Fault(key, remedy)


def _asked(site: Any) -> Iterator[Key]:
    for name, table in _LISTS.items():
        for index, _ in enumerate(getattr(site, name)):
            yield (table, index)
    for name, default in _SINGLES.items():
        if getattr(site, name) != default:
            yield (name,)
    for name in _asked_limits(site.limits):
        yield ("limits", name)
    for name in ("lifted_when_idle", "over_submitted"):
        if getattr(site.limits, name, None) not in (None, UNKNOWN, getattr(Limits(), name)):
            yield ("limits", name)
    for index, named in sound(site.named_limits):
        for name in _asked_limits(named):
            yield ("named_limit", index, name)
    for index, queue in sound(site.queues):
        for name in _QUEUE_FIELDS:
            if getattr(queue, name, None) not in (None, UNKNOWN, ()):
                yield ("queue", index, name)
        for name in _asked_limits(queue):
            yield ("queue", index, name)


def _asked_limits(part: Any) -> Iterator[str]:
    return (name for name in _LIMITS if getattr(part, name, None) not in (None, UNKNOWN))
