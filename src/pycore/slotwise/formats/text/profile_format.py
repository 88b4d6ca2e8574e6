"""Reads job logs whose format is described by a profile."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from slotwise.errors import TraceError
from slotwise.formats.records import READERS
from slotwise.formats.text.text_table import CellRule, names_in, read_table, table_of_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slotwise.formats.beginning import Beginning
    from slotwise.formats.text.profile import ColumnSources, Profile
    from slotwise.formats.text.raw_columns import RawTable
    from slotwise.trace import Trace


class ProfileFormat:
    """The log format described by a profile."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        if profile.reader != "text" and profile.reader not in READERS:
            raise ValueError(
                f"profile {profile.name}: reader {profile.reader!r} is not known; known names are "
                f"text, {', '.join(READERS)}"
            )

    def recognises(self, beginning: Beginning) -> bool:
        """Return whether the beginning of a file is in this format."""
        profile = self.profile
        if profile.reader != "text":
            looks = READERS[profile.reader].recognises
            if looks is not None:
                return looks(beginning)
        first = beginning.first_line(profile.dialect.comment)
        if profile.line:
            return re.match(profile.line, first) is not None
        return self._has_header(names_in(first.encode(), profile.dialect))

    def is_padded(self, beginning: Beginning) -> bool:
        """Return whether the header has this format's names, but separated only by spaces."""
        profile = self.profile
        first = beginning.first_line(profile.dialect.comment)
        return profile.dialect.delimiter != " " and self._has_header(first.split())

    def _has_header(self, names: Sequence[str]) -> bool:
        """Return whether a header has every name by which the format is recognised."""
        found = {name.casefold() for name in names}
        wanted = [name.casefold().split("|") for name in self.profile.header]
        return bool(wanted) and all(not found.isdisjoint(either) for either in wanted)

    def read(self, path: str, *, zone: str | None = None) -> Trace:
        """Read a log.

        Raises
        ------
        TraceError
            For a file in a different format, or a log without any job that has ended.
        """
        from slotwise.formats.text.job_log import trace_of

        try:
            sources, table = self._table(path)
            trace = trace_of(table, sources, self.profile, source=path, zone=zone)
        except TraceError as fault:
            raise TraceError(fault.message, path=path, line=fault.line) from None
        trace.source = path
        return trace

    def _table(self, path: str) -> tuple[Mapping[str, ColumnSources], RawTable]:
        profile = self.profile
        if profile.reader != "text":
            sources: Mapping[str, ColumnSources] = profile.columns
            records = READERS[profile.reader].records(path)
            return sources, table_of_records(records, _rules(sources))
        found: dict[str, ColumnSources] = {}

        def choose(names: Sequence[str]) -> list[CellRule]:
            found.update(profile.rules_for(names))
            self._check(found, names)
            return _rules(found)

        _, table = read_table(path, profile.dialect, choose)
        if table.open_quote:
            raise TraceError(
                "an opening quote has no closing quote; correct the line", line=table.open_quote
            )
        return found, table

    def _check(self, found: Mapping[str, ColumnSources], names: Sequence[str]) -> None:
        """Refuse a header without the columns that a job needs."""
        for wanted in (("submit",), ("start", "wait"), ("end", "run_time")):
            expected = any(column in self.profile.columns for column in wanted)
            if expected and not any(column in found for column in wanted):
                sources = [
                    source.rule.field
                    for column in wanted
                    if column in self.profile.columns
                    for source in self.profile.columns[column].sources
                ]
                shown = ", ".join(names)[:200] or "nothing"
                raise TraceError(
                    f"the file has no column {' or '.join(sources)}, which the format "
                    f"{self.profile.name} needs; its first line has {shown}"
                )


def _rules(sources: Mapping[str, ColumnSources]) -> list[CellRule]:
    """List the fields to read; a column's first field is preferred, unless `largest` is set."""
    return [
        dataclasses.replace(source.rule, is_fallback=place > 0 and not given.largest)
        for given in sources.values()
        for place, source in enumerate(given.sources)
    ]
