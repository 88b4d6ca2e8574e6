"""Sites written in TOML: read, checked whole, every fault reported at once with its place."""

from __future__ import annotations

import dataclasses
import difflib
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from slotwise.errors import MissingExtraError, SiteError
from slotwise.policy import Policy, backfills, orders
from slotwise.site import Processors, Site

try:
    from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
    from pydantic import ValidationError
except ImportError as missing:
    raise MissingExtraError(
        "site files need pydantic, which is not installed; install it with: "
        "pip install 'slotwise[cli]'"
    ) from missing

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from pydantic_core import ErrorDetails

Key = tuple[str, ...]
"""Where a value stands in a site: ``("policy", "depth")``."""

PRESETS = ("pyss", "cqsim", "rlscheduler", "as-logged")
_PERIOD = re.compile(r"[1-9][0-9]*(s|m|h)")


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """Say that `name` is no `kind`, which ones there are, and which was perhaps meant."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"unknown {kind} '{name}'; known are: {', '.join(names)}{hint}"


def _order(value: object) -> object:
    """Take an order as a name or as a table with its name and parameters."""
    if not isinstance(value, dict):
        return value
    if "name" not in value:
        raise ValueError("a table must have the key 'name'")
    if extra := sorted(set(value) - {"name"}):
        raise ValueError(f"{unknown_name('key', extra[0], ['name'])}; this order has no parameters")
    return value["name"]


def _known_order(name: str) -> str:
    return _known("order", name, [info.name for info in orders()])


def _known_backfill(name: str) -> str:
    return _known("backfill", name, [info.name for info in backfills()])


def _known_preset(name: str) -> str:
    return _known("preset", name, PRESETS)


def _known(kind: str, name: str, known: Iterable[str]) -> str:
    names = list(known)
    if name not in names:
        raise ValueError(unknown_name(kind, name, names))
    return name


def _passes(value: str) -> str:
    if value not in ("per-instant", "per-event") and not _PERIOD.fullmatch(value):
        raise ValueError("must be 'per-instant', 'per-event' or a period such as '30s', '5m', '1h'")
    return value


OrderName = Annotated[str, BeforeValidator(_order), AfterValidator(_known_order)]
Estimates = Literal["requested", "exact", "user-history"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class MachineTable(_Table):
    """``[machine]``."""

    processors: int | None = Field(default=None, ge=1)


class PolicyTable(_Table):
    """``[policy]``: the fields of :class:`slotwise.Policy`, and ``preset``."""

    preset: Annotated[str, AfterValidator(_known_preset)] | None = None
    order: OrderName | None = None
    backfill: Annotated[str, AfterValidator(_known_backfill)] | None = None
    depth: int | None = Field(default=None, ge=1)
    relaxation: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    backfill_order: OrderName | None = None
    estimates: Estimates | None = None
    passes: Annotated[str, AfterValidator(_passes)] | None = None
    kill_at_limit: bool | None = None
    event_order: Literal["completions-first", "arrivals-first"] | None = None
    waiting_estimates: Estimates | None = None
    ending_now: Literal["busy", "free"] | None = None
    spare_processors: bool | None = None
    strict_end: bool | None = None
    frozen_reservation: bool | None = None
    compression: Literal["early-end", "every-end"] | None = None
    promises: Literal["per-pass", "per-arrival"] | None = None


class SiteTable(_Table):
    """A whole site file."""

    machine: MachineTable = MachineTable()
    policy: PolicyTable = PolicyTable()


_TABLES: dict[Key, type[_Table]] = {
    (): SiteTable,
    ("machine",): MachineTable,
    ("policy",): PolicyTable,
}


def load(path: str | os.PathLike[str]) -> Site:
    """Read a site from a TOML file.

    Raises
    ------
    SiteError
        Naming the file and every fault in it: one a line.
    """
    return build(read_document(path), default_place=str(path))


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a TOML file that holds a site, unchecked.

    Raises
    ------
    SiteError
        Where it cannot be read or is not TOML.
    """
    try:
        text = Path(path).read_bytes().decode()
        return tomllib.loads(text)
    except FileNotFoundError:
        raise SiteError(f"{path}: there is no such site file") from None
    except IsADirectoryError:
        raise SiteError(f"{path} is a folder; a site is a TOML file") from None
    except OSError as fault:
        raise SiteError(f"{path}: cannot be read ({fault.strerror})") from None
    except UnicodeDecodeError:
        raise SiteError(f"{path}: not a text file in UTF-8; a site is written in TOML") from None
    except tomllib.TOMLDecodeError as fault:
        raise SiteError(f"{path}: not TOML: {fault}") from None


def build(
    document: Mapping[str, Any],
    places: Mapping[Key, str] | None = None,
    *,
    default_place: str = "site",
) -> Site:
    """Make a site of tables as TOML gives them.

    Parameters
    ----------
    document : mapping
        ``{"machine": {…}, "policy": {…}}``.
    places : mapping, optional
        Who gave a value, for messages: ``{("policy", "depth"): "--depth"}``.
    default_place : str
        Who gave the others; the file's name.

    Raises
    ------
    SiteError
        Listing every fault, one a line.
    """
    named = dict(places or {})

    def place(key: Key) -> str:
        return named.get(key) or f"{default_place}: {'.'.join(key)}"

    try:
        table = SiteTable.model_validate(document)
    except ValidationError as invalid:
        faults = [_sentence(fault, place) for fault in invalid.errors(include_url=False)]
        raise SiteError("\n".join(dict.fromkeys(faults))) from None
    given = table.policy.model_dump(exclude_none=True)
    faults = list(_contradictions(given, place))
    if faults:
        raise SiteError("\n".join(faults))
    try:
        policy = _policy(given)
    except ValueError as fault:
        raise SiteError(f"{default_place}: {fault}") from None
    count = table.machine.processors
    return Site(machine=None if count is None else Processors(count), policy=policy)


def _policy(given: Mapping[str, Any]) -> Policy:
    changes = {name: value for name, value in given.items() if name != "preset"}
    return Policy.preset(given["preset"], **changes) if "preset" in given else Policy(**changes)


def _sentence(fault: ErrorDetails, place: Any) -> str:
    """Turn one fault of pydantic into: where, the wrong value, the rule."""
    key = tuple(str(part) for part in fault["loc"])
    value = fault["input"]
    if fault["type"] == "extra_forbidden":
        known = list(_TABLES[key[:-1]].model_fields)
        if len(key) == 1:
            return f"{place(key)}: {unknown_name('table', key[0], known)}"
        return f"{place(key)}: {unknown_name(f'key of [{key[0]}]', key[-1], known)}"
    if fault["type"] in ("model_type", "model_attributes_type"):
        return f"{place(key)}: {value!r} must be a table, [{'.'.join(key)}]"
    if fault["type"] == "literal_error" and isinstance(value, str):
        expected = re.findall(r"'([^']*)'", str(fault.get("ctx", {}).get("expected", "")))
        return f"{place(key)}: {unknown_name('value', value, expected)}"
    if fault["type"] == "value_error":
        return f"{place(key)}: {str(fault['ctx']['error'])}"
    rule = fault["msg"].replace("Input should be", "must be")
    return f"{place(key)}: {_toml(value)} {rule[0].lower()}{rule[1:]}"


def _toml(value: object) -> str:
    """Write a wrong value as the user did."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


_READ_BY = {
    "depth": ("depth",),
    "relaxation": ("relaxed",),
    "compression": ("conservative",),
    "promises": ("conservative",),
    "frozen_reservation": ("easy", "depth", "relaxed"),
    "strict_end": ("easy", "depth", "relaxed"),
    "spare_processors": ("easy", "depth", "relaxed"),
    "backfill_order": ("first-fit", "easy", "depth", "replan", "relaxed"),
}
"""Switches only some backfills read: given with another one they would be ignored in silence."""


def unread_by(backfill: str) -> set[str]:
    """Give the fields of a policy that this backfill does not look at."""
    return {name for name, readers in _READ_BY.items() if backfill not in readers}


def _contradictions(given: Mapping[str, Any], place: Any) -> Iterator[str]:
    """Find switches that fight the preset, or that the chosen backfill never reads."""
    preset = given.get("preset")
    if preset is not None:
        fixed = _fixed_by(preset)
        for name, value in given.items():
            if name in fixed and value != fixed[name]:
                yield (
                    f"{place(('policy', name))}: {_toml(value)} contradicts preset '{preset}', "
                    f"which fixes {name} = {_toml(fixed[name])}; leave one of the two out"
                )
    backfill = given.get("backfill", _policy({"preset": preset}).backfill if preset else "easy")
    for name, readers in _READ_BY.items():
        if name in given and backfill not in readers:
            yield (
                f"{place(('policy', name))}: backfill '{backfill}' does not read {name}, only "
                f"{', '.join(readers)} {'does' if len(readers) == 1 else 'do'}; leave it out or "
                "choose another backfill"
            )


def _fixed_by(preset: str) -> dict[str, Any]:
    """Give the fields that make a preset what it is, order and backfill aside."""
    plain, made = Policy(), Policy.preset(preset)
    free = {"order"} if made.backfill == "as-logged" else {"order", "backfill"}
    return {
        field.name: getattr(made, field.name)
        for field in dataclasses.fields(Policy)
        if field.name not in free and getattr(made, field.name) != getattr(plain, field.name)
    }
