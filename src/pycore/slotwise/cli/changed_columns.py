"""The columns of ``compare --with``: the unchanged site, then one column per set of changes."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from slotwise.cli.adapted_queues import adapted_queues
from slotwise.cli.changes import parse_changes, settings_of, title_of
from slotwise.cli.settings import DEFAULT, held_value
from slotwise.cli.site_argument import merged_tables
from slotwise.errors import SiteError
from slotwise.site.build import build
from slotwise.site.faults import dotted
from slotwise.site.machine.hostlist import expanded, folded
from slotwise.site.machine.nodes import MOST_NODES, Nodes
from slotwise.site.machine.resized_hosts import resized_hosts
from slotwise.site.toml import reader as toml_reader
from slotwise.terminal.exits import UsageError
from slotwise.terminal.numbers import shortened
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from slotwise.cli.changes import Change
    from slotwise.cli.settings import Written
    from slotwise.site import Site
    from slotwise.site.faults import Key


def check_changes_alone(
    changes: Sequence[str], sites: Sequence[Path], others: Mapping[str, object]
) -> None:
    """Check that ``--with`` is used with one site and without options that add other columns.

    Parameters
    ----------
    changes : sequence of str
        Values of ``--with``.
    sites : sequence of path
        The site files.
    others : mapping of str to object
        The other options that add columns, with their values.

    Raises
    ------
    UsageError
    """
    first = f"--with {shortened(changes[0])}"
    for option, value in others.items():
        if value:
            raise UsageError(
                f"{first} adds a column for a variant of the site and cannot be combined with "
                f"{option}, which adds other columns; leave {option} out, or write it as a "
                "change, such as --with policy.backfill=easy"
            )
    if len(sites) != 1:
        given = f"{len(sites)} are given" if sites else "none is given"
        remedy = "pass only one" if sites else "pass one: compare LOG SITE.toml --with KEY=VALUE"
        raise UsageError(f"{first} needs exactly one site file, but {given}; {remedy}")


def changed_columns(
    name: str, file: Path, common: Written, changes: Sequence[str]
) -> list[tuple[str, Site]]:
    """Build the site that a file describes, and one changed site for each ``--with``.

    Parameters
    ----------
    name : str
        Title of the first column.
    file : Path
    common : Written
        Values of ``--set``, ``--processors`` and ``--nodes``, which apply to all columns.
    changes : sequence of str
        Values of ``--with``.

    Returns
    -------
    list of (str, Site)

    Raises
    ------
    UsageError, SiteError
        For a change that the site does not allow.
    """
    tables, places = merged_tables(file, toml_reader.read_document(file), common)
    base = build(tables, places, default_place=file)
    columns = [(name, base)]
    for number, written in enumerate(changes):
        if written in changes[:number]:
            raise UsageError(f"--with {shortened(written)} is given twice; remove one")
        parsed = parse_changes(written)
        title = title_of(parsed)
        if title in dict(columns):
            title = written.strip()
        columns.append((title, _changed_site(file, base, tables, places, parsed)))
    return columns


def _changed_site(
    file: Path,
    base: Site,
    tables: dict[str, Any],
    places: Mapping[Key, str],
    changes: list[Change],
) -> Site:
    counted = _with_counts(tables, base)
    settings = settings_of(changes, counted, base)
    settings = _with_hosts(base, counted, settings)
    changed, given = merged_tables(file, tables, settings)
    try:
        site = build(changed, {**places, **given}, default_place=file)
    except SiteError as fault:
        raise SiteError(f"{_new_hosts(settings)}{fault}") from None
    _check_reached(base, site, changes)
    return site


def _new_hosts(settings: Written) -> str:
    """Return lines that list the new hosts, to be printed before the error for a changed site."""
    return "".join(
        f"{place}: this changes the hosts to {shortened(hosts)}; change the rest of the site to "
        "match\n"
        for key, (place, hosts) in settings.items()
        if len(key) == 4 and key[-1] == "hosts" and not place.partition("=")[0].endswith("hosts")
    )


def _with_counts(tables: Mapping[str, Any], site: Site) -> dict[str, Any]:
    """Return the tables with a node count for every type, even for types with only a host list."""
    counted = copy.deepcopy(dict(tables))
    if isinstance(site.machine, Nodes):
        for table, kind in zip(counted["machine"]["nodes"], site.machine.types, strict=True):
            table["count"] = kind.count
    return counted


def _with_hosts(base: Site, counted: dict[str, Any], settings: Written) -> Written:
    """Check new node counts, and adapt the host lists of node types and queues to them."""
    machine, replaced = base.machine, dict(settings)
    names: dict[int, list[str]] = {}
    if not isinstance(machine, Nodes):
        return replaced
    for key, (place, value) in settings.items():
        if len(key) != 4 or key[:2] != ("machine", "nodes") or key[-1] != "count":
            continue
        path, old = held_value(counted, key, place)
        if not isinstance(value, int) or isinstance(value, bool) or value > MOST_NODES:
            continue  # an invalid node count is reported later
        if value < 1:
            raise UsageError(
                f"{place} would leave {value} of {plural(old, 'node')}, but a node type needs at "
                f"least 1; set {dotted(key)} to 1 or more"
            )
        number, hosts_key = int(path[2]), (*key[:-1], "hosts")
        kind = machine.types[number]
        if hosts_key not in settings and kind.hosts:
            hosts = _hosts_for(machine, number, value, place)
            replaced[hosts_key] = (place, hosts)
            replaced[key] = (place, DEFAULT)
            names[number] = expanded(hosts, MOST_NODES)
        elif kind.name and not kind.hosts:
            names[number] = [f"{kind.name}{n}" for n in range(1, value + 1)]
    return replaced | _queues_for(base, counted, settings, names)


def _queues_for(
    base: Site, counted: dict[str, Any], settings: Written, names: Mapping[int, Sequence[str]]
) -> Written:
    """Adapt the node lists of queues, except lists that are themselves among the changes."""
    if not names or not isinstance(base.machine, Nodes):
        return {}
    first = next(place for key, (place, _) in settings.items() if key[-1] == "count")
    typed = [held_value(counted, key, place)[0] for key, (place, _) in settings.items()]
    if any(path[0] == "queue" and len(path) < 3 for path in typed):
        return {}
    return {
        key: (first, lists)
        for number, lists in adapted_queues(base.machine, base.queues, names).items()
        if (key := ("queue", number, "nodes")) not in typed
    }


def _hosts_for(machine: Nodes, place_of_type: int, count: int, place: str) -> str:
    kind = machine.types[place_of_type]
    try:
        return resized_hosts(kind.hosts, count, MOST_NODES, machine.names)
    except ValueError as fault:
        raise UsageError(
            f"{place}: {fault}; set the whole list of hosts instead, with "
            f"{dotted(('machine', 'nodes', kind.name or place_of_type, 'hosts'))}=LIST"
        ) from None


def _check_reached(base: Site, site: Site, changes: list[Change]) -> None:
    """Refuse new nodes if every queue has a list of nodes, and none includes a new node."""
    if not isinstance(base.machine, Nodes) or not isinstance(site.machine, Nodes):
        return
    if not site.queues or not all(queue.nodes for queue in site.queues):
        return
    before = set(base.machine.names)
    new = [name for name in site.machine.names if name not in before]
    taken = {
        site.machine.names[number]
        for queue in site.queues
        for number in site.machine.select(queue.nodes).tolist()
    }
    if new and taken.isdisjoint(new):
        place = next(c.place for c in changes if c.key[:2] == ("machine", "nodes"))
        raise UsageError(
            f"{place}: no queue includes the new nodes {shortened(folded(new))}; add "
            'their type to a queue, for example with nodes = ["type:NAME"]'
        )
