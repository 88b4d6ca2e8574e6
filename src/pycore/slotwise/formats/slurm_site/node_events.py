"""Outages from node events, as ``sacctmgr -P show events`` prints them.

Example: the header ``NodeName|TimeStart|TimeEnd|State|Reason`` and the line
``n1|2024-03-06T08:00:00|2024-03-06T10:00:00|DOWN|fan`` describe a two-hour outage of n1.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from slotwise.errors import TraceError
from slotwise.formats.lines import numbered_lines
from slotwise.formats.slurm_lines import MOST_NAMED
from slotwise.formats.slurm_site.left_out import some_of
from slotwise.site.machine.hostlist import expanded, folded, number_of_hosts
from slotwise.site.machine.node_type import MOST_NODES
from slotwise.site.parts import Outage
from slotwise.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from slotwise.formats.slurm_site.left_out import LeftOut
    from slotwise.formats.slurm_site.settings import Faults

COMMAND = (
    "TZ=UTC sacctmgr -P show events all_time format=Cluster,NodeName,TimeStart,TimeEnd,State,Reason"
)
"""Command that prints the events of every node."""

OPEN_DAYS = 3650
"""Length of an outage that has not ended."""

_COLUMNS = {
    "cluster": ("cluster",),
    "node": ("nodename", "nodes", "node"),
    "start": ("timestart", "start"),
    "end": ("timeend", "end"),
    "state": ("state",),
}
_NEEDED = ("node", "start", "end", "state")
_OPEN = ("unknown", "none", "", "0")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:?\d\d)?", re.ASCII)
_EPOCH = re.compile(r"\d{9,11}", re.ASCII)
_DRAINS = ("DRAIN", "DRNG", "MAINT", "REBOOT")


class Times(NamedTuple):
    """Period in which nodes are unavailable, and the fate of their jobs; an unknown end is None."""

    start: datetime
    end: datetime | None
    mode: Literal["sudden", "drain"]


class Event(NamedTuple):
    """A node that is unavailable for some time; see `Times` for the other fields."""

    node: str
    start: datetime
    end: datetime | None
    mode: Literal["sudden", "drain"]


@dataclass
class NodeEvents:
    """Reader of a file of events.

    Attributes
    ----------
    source : str
        The file.
    cluster : str
        Name of the cluster in ``slurm.conf``; events of other clusters are ignored.
    """

    source: str
    cluster: str
    faults: Faults
    left_out: LeftOut
    _clusters: Counter[str] = field(default_factory=Counter)
    _named: int = 0
    _n_of_cluster: int = 0

    def outages(self, numbers: Mapping[str, int]) -> list[Outage]:
        """Return the outages of the nodes in `numbers`; events with equal times form one outage."""
        events = list(self._events())
        unknown = dict.fromkeys(each.node for each in events if each.node not in numbers)
        together: dict[Times, set[str]] = {}
        n_empty = 0
        for node, start, end, mode in events:
            if node in unknown:
                continue
            if end == start:
                n_empty += 1
            else:
                together.setdefault(Times(start, end, mode), set()).add(node)
        self._remark(unknown, n_empty, together)
        return [
            _outage(times, sorted(nodes, key=numbers.__getitem__))
            for times, nodes in sorted(together.items(), key=_by_start)
        ]

    def _remark(self, unknown: Mapping[str, None], n_empty: int, outages: Iterable[Times]) -> None:
        remarks = self.left_out.remarks
        ends = [times.end for times in outages]
        n_open = ends.count(None)
        if ends:
            remarks.append(
                f"The outages are the events in {Path(self.source).name}. Events with the same "
                "times are joined. Times without a zone are on the machine's clock. DOWN and "
                'similar states kill the jobs on a node (mode "sudden"). Nodes in DRAIN finish '
                'their jobs; the nearest mode is "drain", in which no job starts that would '
                "overlap the outage."
            )
        if n_open:
            remarks.append(
                f"{plural(n_open, 'outage')} had no end and last{'s' * (n_open == 1)} "
                f"{OPEN_DAYS} days here; correct the duration if the node is back in service."
            )
        if n_empty:
            remarks.append(f"Left out: {plural(n_empty, 'event')} of zero length.")
        if self._n_of_cluster:
            count = plural(self._n_of_cluster, "event")
            remarks.append(f"Left out: {count} of the whole cluster.")
        if unknown:
            remarks.append(
                f"Left out: the events of {plural(len(unknown), 'node')} that the machine does not "
                f"have ({some_of(unknown)})."
            )
        others = {name: n for name, n in self._clusters.items() if not self._is_ours(name)}
        if others:
            count = plural(sum(others.values()), "event")
            remarks.append(f"Left out: {count} of other clusters ({some_of(others)}).")

    def _is_ours(self, cluster: str) -> bool:
        return not self.cluster or cluster.lower() == self.cluster.lower()

    def _events(self) -> Iterator[Event]:
        columns: list[str | None] = []
        try:
            for number, data in numbered_lines(self.source):
                try:
                    line = _text_of(data)
                    if line.strip() and not columns:
                        columns = _header(line)
                    elif line.strip():
                        yield from self._of_cells(_cells(line, columns))
                except ValueError as fault:
                    self.faults.add(f"{self.source}:{number}", fault)
                    if not columns or self._named > MOST_NAMED:
                        return
        except TraceError as fault:
            self.faults.texts.append(str(fault))
            return
        self._check_clusters(columns)

    def _check_clusters(self, columns: Sequence[str | None]) -> None:
        """Refuse a file without events, or with the events of several clusters."""
        if not columns:
            self.faults.add(self.source, f"the file is empty; write it with {COMMAND}")
        elif not self.cluster and len(self._clusters) > 1:
            self.faults.add(
                self.source,
                f"the file contains events from several clusters ({some_of(self._clusters)}), but "
                "slurm.conf has no ClusterName; add it, or keep the events of one cluster",
            )

    def _of_cells(self, cells: Mapping[str, str]) -> Iterator[Event]:
        cluster = cells.get("cluster", "")
        if cluster:
            self._clusters[cluster] += 1
        if cluster and not self._is_ours(cluster):
            return
        if not cells["node"]:
            self._n_of_cluster += 1
            return
        self._named += (named := number_of_hosts(cells["node"]))
        if self._named > MOST_NAMED:
            raise ValueError(
                f"the line lists {named:,} nodes; all lines together may list at most "
                f"{MOST_NAMED:,}"
            )
        start, end = _instant(cells["start"]), None
        if cells["end"].lower() not in _OPEN:
            end = _instant(cells["end"])
        if end is not None:
            _check_order(cells, start, end)
        drains = any(word in cells["state"].upper() for word in _DRAINS)
        for name in expanded(cells["node"], MOST_NODES):
            yield Event(name, start, end, "drain" if drains else "sudden")


def _check_order(cells: Mapping[str, str], start: datetime, end: datetime) -> None:
    """Refuse an event that ends before it starts, or has a zone for only one of its times."""
    if (start.tzinfo is None) != (end.tzinfo is None):
        raise ValueError(
            f"only one of {cells['start']:.60} and {cells['end']:.60} has a zone; write the events "
            f"again with {COMMAND}"
        )
    if end < start:
        raise ValueError(
            f"the event ends at {cells['end']:.60}, before its start {cells['start']:.60}; "
            f"correct it, or write the events without daylight saving time, with {COMMAND}"
        )


def _text_of(data: bytes) -> str:
    """Decode a line; the reason in it is free text in any encoding.

    Raises
    ------
    ValueError
        If the line is not text.
    """
    if b"\0" in data:
        raise ValueError(f"the line is not text; write the events with {COMMAND}")
    try:
        return data.decode("utf-8-sig").removesuffix("\r")
    except UnicodeDecodeError:
        return data.decode("latin-1").removesuffix("\r")


def _header(line: str) -> list[str | None]:
    """Return the names of the columns in a header, with None for columns that are not read.

    Raises
    ------
    ValueError
        If the line is not a header with the required columns.
    """
    words = [word.strip().lower() for word in line.removesuffix("|").split("|")]
    columns = [
        next((name for name, words_of in _COLUMNS.items() if word in words_of), None)
        for word in words
    ]
    if "reason" in words:
        columns[words.index("reason")] = "reason"
    missing = [_COLUMNS[name][0] for name in _NEEDED if name not in columns]
    if missing:
        raise ValueError(
            f"{line!r:.60} is not a header with NodeName, TimeStart, TimeEnd and State (missing: "
            f"{', '.join(missing)}); write the events with {COMMAND}"
        )
    return columns


def _cells(line: str, columns: Sequence[str | None]) -> dict[str, str]:
    """Return the cells of a line by column; a reason may contain the delimiter.

    Raises
    ------
    ValueError
        If there are fewer cells than columns, or more although there is no reason column.
    """
    cells = line.split("|")
    if len(cells) == len(columns) + 1 and not cells[-1]:
        cells.pop()  # -p ends lines with a delimiter
    more = len(cells) - len(columns)
    if more > 0 and "reason" in columns:
        at = columns.index("reason")
        cells[at : at + more + 1] = ["|".join(cells[at : at + more + 1])]
        more = 0
    if more:
        raise ValueError(
            f"the line has {len(cells)} cells, but the header has {len(columns)} columns; correct "
            "or remove the line"
        )
    return {name: cell.strip() for name, cell in zip(columns, cells, strict=True) if name}


def _instant(text: str) -> datetime:
    if _EPOCH.fullmatch(text):
        return datetime.fromtimestamp(int(text), UTC)
    try:
        if not _DATE.fullmatch(text):
            raise ValueError(text)
        return datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"{text!r:.60} must be a date and time such as 2024-03-06T08:00:00; correct it, or "
            "leave the line out"
        ) from None


def _by_start(item: tuple[Times, set[str]]) -> tuple[str, str, str]:
    times, nodes = item
    return times.start.isoformat(), min(nodes), f"{times.mode} {times.end}"


def _outage(times: Times, nodes: Sequence[str]) -> Outage:
    start, end, mode = times
    length = OPEN_DAYS * 86400 if end is None else int((end - start).total_seconds())
    return Outage(start, length, mode=mode, nodes=(folded(nodes),))
