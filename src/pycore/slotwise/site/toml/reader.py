"""Reads and checks sites in TOML; all faults are reported together, each with its place."""

from __future__ import annotations

import contextlib
import difflib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from slotwise.errors import SiteError
from slotwise.site.checks import site_faults
from slotwise.site.faults import Fault, FaultsError, Key, Unsound, faults_at
from slotwise.site.fields import LISTS, SINGLES
from slotwise.site.machine import Processors
from slotwise.site.machine.nodes import Nodes, NodeType
from slotwise.site.machine.torus import Torus
from slotwise.site.policy import PRESETS, Policy, flat, policy_checks, policy_defaults
from slotwise.site.policy.policy_checks import ContradictionError
from slotwise.site.toml.key_lines import line_of, lines_of_keys
from slotwise.site.toml.schema import LIST_TABLES, known_keys, shape_faults
from slotwise.site.toml.text import TomlError, check_values, parsed

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from slotwise.site.parts.part import SitePart

_MOST_BYTES = 16 << 20


_SLURM_LINE = re.compile(
    r"^\s*(ClusterName|SlurmctldHost|ControlMachine|NodeName|PartitionName)\s*=\s*[^\s\"'\[{]",
    re.IGNORECASE | re.MULTILINE,
)


def is_slurm_conf(text: str) -> bool:
    """Return True if a text has a line in slurm.conf syntax, such as ``NodeName=n1 CPUs=16``."""
    return _SLURM_LINE.search(text) is not None


def slurm_conf_remedy(path: str | os.PathLike[str]) -> str:
    """Suggest the command that creates a site file from a slurm.conf."""
    return (
        "it looks like a slurm.conf; create a site file from it with "
        f"'slotwise site from-slurm {path} > site.toml'"
    )


def read_fields(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the fields of a site from a TOML file, for ``Site(**fields)``.

    Raises
    ------
    SiteError
        If the file has faults; the message names the file and lists them, one per line.
    """
    return fields_of(read_document(path), default_place=Path(path))


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the TOML file of a site without checking the site.

    Raises
    ------
    SiteError
        If the file cannot be read or is not TOML.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise SiteError(
                f"{path} is too large for a site file (more than {_MOST_BYTES:,} bytes); check the "
                "path"
            )
        text = data.decode("utf-8-sig")
        return parsed(text)
    except FileNotFoundError:
        raise SiteError(f"{path}: there is no such site file; check the path") from None
    except IsADirectoryError:
        raise SiteError(f"{path} is a folder; use a TOML file") from None
    except OSError as fault:
        raise SiteError(f"{path}: cannot be read ({fault.strerror}); check the path") from None
    except UnicodeDecodeError:
        raise SiteError(f"{path} is not UTF-8 text; use a TOML file in UTF-8") from None
    except TomlError as fault:
        place = path if fault.line is None else f"{path}:{fault.line}"
        remedy = f"; {slurm_conf_remedy(path)}" if is_slurm_conf(text) else ""
        raise SiteError(f"{place}: {fault}{remedy}") from None


def fields_of(
    document: Mapping[str, Any],
    places: Mapping[Key, str] | None = None,
    *,
    default_place: str | Path = "site",
) -> dict[str, Any]:
    """Build the fields of a site, for ``Site(**fields)``, from tables as in TOML.

    Parameters
    ----------
    document : mapping
        ``{"machine": {…}, "policy": {…}, "queue": [{…}, …], …}``; `Site.to_dict` returns such a
        mapping. A policy has the fields of `Policy` and ``preset``.
    places : mapping, optional
        Source of a value, for messages: ``{("policy", "depth"): "--depth"}``.
    default_place : str or Path
        Source of all other values. For a file, messages also name the line.

    Raises
    ------
    SiteError
        If there are faults; the message lists them, one per line.
    """
    try:
        check_values(document)
    except TomlError as fault:
        raise SiteError(f"{default_place}: {fault}") from None
    shape = list(shape_faults(document))
    parts = _Parts(document, {fault.key for fault in shape})
    faults = [*shape, *parts.faults]
    faults += site_faults(SimpleNamespace(**parts.fields), parts.broken)
    if faults:
        lines = lines_of_keys(default_place) if isinstance(default_place, Path) else {}
        told = (_told(fault, places or {}, str(default_place), lines) for fault in faults)
        raise SiteError("\n".join(told))
    return parts.fields


def _told(fault: Fault, places: Mapping[Key, str], default: str, lines: Mapping[Key, int]) -> str:
    depth = len(fault.key)
    for length in range(depth, 0, -1):  # look up the value, then its table
        if (given := places.get(fault.key[:length])) is not None:
            return f"{given}: {Fault(fault.key[length:], fault.text)}"
    # If the fault concerns a whole table, use the place of one of its values.
    given = next((p for key, p in places.items() if depth and key[:depth] == fault.key), None)
    if given:
        return f"{given}: {fault.text}"
    line = line_of(fault.key, lines)
    return f"{default}: {fault}" if line is None else f"{default}:{line}: {fault}"


class _Parts:
    """The fields of a site, from tables that are checked one by one.

    Parameters
    ----------
    document : mapping
        As in `fields_of`.
    misshapen : set of Key
        Values already found wrong, which are skipped.

    Attributes
    ----------
    fields : dict of str to object
        Fields for `Site`. A list item with wrong fields is `Unsound`; in any other part,
        wrong fields have the value `UNKNOWN`.
    faults : list of Fault
        Faults of values that are out of range or contradict others in their table.
    broken : frozenset of str
        Single-valued fields that are faulty, and list fields whose value is not a list.
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
                self._part(kind, item, (table, index))
                for index, item in enumerate(tables.get(table, ()))
            )
        for name, kind in SINGLES.items():
            if name in tables:
                part = self._part(kind, tables[name], (name,))
                self.fields[name] = part.part if isinstance(part, Unsound) else part
        self.fields["dependencies"] = tables.get("dependencies", False)
        self.broken = frozenset(self._broken(document))

    def _broken(self, document: Mapping[str, Any]) -> Iterator[str]:
        for key in (*self._misshapen, *(fault.key for fault in self.faults)):
            table = str(key[0])
            if table in LIST_TABLES:
                if len(key) == 1:
                    yield LIST_TABLES[table][0]
            elif len(key) > 1 and key[1] in known_keys(table):
                yield table
            elif len(key) == 1:
                yield from _meant(table) if table not in known_keys() else [table]
        machine = document.get("machine")
        if isinstance(machine, dict) and machine and self.fields["machine"] is None:
            yield "machine"  # an unknown key may be a misspelt key of the machine

    def _sound(self, table: Mapping[str, Any], key: Key) -> dict[str, Any]:
        return {name: v for name, v in table.items() if (*key, name) not in self._misshapen}

    def _machine(self, table: Mapping[str, Any]) -> None:
        if "nodes" in table:
            self._nodes(table)
            return
        text = "this applies only to a machine with nodes; set [machine] nodes, or remove this key"
        self.faults += [
            Fault(("machine", name), text)
            for name in ("placement", "whole_nodes", "logged_nodes")
            if name in table
        ]
        count = table.get("processors")
        if "torus" in table:
            self._torus(table)
            return
        if ("machine", "torus") not in self._misshapen:
            self.faults += [
                Fault(
                    ("machine", name),
                    "this applies only to a torus; set torus, such as torus = [6, 6, 4], or remove "
                    "this key",
                )
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
            text = "the nodes of a torus determine its processors; remove processors, or torus"
            self.faults.append(Fault(("machine", "processors"), text))
        names = ("order", "processors_per_node")
        given = {name: table[name] for name in names if name in table}
        try:
            self.fields["machine"] = Torus(table["torus"], **given)
        except FaultsError as wrong:
            self.faults += [Fault(("machine", *fault.key), fault.text) for fault in wrong.faults]

    def _nodes(self, table: Mapping[str, Any]) -> None:
        self.faults += [
            Fault(
                ("machine", name),
                "it is given together with nodes, which describe the whole machine; leave one of "
                "the two out",
            )
            for name in ("processors", "torus", "order", "processors_per_node")
            if name in table
        ]
        types: list[NodeType] = []
        faults: list[Fault] = []
        for index, given in enumerate(table["nodes"]):
            key: Key = ("machine", "nodes", index)
            needed = ("cores",) if "hosts" in given else ("count", "cores")
            missing = [name for name in needed if name not in given]
            try:
                types.append(NodeType(**dict.fromkeys(missing, 1) | given))
            except FaultsError as wrong:
                faults += faults_at(key, wrong)
            faults += [
                Fault(
                    (*key, name),
                    "the value is missing; a node type is written as {count = 32, cores = 16}",
                )
                for name in missing
            ]
        self.faults += faults
        if faults:
            return
        try:
            self.fields["machine"] = Nodes(
                types,
                table.get("placement", "least-scarce"),
                whole_nodes=table.get("whole_nodes", False),
                logged_nodes=table.get("logged_nodes", False),
            )
        except SiteError as fault:
            self.faults += faults_at(("machine", "nodes"), fault)

    def _policy(self, table: Mapping[str, Any]) -> None:
        try:
            table = flat(table)
        except SiteError as fault:
            self.faults += [Fault(("policy", *key), text) for key, text in faults_at((), fault)]
            self._misshapen = {*self._misshapen, ("policy", "backfill")}
            table = {name: value for name, value in table.items() if name != "backfill"}
        faults = list(_refused(table))
        wrong = {str(fault.key[1]) for fault in faults}
        rest = {name: value for name, value in table.items() if name not in wrong}
        wrong |= self._wrong(("policy",), table, known_keys("policy"))
        contradictions = list(_contradictions(rest, wrong))
        self.faults += [*faults, *contradictions]
        wrong |= {str(fault.key[1]) for fault in contradictions}
        rest = {name: value for name, value in rest.items() if name not in wrong}
        with contextlib.suppress(SiteError):  # a default may contradict the given values
            self.fields["policy"] = Policy.from_dict(rest)

    def _part(self, kind: type[SitePart], table: Any, key: Key) -> SitePart | Unsound:
        """Build a part of the site from its values, without those already found wrong."""
        if not isinstance(table, dict):
            return Unsound(None)
        wrong = self._wrong(key, table, kind.READERS)
        part = kind.known_of(table, frozenset(wrong))
        found = list(part.contradictions(frozenset(wrong)))
        self.faults += [Fault((*key, *fault.key), fault.text) for fault in found]
        wrong |= {str(fault.key[0]) for fault in found}
        return Unsound(part, frozenset(wrong)) if wrong else part

    def _wrong(self, key: Key, given: Mapping[str, Any], known: Iterable[str]) -> set[str]:
        """Return the fields of a table that have no valid value.

        If a key is unknown, these include all missing fields, because it may be a misspelling
        of any of them.
        """
        depth = len(key)
        wrong = {str(bad[depth]) for bad in self._misshapen if bad[:depth] == key}
        return wrong | ({*known} - given.keys() if wrong - {*known} else set())


def _meant(unknown: str) -> Iterator[str]:
    """Yield the site field that the user probably meant by an unknown table or key."""
    for table in difflib.get_close_matches(unknown, known_keys(), n=1):
        yield LIST_TABLES[table][0] if table in LIST_TABLES else table


def fields_unread_by(backfill: str) -> set[str]:
    """Return the fields of a policy that a backfill rule does not use."""
    return policy_checks.unread_by(backfill, set(policy_defaults()))


def _refused(policy: Mapping[str, Any]) -> Iterator[Fault]:
    """Find values out of range by creating a policy with each value alone."""
    for name, value in policy.items():
        try:
            Policy.from_dict({name: value})
        except ContradictionError:
            continue  # the other values may resolve this contradiction
        except SiteError as fault:
            for key, text in faults_at((), fault):
                yield Fault(("policy", *(key or (name,))), text.removeprefix(f"{name} "))


def _contradictions(given: Mapping[str, Any], wrong: set[str]) -> Iterator[Fault]:
    """Find fields that contradict the preset, and fields that have no effect."""
    if "preset" in wrong:
        return
    preset = given.get("preset")
    fixed = PRESETS[preset] if preset is not None else {}
    for name, why in policy_checks.preset_clashes(preset or "", fixed, given):
        yield Fault(("policy", name), why)
    if wrong & policy_checks.DECIDING:
        return
    values = policy_defaults() | fixed | {name: given[name] for name in given if name != "preset"}
    carried = policy_checks.carried(values, PRESETS)
    for name, why in policy_checks.unread(values).items():
        if name in given and name not in fixed and name not in carried:
            yield Fault(("policy", name), why)
