"""A site in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.site.policy.backfill_facts import name_of
from slotwise.site.policy.slurm_text import slurm_text

if TYPE_CHECKING:
    from slotwise.site.policy import Policy
    from slotwise.site.site import Site


def parts_of(site: Site) -> list[str]:
    """List a site's parts besides machine and policy: ``["2 pools", "5 queues", "limits"]``."""
    counted = {
        "pool": len(site.pools),
        "queue": len(site.queues),
        "named limit": len(site.named_limits),
        "maintenance": len(site.maintenance),
        "outage": len(site.outages),
        "reservation": len(site.reservations),
    }
    parts = [f"{n} {name}{'' if n == 1 else 's'}" for name, n in counted.items() if n]
    parts += [name for name in ("limits", "crashes", "placement") if getattr(site, name).to_dict()]
    return [*parts, "dependencies"] if site.dependencies else parts


def describe(site: Site) -> str:
    """Describe a site in one line: its policy, then the number of parts of each kind."""
    return ", ".join([describe_policy(site), *parts_of(site)])


def describe_policy(site: Site) -> str:
    """Describe the policy of a site in one line."""
    return policy_text(site.policy)


def policy_text(policy: Policy) -> str:
    """Describe a policy in one line: order, backfill, and values that differ from defaults.

    A policy with Slurm's schedulers is described by its preset and the values that differ from it.
    """
    if name_of(getattr(policy, "backfill", "")) == "slurm":
        return slurm_text(policy)
    line = f"order {policy.order}, backfill {policy.backfill}"
    others = {k: v for k, v in policy.to_dict().items() if k not in ("order", "backfill")}
    rest = ", ".join(f"{name} {value}" for name, value in others.items())
    return f"{line} ({rest})" if rest else line
