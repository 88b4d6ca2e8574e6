"""Parts of a site that the replay of Slurm's schedulers does not support yet; they are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.site.faults import Fault, sound
from slotwise.site.parts.crashes import Crashes
from slotwise.site.parts.interruption import Interruption
from slotwise.site.parts.limits import LIMIT_READERS, NO_AMOUNTS, Limits
from slotwise.site.policy import Policy
from slotwise.site.policy.backfill_facts import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site.faults import Key

_LISTS = {
    "named_limits": "named_limit",
    "maintenance": "maintenance",
    "outages": "outage",
    "reservations": "reservation",
}
_SINGLES = {"limits": Limits(), "crashes": Crashes(), "interruption": Interruption()}
_QUEUE_FIELDS = ("order", "starvation", "hours")


def slurm_faults(site: Any) -> Iterator[Fault]:
    """Find parts that backfill ``slurm`` does not support."""
    if not isinstance(site.policy, Policy) or name_of(site.policy.backfill) != "slurm":
        return
    remedy = "backfill 'slurm' does not replay it yet; leave it out, or choose another backfill"
    for key in _asked(site):
        yield Fault(key, remedy)


def _asked(site: Any) -> Iterator[Key]:
    for name, table in _LISTS.items():
        for index, _ in enumerate(getattr(site, name)):
            yield (table, index)
    for name, default in _SINGLES.items():
        if getattr(site, name) != default:
            yield (name,)
    for index, queue in sound(site.queues):
        for name in _QUEUE_FIELDS:
            if getattr(queue, name, None):
                yield ("queue", index, name)
        for name in LIMIT_READERS:
            if getattr(queue, name, None) not in (None, NO_AMOUNTS):
                yield ("queue", index, name)
