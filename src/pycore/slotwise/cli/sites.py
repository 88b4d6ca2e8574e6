"""The site a command line describes: a file, then ``--set``, then options, checked as one."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from slotwise import site_file
from slotwise.cli.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from slotwise import Site
    from slotwise.site_file import Key


def site_of(
    file: Path | None,
    processors: str | None,
    options: Mapping[str, Any],
    settings: Iterable[str] = (),
) -> Site:
    """Make the site.

    Parameters
    ----------
    file : Path or None
        A TOML file to start from.
    processors : str or None
        ``--processors``, which takes the place of the file's.
    options : mapping
        Policy fields given as options, which take the place of the file's.
    settings : iterable of str
        ``--set`` values, such as ``policy.depth=4``.

    Raises
    ------
    SiteError, UsageError
        For an unknown or impossible value, and for values that contradict each other.
    """
    written: dict[Key, tuple[str, Any]] = {}
    for setting in settings:
        key, value = parse_setting(setting)
        _add(written, key, f"--set {setting}", value)
    for field, value in options.items():
        flag = ("--no-" if value is False else "--") + field.replace("_", "-")
        typed = parse_value(value) if field in ("depth", "relaxation") else value
        _add(written, ("policy", field), flag, typed)
    if processors is not None:
        _add(written, ("machine", "processors"), "--processors", parse_value(processors))
    return merged_site(file, written)


def merged_site(file: Path | None, written: Mapping[Key, tuple[str, Any]]) -> Site:
    """Put what was written on the command line over a site file, and check the whole."""
    document: dict[str, Any] = {}
    if file is not None:
        document = site_file.read_document(file)
        site_file.build(document, default_place=str(file))
    policy = dict(document.get("policy", {}))
    if ("policy", "preset") in written and policy:
        raise UsageError(
            f"{written['policy', 'preset'][0]} and the table [policy] of {file} both choose the "
            "policy; leave the option out, or the table"
        )
    backfill = written.get(("policy", "backfill"))
    if backfill is not None:
        unread = site_file.unread_by(str(backfill[1]))
        policy = {name: value for name, value in policy.items() if name not in unread}
    tables: dict[str, Any] = {**document}
    if policy:
        tables["policy"] = policy
    for key, (_place, value) in written.items():
        table = dict(tables.get(key[0], {}))
        table[key[1]] = value
        tables[key[0]] = table
    places = {key: place for key, (place, _value) in written.items()}
    return site_file.build(tables, places, default_place=str(file or "site"))


def parse_setting(setting: str) -> tuple[Key, Any]:
    """Split ``policy.depth=4`` into its key and its value, which is TOML or else plain text."""
    name, equals, raw = setting.partition("=")
    key = tuple(part.strip() for part in name.split("."))
    if not equals or len(key) != 2 or not all(key):
        raise UsageError(
            f"--set {setting}: must be table.key=value; write for example --set policy.depth=4"
        )
    return key, parse_value(raw)


def parse_value(raw: str) -> Any:
    """Read a value as TOML does, a word without quotes as text."""
    if "\n" in raw:
        return raw.strip()
    try:
        return tomllib.loads(f"value = {raw}")["value"]
    except tomllib.TOMLDecodeError:
        return raw.strip()


def _add(written: dict[Key, tuple[str, Any]], key: Key, place: str, value: Any) -> None:
    if key in written and written[key][1] != value:
        raise UsageError(
            f"{written[key][0]} and {place} {value} contradict each other: both set "
            f"{'.'.join(key)}; leave one of them out"
        )
    written[key] = (place, value)
