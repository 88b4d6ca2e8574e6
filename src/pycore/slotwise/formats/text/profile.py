"""A job log format, described by its fields, their columns in a trace, and their units.

A profile is a TOML file; docs/formats.md describes its keys.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slotwise.formats.text.text_table import CellRule, Dialect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.resources.abc import Traversable
    from pathlib import Path

KINDS = {
    **dict.fromkeys(("submit", "eligible", "start", "end"), "instant"),
    **dict.fromkeys(
        (
            "run_time", "wait", "eligible_wait", "requested_time", "soft_walltime", "cpu_time",
        ),
        "duration",
    ),
    **dict.fromkeys(("memory", "used_memory"), "size"),
    **dict.fromkeys(("job_id", "array_id"), "job_id"),
    **dict.fromkeys(
        (
            "processors", "node_count", "gpus", "power", "energy", "exit_code", "array_task",
            "array_limit", "max_processors", "nice", "site_factor", "requested_nodes",
        ),
        "number",
    ),
    **dict.fromkeys(
        (
            "user", "group", "account", "queue", "partition", "qos", "executable", "state",
            "node_list", "cluster", "dependency", "constraint", "requested_tres", "allocated_tres",
        ),
        "label",
    ),
}  # fmt: skip
"""The columns that a profile may define, with the default kind of their cells."""

UNITS = {
    "s": 1.0, "min": 60.0, "h": 3600.0, "ms": 1e-3,
    "B": 1 / 1024, "KB": 1.0, "MB": 1024.0, "GB": 1024.0**2,
    "J": 1.0, "Wh": 3600.0, "kWh": 3.6e6, "W": 1.0, "milli": 1e-3,
}  # fmt: skip
"""Size of each unit in seconds, kilobytes, joules or watts; ``milli`` is a thousandth."""

STATES = ("completed", "failed", "cancelled", "running")


@dataclass(frozen=True)
class Source:
    """A field that may provide the values of a column."""

    rule: CellRule
    factor: float = 1.0


@dataclass(frozen=True)
class ColumnSources:
    """The fields that provide one column, which gets the first known value, or the largest."""

    sources: tuple[Source, ...]
    largest: bool = False


@dataclass(frozen=True)
class Profile:
    """A format of job logs.

    Attributes
    ----------
    name, title : str
        The name typed after ``--format``, and a title to display.
    evidence : str
        ``"real files"``, or ``"a description only"``.
    how : str
        The command that writes such a log at the centre; empty if there is none.
    notes : str
        Notes for users, such as what counts as a processor.
    reader : str
        ``"text"`` for delimited text, otherwise the name of a reader of records.
    zone : str
        Time zone of times that state none. If empty, they are read as UTC, and the trace's report
        says so.
    header : tuple of str
        Names by which a file is recognised; ``a|b`` means either.
    columns : dict of str to ColumnSources
    states : dict of str to tuple of str
        The log's words for the states ``completed``, ``failed``, ``cancelled`` and ``running``.
    demands : dict of str to str
        For each resource, the column with a job's request per node.
    has_steps : bool
        Whether a number such as 7.batch denotes a job step.
    numbers_rows : bool
        True if job number and task identify a row, so that a repeated row counts once.
    drops_copies : bool
        True if a line that is identical to an earlier line is dropped.
    """

    name: str
    title: str
    evidence: str
    how: str
    notes: str
    reader: str
    zone: str
    dialect: Dialect
    header: tuple[str, ...]
    line: str
    columns: Mapping[str, ColumnSources]
    states: Mapping[str, tuple[str, ...]]
    demands: Mapping[str, str]
    has_steps: bool
    numbers_rows: bool
    drops_copies: bool

    @classmethod
    def load(cls, file: Path | Traversable) -> Profile:
        """Read a profile.

        Raises
        ------
        ValueError
            For a file that is not TOML, or for a key or value that is not allowed.
        """
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        try:
            return cls.from_dict(told)
        except (KeyError, TypeError, AttributeError) as fault:
            raise ValueError(f"{file.name}: {fault!r}; see docs/formats.md") from None
        except ValueError as fault:
            raise ValueError(f"{file.name}: {fault}") from None

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> Profile:
        """Create a profile from the tables of its file."""
        _check_keys("the profile", told, _KEYS)
        text, sniff = told.get("text", {}), told.get("sniff", {})
        _check_keys("[text]", text, _TEXT_KEYS)
        _check_keys("[sniff]", sniff, ("header", "line"))
        _check_keys("[columns]", told["columns"], KINDS)
        _check_keys("[states]", told.get("states", {}), STATES)
        unknown = tuple(told.get("unknown", ()))
        re.compile(sniff.get("line", ""))
        return cls(
            name=told["name"],
            title=told["title"],
            evidence=told["evidence"],
            how=told.get("how", "").strip(),
            notes=told.get("notes", "").strip(),
            reader=told.get("reader", "text"),
            zone=told.get("zone", ""),
            dialect=_dialect(text, hashes_lines=told.get("drops_copies", False)),
            header=tuple(sniff.get("header", ())),
            line=sniff.get("line", ""),
            columns={
                name: _sources(name, given, unknown) for name, given in told["columns"].items()
            },
            states={name: tuple(words) for name, words in told.get("states", {}).items()},
            demands=told.get("demands", {}),
            has_steps=told.get("has_steps", False),
            numbers_rows=told.get("numbers_rows", False),
            drops_copies=told.get("drops_copies", False),
        )

    def rules_for(self, names: Sequence[str]) -> dict[str, ColumnSources]:
        """Return the columns whose fields are among `names`, ignoring case."""
        known = {name.casefold(): name for name in reversed(names)}
        found: dict[str, ColumnSources] = {}
        for column, given in self.columns.items():
            sources = tuple(
                Source(_renamed(source.rule, known[source.rule.field.casefold()]), source.factor)
                for source in given.sources
                if source.rule.field.casefold() in known
            )
            if sources:
                found[column] = ColumnSources(sources, given.largest)
        return found


_KEYS = (
    "name", "title", "evidence", "how", "notes", "reader", "zone", "unknown", "text", "sniff",
    "columns", "states", "demands", "has_steps", "numbers_rows", "drops_copies",
)  # fmt: skip
_TEXT_KEYS = tuple(name for name in Dialect.__dataclass_fields__ if name != "hashes_lines")


_LISTS = ("names", "other_delimiters", "rest_names")


def _dialect(text: dict[str, Any], *, hashes_lines: bool) -> Dialect:
    lists = {name: tuple(text.get(name, ())) for name in _LISTS}
    dialect = Dialect(**{**text, **lists, "hashes_lines": hashes_lines})
    for delimiter in (dialect.delimiter, *dialect.other_delimiters):
        if len(delimiter.encode()) != 1:
            raise ValueError(f"[text] has the delimiter {delimiter!r}; use one ASCII character")
    return dialect


def _check_keys(place: str, table: Mapping[str, Any], known: Any) -> None:
    for key in table:
        if key not in known:
            raise ValueError(f"{place}: unknown name {key!r}; known names are {', '.join(known)}")


def _renamed(rule: CellRule, field: str) -> CellRule:
    return CellRule(field, rule.kind, rule.bare, rule.key, rule.unknown)


def _sources(column: str, given: Any, unknown: tuple[str, ...]) -> ColumnSources:
    largest = isinstance(given, dict) and "largest" in given
    listed = given["largest"] if largest else given if isinstance(given, list) else [given]
    return ColumnSources(tuple(_source(column, each, unknown) for each in listed), largest)


def _source(column: str, given: Any, unknown: tuple[str, ...]) -> Source:
    if isinstance(given, str):
        given = {"from": given}
    _check_keys(f"columns.{column}", given, ("from", "kind", "unit", "key", "unknown"))
    kind = given.get("kind", "item" if "key" in given else KINDS[column])
    unit = given.get("unit")
    if unit is not None and unit not in UNITS:
        raise ValueError(
            f"columns.{column}: unknown unit {unit!r}; known units are {', '.join(UNITS)}"
        )
    size = UNITS[unit] if unit else 1.0
    in_core = kind in ("duration", "size")
    rule = CellRule(
        given["from"],
        kind,
        size if in_core else 1.0,
        given.get("key", ""),
        (*unknown, *given.get("unknown", ())),
    )
    return Source(rule, 1.0 if in_core else size)
