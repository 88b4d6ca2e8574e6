"""Checks on a policy: unknown names, and fields that no part of the policy uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.site.policy.backfill_facts import (
    BackfillFacts,
    backfill_facts,
    names_that_work_on,
    readers_of,
)
from slotwise.written_values import written_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ORDER_FIELDS = ("order", "backfill_order")

# Fields that a site's calendar or pools may need even if the backfill makes no plan. If nothing
# needs such a field, the checks on the site report it.
READ_BY_SITES = {"estimates"}
DECIDING = frozenset({"backfill", "passes", "promises", "allocation", "ending_now"}).union(
    *(facts.reads_given for facts in backfill_facts().values())
)
"""Fields of a policy that determine which others are used."""

_UNREAD_BY_CONTIGUOUS = ("strict_end", "spare_processors", "frozen_reservation")
_READ_ALWAYS = {"backfill", "kill_at_limit", "reserve"}


class ContradictionError(SiteError):
    """Values that are valid on their own, but not together."""


def unread_by(backfill: str, names: set[str]) -> set[str]:
    """Return the fields of a policy that this backfill rule does not use."""
    known = backfill_facts()
    if backfill in known:
        reads = known[backfill].reads | known[backfill].parameters.keys()
    else:
        reads = frozenset.intersection(*(f.reads for f in known.values() if f.reads))
    return names - reads - _READ_ALWAYS


def unread(values: Mapping[str, Any]) -> dict[str, str]:
    """Return fields that other fields make meaningless, each with a sentence that gives the remedy.

    Parameters
    ----------
    values : mapping
        Every field of a policy.
    """
    backfill = values["backfill"]
    facts = backfill_facts()[backfill]
    ignored = unread_by(backfill, set(values))
    found = {
        name: f"backfill '{backfill}' ignores {name}; leave it out, or choose backfill "
        f"{readers_of(name)}"
        for name in values
        if name in ignored
    }
    if values["ending_now"] == "free" and facts.reads:
        found.pop("estimates", None)  # 'free' uses the estimates
    per_arrival = "promises" in facts.reads and values["promises"] == "per-arrival"
    if values["passes"] != "per-event" and not per_arrival:
        found.setdefault(
            "event_order",
            f"passes '{values['passes']}' ignores event_order; leave it out, or choose "
            "passes 'per-event'",
        )
    found |= _unread_without(facts, backfill, values)
    if facts.places_jobs:
        found |= _unread_where_placed(backfill, values)
    elif values["allocation"].startswith("contiguous"):
        found |= _unread_by_contiguous(backfill, values["allocation"])
    return found


def _unread_without(
    facts: BackfillFacts, backfill: str, values: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Find fields that have no effect because another parameter is not set."""
    for parameter, names in facts.reads_given.items():
        if values[parameter] is None:
            for name in names:
                yield (
                    name,
                    f"backfill '{backfill}' ignores {name} without "
                    f"{'an' if parameter[0] in 'aeiou' else 'a'} {parameter}; leave out {name}, "
                    f"or set {parameter}",
                )


def _unread_by_contiguous(backfill: str, allocation: str) -> dict[str, str]:
    found = {
        name: f"allocation '{allocation}' ignores {name}; leave it out, or choose another "
        "allocation"
        for name in _UNREAD_BY_CONTIGUOUS
    }
    if "intervals" not in backfill_facts()[backfill].works_on:
        found["allocation"] = (
            f"backfill '{backfill}' cannot reserve consecutive nodes; choose allocation 'first' or "
            f"'least-spread', or backfill {names_that_work_on('intervals')}"
        )
    return found


def _unread_where_placed(backfill: str, values: Mapping[str, Any]) -> dict[str, str]:
    found = {
        "allocation": f"backfill '{backfill}' itself places jobs in slots of free nodes; leave "
        "allocation out"
    }
    if values["ending_now"] == "free":
        found["ending_now"] = (
            f"'free' starts jobs on nodes whose job has not ended yet; choose 'busy', or a "
            f"backfill other than '{backfill}'"
        )
    return found


def contradictions(
    values: Mapping[str, Any],
    defaults: Mapping[str, Any],
    presets: Mapping[str, Mapping[str, Any]],
) -> Iterator[str]:
    """Find fields that differ from their defaults although nothing uses them.

    A policy that matches a preset completely may have fields that only other backfill rules use.
    """
    kept = carried(values, presets)
    if backfill_facts()[values["backfill"]].reads:
        kept |= READ_BY_SITES
    for name, why in unread(values).items():
        if name not in kept and values[name] != defaults[name]:
            yield f"{name} {as_written(values[name])}: {why}"


def carried(values: Mapping[str, Any], presets: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return the fields fixed by those presets that the policy matches completely."""
    return {
        name
        for fixed in presets.values()
        if all(values[name] == value for name, value in fixed.items())
        for name in fixed
    }


def preset_clashes(
    preset: str, fixed: Mapping[str, Any], changes: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Find changes to fields that a preset fixes: each field, and a sentence about it."""
    for name, value in changes.items():
        if name in fixed and value != fixed[name]:
            yield (
                name,
                f"{as_written(value)} contradicts preset '{preset}', which fixes "
                f"{name} = {as_written(fixed[name])}; remove one of the two",
            )


def as_written(value: object) -> str:
    """Write a value as in TOML."""
    return written_value(value)
