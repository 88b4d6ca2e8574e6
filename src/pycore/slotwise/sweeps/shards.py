"""Large sweeps: rows are written to Parquet files; only one file's rows are in memory at a time."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import extras
from slotwise._numbers import threshold_of, trim_of, whole
from slotwise.errors import SiteError
from slotwise.formats.job_files import whole_file
from slotwise.site.function_values import site_values
from slotwise.sweeps.rows import MetricOptions
from slotwise.sweeps.site_numbers import check_site, numbered_in
from slotwise.sweeps.sources import digest_of, sources_of
from slotwise.sweeps.workers import adapter_for, check_workers, rows_of_pairs, threads_for

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from slotwise.executors.adapter import Adapter
    from slotwise.site import Site
    from slotwise.sweeps.rows import Row
    from slotwise.sweeps.sources import Source, Traces
    from slotwise.sweeps.workers import Pair

_KEY = b"slotwise.sweep"
"""Key of the digest in a file's metadata."""


class SweepShards:
    """A finished table in several Parquet files, which Arrow, DuckDB and polars read as one table.

    Columns
    -------
    trace : text
        Name of the trace; empty for a single one.
    seed : int64
        -1 without seeds.
    site : int64
        Position among the sites.
    seconds, mean_wait, ... : float64
        As in `Sweep`; a metric that a row lacks is null.

    Attributes
    ----------
    folder : Path
    paths : tuple of Path
        Files in the order of their rows.
    n_rows : int
    """

    def __init__(self, folder: Path, paths: Sequence[Path], n_rows: int) -> None:
        self.folder = folder
        self.paths = tuple(paths)
        self.n_rows = n_rows

    def __repr__(self) -> str:
        return f"<SweepShards: {self.n_rows:,} rows in {len(self.paths)} files of {self.folder}>"

    def __len__(self) -> int:
        return self.n_rows

    def tables(self) -> Iterator[Any]:
        """Yield one ``pyarrow.Table`` per file."""
        parquet = extras.load("pyarrow.parquet")
        for path in self.paths:
            yield parquet.read_table(path)

    def best(self, metric: str, *, largest: bool = False) -> dict[str, Any]:
        """Return the first row with the smallest (or largest) value of a metric, as a mapping.

        Raises
        ------
        KeyError
            For an unknown metric.
        ValueError
            If no row has a value.
        """
        best: dict[str, Any] | None = None
        for table in self.tables():
            values = table[metric].to_numpy(zero_copy_only=False).astype(np.float64)
            if np.isnan(values).all():
                continue
            at = int(np.nanargmax(values) if largest else np.nanargmin(values))
            if best is None or (
                values[at] > best[metric] if largest else values[at] < best[metric]
            ):
                best = {name: table[name][at].as_py() for name in table.column_names}
        if best is None:
            raise ValueError(
                f"no row of the sweep has a value for {metric}; n_started shows whether any job "
                "started"
            )
        return best


def sweep_shards(
    trace: Traces,
    sites: Iterable[Site] | Callable[[], Iterable[Site]],
    folder: str | os.PathLike[str],
    workers: int | None = None,
    *,
    seeds: Iterable[int] | None = None,
    rows_per_file: int = 20_000,
    executor: Any = None,
    shared_folder: str | os.PathLike[str] | None = None,
    progress: Callable[[int], object] | None = None,
    threshold: int = 10,
    trim: tuple[float, float] = (0.0, 0.0),
) -> SweepShards:
    """Replay traces under any number of sites, and write the rows to Parquet files.

    A second call with the same arguments reuses complete files, and computes the rest.

    Parameters
    ----------
    trace, seeds, workers, executor, shared_folder, threshold, trim
        As in `sweep`.
    sites : iterable of Site, or callable that returns such an iterable
        Sites are read as they are replayed. With several traces they are read once per trace, so
        pass a list or a function, not a generator.
    folder : path-like
        Created if necessary; files are named ``rows-000000.parquet`` and so on.
    rows_per_file : int, default 20_000
    progress : callable, optional
        Called with the number of rows done, after each file.

    Returns
    -------
    SweepShards

    Raises
    ------
    ValueError
        For the folder of a different sweep, a generator of sites with several traces, an invalid
        number of workers or rows per file, or workers together with an executor.
    SiteError, TraceError, ReplayError, WorkerError
        As in `sweep`; also a SiteError if there are no sites. Complete files are kept.
    """
    extras.load("pyarrow.parquet")
    size = whole(rows_per_file)
    if size is None or size < 1:
        raise ValueError(f"rows_per_file is {rows_per_file!r}; use a whole number, at least 1")
    check_workers(workers, executor)
    sources = sources_of(trace, seeds)
    options = MetricOptions(threshold_of(threshold), trim_of(trim))
    target = Path(folder)
    start = json.dumps([digest_of(sources), options.threshold, list(options.trim), size])
    pairs = _numbered_pairs(sources, sites)
    paths: list[Path] = []
    n_rows = 0
    with adapter_for(executor, shared_folder, workers, sources) as adapter:
        while chunk := list(islice(pairs, size)):
            path = target / f"rows-{len(paths):06}.parquet"
            digest = _digest(start, chunk)
            if not _is_complete(path, digest):
                target.mkdir(parents=True, exist_ok=True)
                _write(path, digest, chunk, _rows(adapter, chunk, options, workers))
            paths.append(path)
            n_rows += len(chunk)
            if progress is not None:
                progress(n_rows)
    if not paths:
        raise SiteError("a sweep needs at least one site, but sites is empty; pass one or more")
    return SweepShards(target, paths, n_rows)


def _numbered_pairs(
    sources: Sequence[Source], sites: Iterable[Site] | Callable[[], Iterable[Site]]
) -> Iterator[tuple[int, Pair]]:
    for source in sources:
        again = sites() if callable(sites) else sites
        if iter(again) is again and not callable(sites) and len(sources) > 1:
            raise ValueError(
                "sites is a generator, which can be read only once, but there are several traces; "
                "pass a list, or a function that returns a new generator"
            )
        for number, site in enumerate(again):
            check_site(number + 1, site)
            yield number, (source, site)


def _rows(
    adapter: Adapter | None,
    chunk: Sequence[tuple[int, Pair]],
    options: MetricOptions,
    workers: int | None,
) -> list[Row]:
    with numbered_in([number for number, _ in chunk]):
        return rows_of_pairs(
            adapter, [pair for _, pair in chunk], options, threads_for(workers), None
        )


def _digest(start: str, chunk: Sequence[tuple[int, Pair]]) -> str:
    """Return a SHA-256 of everything that determines the rows of a file."""
    found = hashlib.sha256(start.encode())
    for number, (source, site) in chunk:
        row = [source.name, source.seed, number, site_values(site)]
        found.update(json.dumps(row, sort_keys=True, default=str).encode())
    return found.hexdigest()


def _is_complete(path: Path, digest: str) -> bool:
    """Return True if a file contains these rows, False if it is missing.

    Raises
    ------
    ValueError
        If the file contains other rows.
    """
    if not path.exists():
        return False
    parquet = extras.load("pyarrow.parquet")
    arrow = extras.load("pyarrow")
    try:
        kept = parquet.read_schema(path).metadata or {}
    except (OSError, arrow.ArrowException):
        kept = {}
    if kept.get(_KEY) != digest.encode():
        raise ValueError(
            f"{path} contains rows from another sweep (other traces, sites or options) or from "
            "an earlier version; use another folder, or remove the files"
        )
    return True


def _write(path: Path, digest: str, chunk: Sequence[tuple[int, Pair]], rows: list[Row]) -> None:
    arrow = extras.load("pyarrow")
    parquet = extras.load("pyarrow.parquet")
    columns: dict[str, Any] = {
        "trace": arrow.array([source.name for _, (source, _) in chunk]).dictionary_encode(),
        "seed": np.array([source.seed for _, (source, _) in chunk], dtype=np.int64),
        "site": np.array([number for number, _ in chunk], dtype=np.int64),
        "seconds": np.array([row.seconds for row in rows], dtype=np.float64),
    }
    for name in dict.fromkeys(name for row in rows for name in row.metrics):
        columns[name] = arrow.array([row.metrics.get(name) for row in rows], arrow.float64())
    table = arrow.table(columns).replace_schema_metadata({_KEY: digest})
    with whole_file(path) as beside, beside.open("xb") as file:
        parquet.write_table(table, file, compression="zstd")
