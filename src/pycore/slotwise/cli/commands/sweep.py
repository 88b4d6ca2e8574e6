"""``slotwise sweep``: a grid of sites, whole or in shards."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise import text
from slotwise._files import beginning_of
from slotwise.cli.metric_columns import parse_columns
from slotwise.cli.metric_options import parse_threshold, parse_trim
from slotwise.cli.settings import DEFAULT, add, parse_setting
from slotwise.cli.site_argument import merged_site, written_settings
from slotwise.cli.sweep_table import TABLE_SUFFIXES, Shown, give
from slotwise.errors import SiteError
from slotwise.sweeps.grid import Grid
from slotwise.sweeps.journal import Journal, subject_of
from slotwise.sweeps.rows import MetricOptions, Row, compute_rows
from slotwise.sweeps.sweep import resume
from slotwise.sweeps.workers import threads_for
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError
from slotwise.terminal.outputs import check_output, check_parquet
from slotwise.terminal.trace_argument import check_runnable, nodes_of, nodes_of_sites, open_trace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from slotwise.site import Site
    from slotwise.site.faults import Key
    from slotwise.site.machine.nodes import Nodes
    from slotwise.trace import Trace


@dataclass(frozen=True)
class SweepRequest:
    """The arguments of ``sweep``."""

    grid: Path
    trace: Path | None
    nodes: Path | None
    shard: str | None
    workers: str | None
    out: Path | None
    as_json: bool
    threshold: str
    trim: str | None
    columns: str | None = None
    wide: bool = False


@dataclass(frozen=True)
class ReadRequest:
    """A checked grid, with its trace and sites."""

    grid: Grid
    trace: Trace
    sites: list[Site]
    metric_options: MetricOptions


def read_request(request: SweepRequest) -> ReadRequest:
    """Read and check the grid, the trace and the sites that the arguments name.

    Raises
    ------
    SiteError, TraceError, UsageError
    """
    metric_options = MetricOptions(parse_threshold(request.threshold), parse_trim(request.trim))
    grid = Grid.read(request.grid)
    if request.out is not None:
        suffixes = TABLE_SUFFIXES if request.shard is None else (".jsonl",)
        check_output(request.out, "--out", suffixes, request.grid)
        check_parquet(request.out)
    path = request.trace or grid.trace
    if path is None:
        raise UsageError(f'{request.grid} has no trace; add trace = "log.swf", or pass --trace')
    sites = _sites(grid, request.grid, nodes_of(request.nodes or grid.nodes, path))
    numbered = {f"site {number} of the sweep": site for number, site in enumerate(sites, 1)}
    trace = open_trace(path, nodes=nodes_of_sites(numbered, path))
    for site in sites:
        check_runnable(trace, site)
    return ReadRequest(grid, trace, sites, metric_options)


def sweep_grid(request: SweepRequest) -> None:
    """Replay the trace at every point of the grid, or at the points of one shard."""
    chosen = parse_columns(request.columns, wide=request.wide, as_json=request.as_json)
    shard = _parse_shard(request.shard)
    workers = threads_for(parse_workers(request.workers))
    read = read_request(request)
    grid, trace, sites, metric_options = read.grid, read.trace, read.sites, read.metric_options
    subject = {
        **subject_of(trace.replay_hash, sites, metric_options),
        "points": _plain(grid.points),
    }

    def compute(some: Sequence[Site], tell: Callable[[float], object] | None) -> list[Row]:
        return compute_rows(trace, some, metric_options, workers=workers, progress=tell)

    if shard is None:
        rows = _whole(request, subject, sites, compute, workers)
        shown = Shown(chosen, request.wide)
        give(request.out, request.as_json, grid.points, rows, shown)
        return
    part, parts = shard
    subject |= {"shard": [part, parts]}
    kept = request.out or Path(f"{request.grid.stem}.{part}-of-{parts}.jsonl")
    wanted = range(part - 1, len(sites), parts)
    with (
        screen.progress(f"sweeping shard {part} of {parts}") as advance,
        _journal(kept, subject) as journal,
    ):
        resume(journal, sites, wanted, compute, advance, workers)
    screen.stdout().print(
        f"{text.plural(len(wanted), 'point')} of {len(sites)} in {kept}; when all {parts} shards "
        f"exist, run: {merge_hint(Path(request.grid.stem), parts, request.out)}",
        markup=False,
        soft_wrap=True,
    )


def merge_hint(grid: Path, parts: int, out: Path | None = None) -> str:
    """Return the command that combines all shards, quoted for a shell.

    Parameters
    ----------
    grid : Path
        The grid file without its suffix, in the folder of the shards.
    parts : int
    out : Path, optional
        The file of one shard, if it is not named after the grid.
    """
    shards = f"{shlex.quote(str(grid))}.*-of-{parts}.jsonl"
    if out is not None:
        shards = f"{shlex.quote(str(out))} OTHERS"
    return f"slotwise sweep merge {shards} --out OUT.csv"


def _sites(grid: Grid, path: Path, nodes: Nodes | None) -> list[Site]:
    """Build the site of every point.

    Raises
    ------
    SiteError
        If points have faults; the message lists each fault once.
    UsageError
        For an unknown key, or a key in a part that the site lacks.
    """
    keys = {key: _key_of(key, path) for point in grid.points[:1] for key in point}
    sites: list[Site] = []
    faults: dict[str, None] = {}
    for point in grid.points:
        written = written_settings((), None, nodes)
        for key, value in point.items():
            place = f"{path}: grid.{key}"
            add(written, keys[key], place, DEFAULT if value == "" else value)
        try:
            sites.append(merged_site(grid.site, written))
        except SiteError as fault:
            faults |= dict.fromkeys(str(fault).splitlines())
    if faults:
        raise SiteError("\n".join(faults))
    return sites


def _key_of(written: str, path: Path) -> Key:
    try:
        return parse_setting(f"{written}=0")[0]
    except UsageError:
        raise UsageError(
            f'{path}: grid."{written}" is not a key of a site; write, for example, "policy.depth" '
            'or "queue.small.priority"'
        ) from None


def _whole(
    request: SweepRequest,
    subject: Mapping[str, Any],
    sites: Sequence[Site],
    compute: Callable[[Sequence[Site], Callable[[float], object] | None], list[Row]],
    workers: int,
) -> list[Row]:
    label = f"sweeping {text.plural(len(sites), 'site')}"
    if request.out is None:
        with screen.progress(label) as advance:
            return compute(sites, advance)
    kept = _journal_beside(request.out)
    with screen.progress(label) as advance, _journal(kept, subject) as journal:
        resume(journal, sites, range(len(sites)), compute, advance, workers)
        rows = [journal.rows[number] for number in range(len(sites))]
        kept.unlink(missing_ok=True)
    return rows


def _journal_beside(out: Path) -> Path:
    """Name the journal of a table; a long name is shortened and followed by its hash."""
    name = f".{out.name}.journal.jsonl"
    if len(os.fsencode(name)) > 255:
        digest = hashlib.sha256(os.fsencode(out.name)).hexdigest()[:16]
        name = f".{beginning_of(out.name)}.{digest}.journal.jsonl"
    return out.with_name(name)


def _journal(path: Path, subject: Mapping[str, Any]) -> Journal:
    try:
        return Journal.open(path, subject)
    except ValueError as fault:
        raise UsageError(str(fault)) from None


def _plain(points: Sequence[Mapping[str, Any]]) -> Any:
    """Convert the points to values that JSON can store."""
    return json.loads(json.dumps(points, default=str))


def _parse_shard(written: str | None) -> tuple[int, int] | None:
    if written is None:
        return None
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", written)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise UsageError(
            f"--shard {written} must be K/N with K from 1 to N; write, for example, 3/10"
        )
    return part, parts


def parse_workers(written: str | None) -> int | None:
    """Read the number in ``--workers``, or return None if the option is not given.

    Raises
    ------
    UsageError
    """
    if written is None:
        return None
    if not written.isascii() or not written.isdigit() or not 1 <= int(written) <= 4096:
        raise UsageError(f"--workers {written} must be a number of threads from 1 to 4096")
    return int(written)
