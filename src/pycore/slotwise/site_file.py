"""Sites written in TOML: read, checked whole, every fault reported at once with its place."""

from __future__ import annotations

import contextlib
import dataclasses
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from slotwise import policy_checks
from slotwise.errors import SiteError, texts_of
from slotwise.machine import Processors
from slotwise.nodes import Nodes, NodeType
from slotwise.policy import PRESETS, Policy
from slotwise.policy_checks import ContradictionError
from slotwise.site import LISTS, SINGLES, Site
from slotwise.site_schema import LIST_TABLES, shape_faults
from slotwise.sites.checks import site_faults
from slotwise.sites.faults import Fault, FaultsError, Key, Unsound
from slotwise.torus import Torus

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from slotwise.sites.part import SitePart


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
        ``{"machine": {…}, "policy": {…}, "queue": [{…}, …], …}``; what `Site.to_dict` returns is
        one. A policy has the fields of `Policy` and ``preset``.
    places : mapping, optional
        Who gave a value, for messages: ``{("policy", "depth"): "--depth"}``.
    default_place : str
        Who gave the others; the file's name.

    Raises
    ------
    SiteError
        Listing every fault, one a line.
    """
    shape = list(shape_faults(document))
    parts = _Parts(document, {fault.key for fault in shape})
    faults = [*shape, *parts.faults]
    faults += site_faults(SimpleNamespace(**parts.fields), parts.broken)
    if faults:
        raise SiteError("\n".join(_told(fault, places or {}, default_place) for fault in faults))
    return Site(**parts.fields)


def _told(fault: Fault, places: Mapping[Key, str], default: str) -> str:
    given = places.get(fault.key)
    if given is None:  # by way of one of its parts
        depth = len(fault.key)
        given = next((p for key, p in places.items() if depth and key[:depth] == fault.key), None)
    return f"{given}: {fault.text}" if given else f"{default}: {fault}"


class _Parts:
    """The fields of a site, as far as its tables are right by themselves.

    Parameters
    ----------
    document : mapping
        As of `build`.
    misshapen : set of Key
        Values already found wrong, which are not looked at.

    Attributes
    ----------
    fields : dict of str to object
        For `Site`, those that are right, the others at their defaults; `Unsound` parts in lists.
    faults : list of Fault
        Of values out of their range, or that contradict others of their table.
    broken : frozenset of str
        Fields with any fault, but for lists of which single parts have one.
    """

    def __init__(self, document: Mapping[str, Any], misshapen: set[Key]) -> None:
        self._misshapen = misshapen
        self.faults: list[Fault] = []
        self.fields: dict[str, Any] = dict.fromkeys(LISTS, ())
        self.fields |= {name: kind() for name, kind in SINGLES.items()}
        self.fields |= {"machine": None, "policy": Policy(), "dependencies": False}
        tables = {table: value for table, value in document.items() if (table,) not in misshapen}
        if "machine" in tables:
            self._machine(self._sound(tables["machine"], ("machine",)))
        if "policy" in tables:
            self._policy(self._sound(tables["policy"], ("policy",)))
        for name, (table, kind) in LISTS.items():
            self.fields[name] = tuple(
                self._part(kind, item, (table, index)) or _unsound(item)
                for index, item in enumerate(tables.get(table, ()))
            )
        for name, kind in SINGLES.items():
            if name in tables:
                self.fields[name] = self._part(kind, tables[name], (name,)) or kind()
        self.fields["dependencies"] = tables.get("dependencies", False)
        found = {key[:1] if key[0] not in LIST_TABLES else key for key in misshapen}
        found |= {fault.key[:1] for fault in self.faults if fault.key[0] not in LIST_TABLES}
        names = {str(key[0]) for key in found if len(key) == 1}
        self.broken = frozenset(LIST_TABLES[n][0] if n in LIST_TABLES else n for n in names)

    def _sound(self, table: Mapping[str, Any], key: Key) -> dict[str, Any]:
        return {name: v for name, v in table.items() if (*key, name) not in self._misshapen}

    def _machine(self, table: Mapping[str, Any]) -> None:
        if "nodes" in table:
            self._nodes(table)
            return
        if "placement" in table:
            text = "is of a machine of nodes; give [machine] nodes, or leave it out"
            self.faults.append(Fault(("machine", "placement"), text))
        count = table.get("processors")
        if "torus" in table:
            self._torus(table)
            return
        if ("machine", "torus") not in self._misshapen:
            self.faults += [
                Fault(("machine", name), "is of a torus; give torus = [6, 6, 4], or leave it out")
                for name in ("order", "processors_per_node")
                if name in table
            ]
        try:
            self.fields["machine"] = None if count is None else Processors(count)
        except SiteError:
            text = f"{count} must lie between 1 and 2147483647"
            self.faults.append(Fault(("machine", "processors"), text))

    def _torus(self, table: Mapping[str, Any]) -> None:
        if "processors" in table:
            text = "a torus has the processors of its nodes; leave out this, or torus"
            self.faults.append(Fault(("machine", "processors"), text))
        names = ("order", "processors_per_node")
        given = {name: table[name] for name in names if name in table}
        try:
            self.fields["machine"] = Torus(table["torus"], **given)
        except FaultsError as wrong:
            self.faults += [Fault(("machine", *fault.key), fault.text) for fault in wrong.faults]

    def _nodes(self, table: Mapping[str, Any]) -> None:
        self.faults += [
            Fault(("machine", name), "stands beside nodes, which say what there is; leave one out")
            for name in ("processors", "torus", "order", "processors_per_node")
            if name in table
        ]
        types = []
        for index, given in enumerate(table["nodes"]):
            try:
                types.append(NodeType(**given))
            except (SiteError, TypeError) as fault:
                text = str(fault)
                lacking = [name for name in ("count", "cores") if name not in given]
                if lacking:
                    text = (
                        f"has no {' and no '.join(lacking)}; a type of nodes is written as "
                        "{count = 32, cores = 16, gpus = 2}"
                    )
                self.faults.append(Fault(("machine", "nodes", index), text))
        if len(types) < len(table["nodes"]):
            return
        try:
            self.fields["machine"] = Nodes(types, table.get("placement", "least-scarce"))
        except SiteError as fault:
            self.faults.append(Fault(("machine", "nodes"), str(fault)))

    def _policy(self, table: Mapping[str, Any]) -> None:
        faults = list(_refused(table))
        if not faults:
            faults = list(_contradictions(table))
        self.faults += faults
        wrong = {fault.key[1] for fault in faults}
        rest = {name: value for name, value in table.items() if name not in wrong}
        with contextlib.suppress(SiteError):  # a value at its default may contradict others
            self.fields["policy"] = Policy.from_dict(rest)

    def _part(self, kind: type[SitePart], table: Any, key: Key) -> SitePart | None:
        """Make one part, if nothing in it is known to be wrong."""
        if any(bad[: len(key)] == key for bad in self._misshapen):
            return None
        try:
            return kind(**table)
        except FaultsError as wrong:
            self.faults += [Fault((*key, *fault.key), fault.text) for fault in wrong.faults]
        return None


def _unsound(item: object) -> Unsound:
    if not isinstance(item, dict):
        return Unsound("")
    name, pools = item.get("name"), item.get("pools")
    named = [*(pools if isinstance(pools, list) else ()), item.get("pool")]
    return Unsound(
        name if isinstance(name, str) else "", tuple(p for p in named if isinstance(p, str))
    )


def unread_by(backfill: str) -> set[str]:
    """Give the fields of a policy that this backfill does not look at."""
    return policy_checks.unread_by(backfill, {f.name for f in dataclasses.fields(Policy)})


def _refused(policy: Mapping[str, Any]) -> Iterator[Fault]:
    """Find values out of their range, by making a policy with nothing else given."""
    for name, value in policy.items():
        try:
            Policy.from_dict({name: value})
        except ContradictionError:
            continue  # with the other values it may be none
        except SiteError as fault:
            for text in texts_of(fault):
                yield Fault(("policy", name), text.removeprefix(f"{name}: "))


def _contradictions(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Find switches that fight the preset, or that nothing reads; even at their default."""
    preset = given.get("preset")
    fixed = PRESETS[preset] if preset is not None else {}
    for name, why in policy_checks.preset_clashes(preset or "", fixed, given):
        yield Fault(("policy", name), why)
    defaults = {field.name: field.default for field in dataclasses.fields(Policy)}
    values = defaults | fixed | {name: given[name] for name in given if name != "preset"}
    carried = policy_checks.carried(values, PRESETS)
    for name, why in policy_checks.unread(values).items():
        if name in given and name not in fixed and name not in carried:
            yield Fault(("policy", name), why)
