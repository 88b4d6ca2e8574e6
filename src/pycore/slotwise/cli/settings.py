"""``--set KEY=VALUE``: one value of a site, at any depth."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

from slotwise.site.faults import dotted
from slotwise.site.fields import LISTS
from slotwise.site.names import unknown_name
from slotwise.site.policy.policy_checks import ORDER_FIELDS
from slotwise.site.toml.schema import known_keys, unknown_key_of
from slotwise.site.toml.text import DEEPEST, TomlBoundsError, TomlError, parsed
from slotwise.terminal.exits import UsageError
from slotwise.written_values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slotwise.site.faults import Key

_TABLES = {table for table, _ in LISTS.values()}
_UNQUOTED = re.compile(r"\[\s*[A-Za-z_][^\[\]\"'{}=]*\]")
"""Matches a list of unquoted words, but not a list of hosts such as ``[01-16]``."""
_PART = re.compile(r'\s*(?:"([^"]*)"|([^\s.\[\]"=]+(?: [^\s.\[\]"=]+)*))((?:\[[0-9]{1,5}\])*)\s*')

Written = dict["Key", tuple[str, Any]]
"""Values from the command line, by key, each with the option that gives it."""

DEFAULT = object()
"""Marks a missing value: ``--set limits.running=`` removes the value in the file."""


def parse_setting(setting: str, option: str = "--set") -> tuple[Key, Any]:
    """Split ``queue[0].priority=3`` into its key and its value, which is TOML or plain text.

    A missing value becomes `DEFAULT`. Error messages begin with `option`.

    Raises
    ------
    UsageError
        For any other form.
    """
    key: list[str | int] = []
    position = 0
    while match := _PART.match(setting, position):
        key.append(match[2] if match[1] is None else match[1])
        key += [int(index) for index in re.findall(r"[0-9]+", match[3])]
        position = match.end()
        if setting[position : position + 1] != ".":
            break
        position += 1
        if len(key) > DEEPEST:
            raise UsageError(
                f"{option} {shown(setting)}: the key has more than {DEEPEST} parts; a site "
                "needs at most five: shorten the key"
            )
    complete = bool(key) and setting[position : position + 1] == "="
    if not complete or setting[position - 1] == ".":
        raise UsageError(
            f"{option} {setting} must be key=value; write, for example, {option} policy.depth=4, "
            f"or {option} queue.small.priority=3"
        )
    raw = setting[position + 1 :].strip()
    return tuple(key), parse_value(raw, f"{option} {dotted(tuple(key))}") if raw else DEFAULT


def parse_value(raw: str, place: str) -> Any:
    """Read a value as TOML; a word without quotes is text.

    Raises
    ------
    UsageError
        For a value nested too deeply, a number with too many digits, or a list of unquoted
        strings.
    """
    if "\n" in raw:
        return raw.strip()
    try:
        return parsed(f"value = {raw}")["value"]
    except TomlBoundsError as fault:
        raise UsageError(f"{place} {shown(raw)}: {fault}") from None
    except TomlError:
        if _UNQUOTED.fullmatch(raw):
            quoted = ", ".join(f'"{each.strip()}"' for each in raw[1:-1].split(","))
            raise UsageError(
                f"{place} {shown(raw)}: strings in a list need quotes; write [{quoted}], and "
                "enclose the whole setting in single quotes for the shell"
            ) from None
        return raw.strip()


def add(written: Written, key: Key, place: str, value: Any) -> None:
    """Record a value.

    Raises
    ------
    UsageError
        If another option gives the same key a different value.
    """
    if key in written and written[key][1] != value:
        raise _contradiction(key, written[key], (place, value))
    written[key] = (place, value)


def _contradiction(key: Key, *given: tuple[str, Any]) -> UsageError:
    first, second = (
        place
        if place.startswith(("--set ", "--with ")) or isinstance(value, bool)
        else f"{place} {value}"
        for place, value in given
    )
    return UsageError(
        f"{first} and {second} contradict each other: both set {dotted(key)}; remove one of them"
    )


def with_settings(
    document: Mapping[str, Any], written: Written
) -> tuple[dict[str, Any], dict[Key, str]]:
    """Apply values from the command line to the tables of a site.

    Returns
    -------
    document : dict
        A copy with the values.
    places : dict of Key to str
        The option that set each value, by its key in the copy. In these keys, positions replace the
        names of queues and pools.

    Raises
    ------
    UsageError
        If an option refers to a missing entry of a list, sets a parameter of an order that is not
        named, or contradicts another option. Two options contradict each other if they give one
        key different values, even if one names the key by position or sets the table around it.
    """
    tables = copy.deepcopy(dict(document))
    given: Written = {}
    parameters: list[tuple[Key, str, Any]] = []
    for key, (place, value) in sorted(written.items(), key=lambda item: len(item[0])):
        table, path = _reach(tables, key, place)
        above = [path[:depth] for depth in range(len(path), 0, -1) if path[:depth] in given]
        if above and _holds_another(table, path[-1], value):
            raise _contradiction(path, given[above[0]], (place, value))
        _write(table, path, place, value)
        given[path] = (place, value)
        if len(path) > 2 and path[0] != "machine" and path[-2] in ORDER_FIELDS:
            parameters.append((path, place, table))
    for path, place, table in parameters:
        _check_order(path, place, table, given)
    return tables, {path: place for path, (place, _value) in given.items()}


def held_value(tables: dict[str, Any], key: Key, place: str) -> tuple[Key, Any]:
    """Find a value in the tables of a site; missing tables on the way to it are created.

    Returns
    -------
    path : Key
        The key, with queues, pools and node types given by position instead of name.
    value : Any
        `DEFAULT` if the site leaves it out.

    Raises
    ------
    UsageError
        If `key` refers to a missing entry of a list.
    """
    table, path = _reach(tables, key, place)
    if isinstance(table, dict):
        return path, table.get(path[-1], DEFAULT)
    return path, table[path[-1]]


def _write(table: Any, path: Key, place: str, value: Any) -> None:
    if value is not DEFAULT:
        table[path[-1]] = value
    elif isinstance(table, dict):
        if path[-1] not in table:
            check_known(path, place)
        table.pop(path[-1], None)
    else:
        raise UsageError(
            f"{place}: an entry in a list has no default; set the whole list instead, with "
            f"{dotted(path[:-1])}=LIST"
        )


def _check_order(path: Key, place: str, table: Any, given: Written) -> None:
    """Refuse a parameter of an order that neither the file nor another option names."""
    written = isinstance(table, dict) and all((*path[:-1], key) in given for key in table)
    if written and "name" not in table:  # only options set this table, and none sets its name
        order = dotted(path[:-1])
        raise UsageError(
            f"{place}: this parameter needs a named order; also set {order}.name, for example to "
            "priority"
        )


def check_known(path: Key, place: str) -> None:
    """Refuse a key that no site has; wrong keys in the file are found when the file is checked."""
    if path[0] not in known_keys() and (hint := _above(path)):
        raise UsageError(f"{place}: a site has no table '{path[0]}'; did you mean '{hint}'?")
    table = None if len(path) == 1 else str(path[0])
    names = [step for step in path if isinstance(step, str)]
    known = known_keys()
    if table in known and len(names) == 2:
        known = known_keys(table)
    elif len(names) != 1:
        return  # not checked here: a key of an order, or of an unknown table
    if names[-1] not in known:
        what = "table" if len(names) == 1 else f"{table} key"
        raise UsageError(
            f"{place}: {unknown_key_of(what, names[-1], table if len(names) == 2 else None)}"
        )


def _above(path: Key) -> str:
    """Prefix a key with the table that has it; return an empty string if no table has it."""
    tables = ("machine", "policy", "limits")
    return next((dotted((t, *path)) for t in tables if path[0] in known_keys(t)), "")


def _holds_another(table: Any, step: str | int, value: Any) -> bool:
    held = table.get(step, value) if isinstance(table, dict) else table[step]
    return bool(held != value)


def _reach(tables: dict[str, Any], key: Key, place: str) -> tuple[Any, Key]:
    """Return a key's table, created if missing, and the key with names replaced by positions."""
    path: list[str | int] = []
    here: Any = tables
    for step in key[:-1]:
        step = _position(path, here, step, place)
        if isinstance(here, dict) and step not in here:
            here[step] = [] if not path and step in _TABLES else {}
        if path == ["policy"] and step in ORDER_FIELDS and isinstance(here[step], str):
            here[step] = {"name": here[step]}
        here = here[step]
        path.append(step)
        if not isinstance(here, dict | list):
            raise UsageError(
                f"{place}: {'.'.join(map(str, path))} is {here!r}, which has no keys{_beside(key)}"
            )
    last = _position(path, here, key[-1], place)
    return here, (*path, last)


def _beside(key: Key) -> str:
    """Suggest the right key if a key of [policy] was written as one of ``policy.backfill``."""
    name = str(key[-1])
    if key[:-1] != ("policy", "backfill") or name not in known_keys("policy"):
        return ""
    return f"; did you mean 'policy.{name}'?"


def _position(path: list[str | int], here: Any, step: str | int, place: str) -> str | int:
    """Find an entry of a list of tables by its name, or by its position from 0."""
    table = ".".join(map(str, path))
    if isinstance(here, dict):
        if isinstance(step, int):
            raise UsageError(f"{place}: '{table}' is not a list; leave [{step}] out")
        return step
    if isinstance(step, int):
        if not here:
            raise UsageError(
                f"{place}: the site has no {table}; add a [[{table}]] table to a site file"
            )
        if step >= len(here):
            raise UsageError(
                f"{place}: there is no {table}[{step}]; {table} tables are numbered from 0, and "
                f"the site has {len(here)}"
            )
        return step
    names = [entry.get("name") for entry in here if isinstance(entry, dict)]
    if step in names:
        return names.index(step)
    known = [name for name in names if isinstance(name, str)]
    if not here:
        raise UsageError(
            f"{place}: the site has no {table}; add a [[{table}]] table to a site file"
        )
    if not known:
        raise UsageError(
            f"{place}: no {table} of the site has a name; use its index, as in {table}[0]"
        )
    raise UsageError(f"{place}: {unknown_name(table, step, known)}")
