"""Sites written in TOML: read, checked whole, every fault reported at once with its place."""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise import policy_checks
from slotwise.errors import MissingExtraError, SiteError
from slotwise.machine import Processors
from slotwise.order_spec import order_of
from slotwise.policy import PRESETS, Policy
from slotwise.policy_checks import ContradictionError, as_written
from slotwise.site import Site

try:
    from pydantic import ConfigDict, ValidationError, create_model
except ImportError as missing:
    raise MissingExtraError(
        "checking a site needs pydantic, which is not installed; install it with: "
        "pip install 'slotwise[cli]'"
    ) from missing

if TYPE_CHECKING:
    import os

    from pydantic_core import ErrorDetails

Key = tuple[str, ...]
"""Where a value stands in a site: ``("policy", "depth")``."""

Place = Callable[[Key], str]


def _kind(field: dataclasses.Field[Any]) -> type:
    """Give the plain type of a policy's field; what its values may be, :class:`Policy` says."""
    return type(field.default) if isinstance(field.default, (bool, int, float)) else str


_STRICT = ConfigDict(extra="forbid", strict=True)
_POLICY_KINDS: dict[str, Any] = {"preset": str} | {
    f.name: _kind(f) for f in dataclasses.fields(Policy)
}
_ORDERS = ("order", "backfill_order")
_MachineTable = create_model("_MachineTable", __config__=_STRICT, processors=(int, None))
_POLICY_FIELDS: dict[str, Any] = {
    name: (kind | dict[str, Any] if name in _ORDERS else kind, None)
    for name, kind in _POLICY_KINDS.items()
}
_PolicyTable = create_model("_PolicyTable", __config__=_STRICT, **_POLICY_FIELDS)
_SiteTable = create_model(
    "_SiteTable", __config__=_STRICT, machine=(_MachineTable, None), policy=(_PolicyTable, None)
)
_KNOWN: dict[Key, list[str]] = {
    (): list(_SiteTable.model_fields),
    ("machine",): list(_MachineTable.model_fields),
    ("policy",): list(_PolicyTable.model_fields),
}
_RULES = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "a text in quotes",
}


def read_site(path: str | os.PathLike[str]) -> Site:
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
        return tomllib.loads(Path(path).read_bytes().decode())
    except FileNotFoundError:
        raise SiteError(f"{path}: there is no such site file; check the path") from None
    except IsADirectoryError:
        raise SiteError(f"{path} is a folder; name a TOML file") from None
    except OSError as fault:
        raise SiteError(f"{path}: cannot be read ({fault.strerror}); check the path") from None
    except UnicodeDecodeError:
        raise SiteError(f"{path}: not a text in UTF-8; a site is written in TOML") from None
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
        ``{"machine": {…}, "policy": {…}}``; a policy has the fields of :class:`slotwise.Policy`
        and ``preset``.
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

    misshapen = dict(_misshapen(document, place))
    faults = list(misshapen.values())
    machine, policy = (
        {
            name: value
            for name, value in dict(document.get(table, {})).items()
            if (table, name) not in misshapen
        }
        if (table,) not in misshapen
        else {}
        for table in ("machine", "policy")
    )
    faults += _refused(machine, policy, place)
    if not faults:
        faults += _contradictions(policy, place)
    if faults:
        raise SiteError("\n".join(faults))
    count = machine.get("processors")
    return Site(machine=None if count is None else Processors(count), policy=_policy(policy))


def unread_by(backfill: str) -> set[str]:
    """Give the fields of a policy that this backfill does not look at."""
    return policy_checks.unread_by(backfill, {f.name for f in dataclasses.fields(Policy)})


def _misshapen(document: Mapping[str, Any], place: Place) -> Iterator[tuple[Key, str]]:
    """Find unknown tables and keys, and values of a wrong type."""
    try:
        _SiteTable.model_validate(document)
    except ValidationError as invalid:
        for fault in invalid.errors(include_url=False):
            # What follows the second part is pydantic's own word for one of several types.
            key = tuple(str(part) for part in fault["loc"])[:2]
            yield key, _sentence(key, fault, place)
    policy = document.get("policy")
    for name in _ORDERS:
        order = policy.get(name) if isinstance(policy, dict) else None
        if isinstance(order, dict) and (fault_text := _order_table_fault(name, order)):
            yield ("policy", name), f"{place(('policy', name))}: {fault_text}"


def _sentence(key: Key, fault: ErrorDetails, place: Place) -> str:
    """Turn one fault of pydantic into: where, the wrong value, the rule."""
    value = fault["input"]
    if fault["type"] == "extra_forbidden":
        known = _KNOWN[key[:-1]]
        kind = "table" if len(key) == 1 else f"key of [{key[0]}]"
        return f"{place(key)}: {_unknown(kind, key[-1], known)}"
    if len(key) == 1:
        return f"{place(key)}: {as_written(value)} is not a table; write [{key[0]}]"
    if key[-1] in _ORDERS:
        return f"{place(key)}: {as_written(value)} must be a name, or a table with a name"
    kind = _RULES.get(fault["type"].partition("_")[0], fault["msg"])
    return f"{place(key)}: {as_written(value)} must be {kind}"


def _unknown(kind: str, name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"unknown {kind} '{name}'; {hint}known are: {', '.join(names)}"


def _order_table_fault(name: str, order: Mapping[str, Any]) -> str | None:
    try:
        order_of(name, order)
    except SiteError as fault:
        return str(fault)
    return None


def _refused(machine: Mapping[str, Any], policy: Mapping[str, Any], place: Place) -> Iterator[str]:
    """Find values out of their range, by making the thing they are for with nothing else given."""
    if "processors" in machine:
        try:
            Processors(machine["processors"])
        except SiteError:
            yield (
                f"{place(('machine', 'processors'))}: {machine['processors']} must lie between 1 "
                "and 2147483647"
            )
    for name, value in policy.items():
        try:
            _policy({name: value})
        except ContradictionError:
            continue  # with the other values it may be none
        except SiteError as fault:
            yield f"{place(('policy', name))}: {fault}"


def _policy(given: Mapping[str, Any]) -> Policy:
    changes = {name: value for name, value in given.items() if name != "preset"}
    return Policy.preset(given["preset"], **changes) if "preset" in given else Policy(**changes)


def _contradictions(given: Mapping[str, Any], place: Place) -> Iterator[str]:
    """Find switches that fight the preset, or that nothing reads; even at their default."""
    preset = given.get("preset")
    fixed = PRESETS[preset] if preset is not None else {}
    for name, why in policy_checks.preset_clashes(preset or "", fixed, given):
        yield f"{place(('policy', name))}: {why}"
    defaults = {field.name: field.default for field in dataclasses.fields(Policy)}
    values = defaults | fixed | {name: given[name] for name in given if name != "preset"}
    for name, why in policy_checks.unread(values).items():
        if name in given and name not in fixed:
            yield f"{place(('policy', name))}: {why}"
