"""Resolves the names in a site to the codes of a trace; no other module does this.

Example: a queue with ``trace_queues = ["debug"]`` receives the jobs from the log's debug queue. If
the log has no such queue, it receives those from the debug partition.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise.site.faults import dotted
from slotwise.site.order_checks import owner_names
from slotwise.site.parts.owners import OWNER_COLUMNS, owners_of
from slotwise.site.policy.order_tables import OWNERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from slotwise.site import Site
    from slotwise.site.faults import Key
    from slotwise.trace import Trace

_MOST_NAMED = 5
_PLURALS = {"qos": "qualities of service"}


class SiteNames:
    """Codes for the names in one trace, by column.

    Parameters
    ----------
    trace : Trace or None
        Without a trace, names have no codes.
    """

    def __init__(self, trace: Trace | None) -> None:
        self._labels = {} if trace is None else trace.labels
        self._codes: dict[str, dict[str, list[int]]] = {}

    def codes(self, column: str, written: Sequence[int | str]) -> list[int]:
        """Return the codes of names and numbers; a name that is not in the log has no code."""
        found: dict[int, None] = {}
        for each in written:
            found |= dict.fromkeys(self._of(column, each))
        return list(found)

    def queue_codes(self, written: Sequence[int | str]) -> tuple[list[int], list[int]]:
        """Return the codes of queues; names that no queue has are looked up as partitions."""
        others = [name for name in written if not self._of("queue", name)]
        return self.codes("queue", written), self.codes("partition", others)

    def knows(self, column: str, each: int | str) -> bool:
        """Return True for a number, and for a name that is in the log."""
        return bool(self._of(column, each))

    def _of(self, column: str, each: int | str) -> Sequence[int]:
        if not isinstance(each, str):
            return (each,)
        if column not in self._codes:
            known = self._codes[column] = defaultdict(list)
            for code, word in self._labels.get(column, {}).items():
                known[word].append(code)
        found = self._codes[column].get(each, [])
        # A code that has no name may be given as a number.
        if not found and each.isdecimal() and len(each) < 10:
            found = [code for code in (int(each),) if code not in self._labels.get(column, {})]
        return found


def has_names(site: Site) -> bool:
    """Return True if a site or one of its orders refers to queues or owners by name."""
    queues = (queue.trace_queues for queue in site.queues)
    owners = (
        names
        for part in (*site.reservations, *site.named_limits)
        for names in owners_of(part).values()
    )
    tables = (names for _, _, names in owner_names(site))
    return any(isinstance(each, str) for names in (*queues, *owners, *tables) for each in names)


def lacking_names(site: Site, trace: Trace) -> list[str]:
    """Warn about each name in a site that is not in the log; such a name has no effect.

    An order's table may list all owners at a centre. An absent owner therefore causes a warning
    only if its name may be misspelt, or if the log has none of the listed owners.
    """
    if not has_names(site):
        return []
    names = SiteNames(trace)
    found: list[str] = []
    queues: dict[str, str] = {}  # place in the site, by absent name
    for key, columns, written in _written(site):
        lacking = [
            name
            for name in written
            if isinstance(name, str) and not any(names.knows(column, name) for column in columns)
        ]
        if key[-1] in OWNERS:
            lacking = _doubtful(written, lacking, trace.labels.get(columns[0], {}).values())
        if key[-1] == "trace_queues":
            queues |= dict.fromkeys(lacking, dotted(key))
        elif lacking:
            kinds = " or ".join(columns)
            those = ", ".join(f"'{name}'" for name in lacking)
            remedy = _remedy(trace, columns)
            found.append(f"{dotted(key)}: the log has no {kinds} {those}; {remedy}")
    return [*_absent_queues(queues, trace), *found]


def _doubtful(written: Sequence[str], lacking: Sequence[str], logged: Collection[str]) -> list[str]:
    """Return the absent names that resemble an unlisted name in the log; all if all are absent."""
    if len(lacking) == len(written):
        return list(lacking)
    unnamed = [name for name in logged if name not in written]
    return [name for name in lacking if difflib.get_close_matches(name, unnamed, n=1)]


def _absent_queues(places: Mapping[str, str], trace: Trace) -> list[str]:
    """Warn once about all queues that are not in the log, because a slurm.conf may list many."""
    if not places:
        return []
    keys = list(dict.fromkeys(places.values()))
    those = text.first_of([f"'{name}'" for name in places], _MOST_NAMED)
    where = text.first_of(keys, 1)
    remedy = _remedy(
        trace,
        ("queue", "partition"),
        "correct misspelt names; queues that the log does not use may stay",
    )
    return [f"{where}: the log has no queue or partition {those}; {remedy}"]


def _written(site: Site) -> Iterator[tuple[Key, tuple[str, ...], Sequence[Any]]]:
    """Yield each list that may contain names: its place in the site, trace columns, entries."""
    for index, queue in enumerate(site.queues):
        yield ("queue", index, "trace_queues"), ("queue", "partition"), queue.trace_queues
    for table, parts in (("reservation", site.reservations), ("named_limit", site.named_limits)):
        for index, part in enumerate(parts):
            for field, column in OWNER_COLUMNS.items():
                yield (table, index, field), (column,), getattr(part, field)
    for key, column, names in owner_names(site):
        yield key, (column,), names


def _remedy(
    trace: Trace, columns: tuple[str, ...], advice: str = "correct the name, or leave it out"
) -> str:
    """Describe the names that the log has in some columns, or state that it has none."""
    known = [word for column in columns for word in trace.labels.get(column, {}).values()]
    if not known:
        kinds = " and ".join(_PLURALS.get(column, f"{column}s") for column in columns)
        if not any((getattr(trace, column) >= 0).any() for column in columns):
            return f"it has no {kinds} at all: add them to the log, or leave the name out"
        return f"it has no names for {kinds}: use numbers instead"
    more = ", …" if len(known) > 8 else ""
    return f"it has {', '.join(sorted(known)[:8])}{more}: {advice}"
