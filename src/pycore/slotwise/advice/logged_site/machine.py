"""The machine inferred from a log: node types if jobs have node lists, otherwise a processor count.

Example: jobs use 64 cores at once on each of n1 and n2, and 32 cores and 4 GPUs on g1. That makes
two types: ``n[1-2]`` with 64 cores, and ``g1`` with 32 cores and 4 GPUs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slotwise import text
from slotwise.advice.logged_site.lines import Line
from slotwise.advice.logged_site.runs import level_of
from slotwise.site.dates import dates_of, written_instant
from slotwise.site.machine.hostlist import expanded, folded
from slotwise.site.parts import Clock
from slotwise.site.toml.writer import toml_value
from slotwise.trace.peaks import peaks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slotwise.advice.logged_site.runs import Runs
    from slotwise.trace import Trace

_MOST_NODES = 100_000
_LISTED = 0.95
"""Nodes are described only if jobs with a node list did at least this share of all work."""
_STEM = re.compile(r"\D*")
_PARTS = re.compile(r"(\d+)")


class LoggedNodes(NamedTuple):
    """The nodes that occur in the node lists of a log's jobs.

    Attributes
    ----------
    names : list of str
        Names of the nodes, in the order of their numbers.
    job, node : (n_places,) int
        Rows of jobs and positions of nodes, one pair for each node of each job.
    """

    names: list[str]
    job: NDArray[np.int64]
    node: NDArray[np.int32]


def nodes_of_log(trace: Trace, runs: Runs) -> LoggedNodes | None:
    """Return the nodes in a log, or None if node lists are rare, malformed or too long."""
    words = trace.labels.get("node_list", {})
    named = runs.started & np.isin(trace.node_list, list(words))
    work = np.where(runs.started, trace.run_time * trace.processors.astype(float), 0)
    if not named.any() or work[named].sum() < _LISTED * work.sum():
        return None
    try:
        lists = {code: expanded(word, _MOST_NODES) for code, word in words.items()}
    except ValueError:
        return None
    names = sorted({name for each in lists.values() for name in each}, key=_natural)
    if not names or len(names) > _MOST_NODES:
        return None
    position = {name: number for number, name in enumerate(names)}
    numbers = {code: [position[name] for name in each] for code, each in lists.items()}
    jobs = np.flatnonzero(named)
    places = [numbers[code] for code in trace.node_list[jobs].tolist()]
    node = np.array([number for each in places for number in each], dtype=np.int32)
    return LoggedNodes(names, np.repeat(jobs, [len(each) for each in places]), node)


def _natural(name: str) -> list[Any]:
    """Return a sort key that orders names by the numbers in them: n2 before n10."""
    parts = _PARTS.split(name)
    return [int(part) if at % 2 else part for at, part in enumerate(parts)]


def machine_lines(trace: Trace, runs: Runs, nodes: LoggedNodes | None) -> Iterator[Line]:
    """Yield the lines of the machine's table."""
    yield Line("[machine]")
    if nodes is None:
        yield _processors(trace, runs)
        return
    yield Line("nodes = [")
    for kind in _types(trace, runs, nodes):
        values = {"hosts": folded(kind.names), "cores": kind.cores}
        values |= {"gpus": kind.gpus} if kind.gpus else {}
        gpus = f" and {text.plural(kind.gpus, 'GPU')}" if kind.gpus else ""
        several = f"{len(kind.names):,} nodes; on {kind.reached:,} of them, "
        yield Line(
            f"    {toml_value(values)},",
            f"{several if len(kind.names) > 1 else ''}{text.plural(kind.cores, 'core')}{gpus} were "
            "in use at once",
        )
    yield Line("]")


def _processors(trace: Trace, runs: Runs) -> Line:
    level = level_of(trace, runs)
    widest = int(trace.processors[runs.started].max())
    peak, header = max(level.peak, widest), trace.max_processors
    if header is not None and peak > header:
        share = text.percent(level.share_above(header))
        return Line(
            f"processors = {header}",
            f"from the header; for {share} of the log's time, more processors were in use, up to "
            f"{peak:,}",
        )
    at = written_instant(int(level.time[np.argmax(level.used)]), dates_of(trace, Clock()))
    said = "" if header is None else f"; the header states {header:,}"
    return Line(f"processors = {peak}", f"most processors in use at once, at {at}{said}")


class _Type(NamedTuple):
    names: list[str]
    cores: int
    gpus: int
    reached: int


def _types(trace: Trace, runs: Runs, nodes: LoggedNodes) -> list[_Type]:
    """Group the nodes by the stem of their names (n for n1 and n2), and by size."""
    cores, gpus = _peaks_of_nodes(trace, runs, nodes)
    own = list(zip(cores.tolist(), gpus.tolist(), strict=True))
    sizes = _common_sizes(nodes.names, own)
    members: dict[tuple[str, tuple[int, int]], list[int]] = defaultdict(list)
    for number, name in enumerate(nodes.names):
        members[_stem(name), sizes[number]].append(number)
    return [
        _Type(
            [nodes.names[number] for number in numbers],
            *size,
            sum(own[number] == size for number in numbers),
        )
        for (_, size), numbers in members.items()
    ]


def _stem(name: str) -> str:
    found = _STEM.match(name)
    return found[0] if found else ""


def _peaks_of_nodes(
    trace: Trace, runs: Runs, nodes: LoggedNodes
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the peak use of cores and GPUs on each node.

    Each job is assumed to use the same amount on all of its nodes.
    """
    per_job = np.bincount(nodes.job, minlength=len(trace))[nodes.job]
    shares = [
        -(-np.maximum(amount[nodes.job], 0) // per_job) for amount in (trace.processors, trace.gpus)
    ]
    peaks = peaks_of(nodes.node, runs.start[nodes.job], runs.end[nodes.job], shares)
    for most, share in zip(peaks, shares, strict=True):
        np.maximum.at(most, nodes.node, share)  # also counts jobs of length 0
    return peaks[0], peaks[1]


def _common_sizes(names: Sequence[str], own: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the size of each node; a node smaller than usual for its stem gets the usual size.

    The stem of n1 and n2 is n. A size is usual if at least half of the nodes with the same stem
    have it. Without this rule, a node that was never full would form a type of its own.
    """
    by_stem: dict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
    for name, size in zip(names, own, strict=True):
        by_stem[_stem(name)][size] += 1
    sizes = []
    for name, size in zip(names, own, strict=True):
        common, count = by_stem[_stem(name)].most_common(1)[0]
        fits = size[0] <= common[0] and size[1] <= common[1]
        sizes.append(common if fits and 2 * count >= by_stem[_stem(name)].total() else size)
    return sizes
