"""What a policy refuses: unknown names, and switches that the rest of the policy never reads."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from slotwise._core import backfills as core_backfills
from slotwise.errors import SiteError
from slotwise.written_values import shown, written_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ORDER_FIELDS = ("order", "backfill_order")

_PLANNING = ("easy", "multiple-queue", "depth", "replan", "relaxed")
_READ_ONLY_BY = {
    "frozen_reservation": ("easy", "relaxed"),
    "strict_end": ("easy", "relaxed"),
    "spare_processors": ("easy", "relaxed"),
    "backfill_order": ("first-fit", *_PLANNING),
    "compression": ("conservative",),
    "promises": ("conservative",),
    "estimates": (*_PLANNING, "conservative", "window"),
    "waiting_estimates": (*_PLANNING, "window"),
    "refill": ("window",),
    "beyond_window": ("window",),
    "age_limit": ("window",),
}
# Read without a plan where a calendar or a pool plans by itself: the site looks at these.
READ_BY_SITES = {"estimates"}
DECIDING = frozenset({"backfill", "passes", "promises", "allocation", "ending_now", "age_limit"})
"""Fields of a policy that decide which others are read."""

_UNREAD_BY_CONTIGUOUS = ("strict_end", "spare_processors", "frozen_reservation")
_CONTIGUOUS = ("none", "first-fit", "easy")
_READ_BY_A_LOG = {"backfill", "kill_at_limit"}


class ContradictionError(SiteError):
    """Values each possible, but not together."""


def check_name(what: str, value: object, known: list[str]) -> None:
    """Refuse a value that is none of the known names.

    Raises
    ------
    SiteError
        Naming the nearest, and all.
    """
    if isinstance(value, str) and value in known:
        return
    raise SiteError(unknown_name(what, value, known))


_LONGEST_NAME = 200


def unknown_name(what: str, value: object, known: Sequence[str]) -> str:
    """Say that a name is unknown, the nearest, and all."""
    name = value if isinstance(value, str) else shown(value)
    near = difflib.get_close_matches(name[:_LONGEST_NAME], known, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ";"
    return f"unknown {what} '{name[:_LONGEST_NAME]}'{hint} known are: {', '.join(known)}"


def unread_by(backfill: str, names: set[str]) -> set[str]:
    """Give those of a policy's fields that this backfill does not look at."""
    if backfill == "as-logged":
        return names - _READ_BY_A_LOG
    unread = {name for name, readers in _READ_ONLY_BY.items() if backfill not in readers}
    parameters = _parameters()
    every = {name for own in parameters.values() for name in own}
    return unread | (every - parameters.get(backfill, set()))


def unread(values: Mapping[str, Any]) -> dict[str, str]:
    """Give the fields that the others make meaningless, each with a sentence that says the remedy.

    Parameters
    ----------
    values : mapping
        Every field of a policy.
    """
    backfill = values["backfill"]
    found = {
        name: f"backfill '{backfill}' takes no notice of {name}; leave it out, or choose backfill "
        f"{_either(_readers(name))}"
        for name in values
        if name in unread_by(backfill, set(values))
    }
    if values["ending_now"] == "free" and backfill != "as-logged":
        found.pop("estimates", None)  # they say which job's estimate ends now
    per_arrival = backfill == "conservative" and values["promises"] == "per-arrival"
    if values["passes"] != "per-event" and not per_arrival:
        found.setdefault(
            "event_order",
            f"passes '{values['passes']}' take no notice of event_order; leave it out, or choose "
            "passes 'per-event'",
        )
    if backfill == "window":
        found |= _unread_by_window(values)
    elif values["allocation"].startswith("contiguous"):
        found |= _unread_by_contiguous(backfill, values["allocation"])
    return found


def _unread_by_contiguous(backfill: str, allocation: str) -> dict[str, str]:
    found = {
        name: f"a reservation of allocation '{allocation}' is an interval, and takes no notice of "
        f"{name}; leave it out, or choose another allocation"
        for name in _UNREAD_BY_CONTIGUOUS
    }
    if backfill not in _CONTIGUOUS:
        found["allocation"] = (
            f"backfill '{backfill}' plans with any free nodes; choose allocation 'first' or "
            f"'least-spread', or backfill {_either(list(_CONTIGUOUS))}"
        )
    return found


def _unread_by_window(values: Mapping[str, Any]) -> dict[str, str]:
    found = {
        "allocation": "backfill 'window' places jobs in slots of free nodes by itself; leave it out"
    }
    if values["ending_now"] == "free":
        found["ending_now"] = (
            "'free' starts jobs on nodes whose job has not ended yet; leave it out, or choose "
            "another backfill than 'window'"
        )
    if values["age_limit"] is None:
        for name in ("estimates", "waiting_estimates"):
            found[name] = (
                f"backfill 'window' takes no notice of {name} without an age_limit; leave it out, "
                "or give one"
            )
    return found


def contradictions(
    values: Mapping[str, Any],
    defaults: Mapping[str, Any],
    presets: Mapping[str, Mapping[str, Any]],
) -> Iterator[str]:
    """Find fields changed from their default although nothing reads them.

    A preset met whole may carry switches that only other backfills read.
    """
    kept = carried(values, presets)
    if values["backfill"] != "as-logged":
        kept |= READ_BY_SITES
    for name, why in unread(values).items():
        if name not in kept and values[name] != defaults[name]:
            yield f"{name} {as_written(values[name])}: {why}"


def carried(values: Mapping[str, Any], presets: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Give the fields that a preset met whole fixes."""
    return {
        name
        for fixed in presets.values()
        if all(values[name] == value for name, value in fixed.items())
        for name in fixed
    }


def preset_clashes(
    preset: str, fixed: Mapping[str, Any], changes: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Find changes of what a preset fixes: the field, and a sentence."""
    for name, value in changes.items():
        if name in fixed and value != fixed[name]:
            yield (
                name,
                f"{as_written(value)} contradicts preset '{preset}', which fixes "
                f"{name} = {as_written(fixed[name])}; leave one of the two out",
            )


def as_written(value: object) -> str:
    """Write a value as TOML has it."""
    return written_value(value)


def _parameters() -> dict[str, set[str]]:
    return {name: {p[0] for p in parameters} for name, _, _, parameters in core_backfills()}


def _readers(field: str) -> list[str]:
    parameters = _parameters()
    by_parameter = [name for name, own in parameters.items() if field in own]
    others = [name for name in parameters if name != "as-logged"]
    return by_parameter or list(_READ_ONLY_BY.get(field, others))


def _either(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
