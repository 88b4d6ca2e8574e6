"""Creates a trace from a job log; the profile defines attempts, states, time zones and units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.errors import TraceError
from slotwise.formats.text.arrays import array_columns, forget_odd_dependencies
from slotwise.formats.text.job_times import JobTimes, job_times
from slotwise.formats.text.merging import merged, scaled, whole
from slotwise.formats.text.raw_columns import UNREADABLE, RawColumn
from slotwise.formats.text.rows_kept import RowsKept
from slotwise.formats.text.slurm_tres import complete_columns
from slotwise.trace import Trace
from slotwise.trace.columns import OF_ABSENT, OF_EMPTY_CELLS
from slotwise.trace.demands import Demands
from slotwise.trace.labels import LABELLED
from slotwise.trace.report import TraceReport

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slotwise.formats.text.profile import ColumnSources, Profile
    from slotwise.formats.text.raw_columns import RawTable

    Int64 = NDArray[np.int64]

_STATUS = {"completed": 1, "failed": 0, "cancelled": 5}
_NEEDED = ("submit", "start", "end", "run_time", "processors")
_PLAIN = (
    "gpus", "soft_walltime", "node_count", "requested_nodes", "power", "energy", "cpu_time",
)  # fmt: skip
_LARGEST_SIZE = 2**31 * 1024  # in KB; Slurm uses bit 31 of a size in MB as a flag


def trace_of(
    table: RawTable, sources: Mapping[str, ColumnSources], profile: Profile, *, source: str,
    zone: str | None,
) -> Trace:  # fmt: skip
    """Create a trace from the rows of a log.

    Raises
    ------
    TraceError
        If no row is a job, if the rows come from two clusters, and for numbers too large to replay.
    """
    columns = _columns(table, sources)
    kept = RowsKept(table.lines)
    _count_odd_lines(table, kept)
    if profile.has_steps and "job_id" in columns and len(columns["job_id"].extra):
        kept.drop("step", columns["job_id"].extra == 1)
    _count_unreadable(columns, sources, kept)
    complete_columns(columns)
    _check_cluster(columns.get("cluster"), kept)
    forget_odd_dependencies(columns, kept)
    status = _states(columns.get("state"), profile, kept)
    processors = _processors(columns, len(table.lines))
    times = job_times(columns, kept, profile.zone if zone is None else zone)
    if "processors" not in columns or not columns["processors"].is_known[kept.mask].any():
        kept.note("processors_from_nodes", processors > 0)
    kept.drop("no_processors", processors <= 0)
    if profile.numbers_rows and "job_id" in columns:
        _drop_repeated(columns, times, kept)
    if profile.drops_copies:
        points = [times.submit, times.start, times.end]
        _drop_equal("repeated_line", [table.hashes, *points], np.flatnonzero(kept.mask), kept)
    rows = np.flatnonzero(kept.mask)
    if len(rows) == 0:
        raise TraceError(_no_job(kept), path=source)
    _count_without_request(columns.get("requested_time"), kept)
    trace = _made(columns, times, processors, status, rows, table.lines, source)
    trace = Trace._make(
        trace._jobs, trace._header, _report(kept, trace), source, None, trace.labels
    )
    return _with_demands(trace, columns, processors, rows, times, profile)


def _columns(table: RawTable, sources: Mapping[str, ColumnSources]) -> dict[str, RawColumn]:
    """Merge the fields of each column and convert them to its unit."""
    fields = iter(table.columns)
    found = {}
    for name, given in sources.items():
        parts = [scaled(next(fields), source.factor) for source in given.sources]
        up = name in ("processors", "gpus", "node_count", "requested_nodes")
        found[name] = whole(merged(parts, largest=given.largest), up=up)
    return found


def _count_odd_lines(table: RawTable, kept: RowsKept) -> None:
    for fault in (table.too_few, table.too_many):
        kept.add("other_field_count", fault, fault.example[:150])


def _count_unreadable(
    columns: Mapping[str, RawColumn], sources: Mapping[str, ColumnSources], kept: RowsKept
) -> None:
    """Count unreadable cells, and record the first one with the name of its field."""
    for name, column in columns.items():
        if column.words is None and column.unreadable.count:
            wrong = column.values == UNREADABLE
            reason = "malformed" if name in _NEEDED else "cell_unreadable"
            field = sources[name].sources[0].rule.field
            example = f"{field}: {column.unreadable.example[:120]}"
            (kept.drop if name in _NEEDED else kept.note)(reason, wrong, example)


def _count_without_request(request: RawColumn | None, kept: RowsKept) -> None:
    if request is None:
        kept.note("requested_time_from_run_time", kept.mask)
    else:
        kept.note("requested_time_from_run_time", ~request.is_known | (request.values <= 0))


def _check_cluster(cluster: RawColumn | None, kept: RowsKept) -> None:
    if cluster is None or not cluster.words:
        return
    codes = np.unique(cluster.values[kept.mask & (cluster.values >= 0)])
    if len(codes) > 1:
        names = [cluster.words[code] for code in codes[:4]]
        raise TraceError(
            f"the file contains jobs from {len(codes)} clusters ({', '.join(names)}), but a replay "
            f"covers one: keep the lines of one cluster, with grep or with sacct -M {names[0]}"
        )


def _states(state: RawColumn | None, profile: Profile, kept: RowsKept) -> NDArray[np.int32]:
    """Return the SWF status of each row, and drop rows of jobs that have not ended."""
    status = np.full(len(kept.lines), -1, dtype=np.int32)
    if state is None or not profile.states:
        return status
    values = state.values
    if state.words is None:
        words = [str(value) for value in np.unique(values).tolist()]
        values = np.searchsorted(np.unique(values), values)
    else:
        words = state.words
    kinds = [_kind(word, profile.states) for word in words]
    for code, kind in enumerate(kinds):
        rows = values == code
        if kind == "running":
            kept.drop("not_ended", rows, words[code])
        elif kind is None:
            kept.drop("unknown_state", rows, words[code])
        else:
            status[rows] = _STATUS[kind]
    return status


def _kind(word: str, states: Mapping[str, tuple[str, ...]]) -> str | None:
    """Find the state for the first word of a cell, such as CANCELLED in ``CANCELLED by 1001``."""
    first = word.split()[0].rstrip("+").upper() if word.split() else ""
    for kind, words in states.items():
        if any(first == known.upper() or known == "*" for known in words):
            return kind
    return None


def _processors(columns: Mapping[str, RawColumn], n_rows: int) -> Int64:
    """Return each job's number of processors, or of nodes if the log has no processors."""
    none = np.full(n_rows, -1, dtype=np.int64)
    found = columns.get("processors")
    nodes = columns.get("node_count")
    processors = none if found is None else np.where(found.is_known, found.values, -1)
    if nodes is None or (processors > 0).any():
        return processors
    return np.where(nodes.is_known, nodes.values, -1)


def _drop_repeated(columns: Mapping[str, RawColumn], times: JobTimes, kept: RowsKept) -> None:
    """Drop rows that repeat an earlier row, except rows that stand for several tasks."""
    job_id = columns["job_id"]
    tasks = columns.get("array_id", job_id).tasks
    rows = np.flatnonzero(kept.mask & ((tasks > -2) if len(tasks) else True))
    key = [job_id.values, times.submit, times.start, times.end]
    key += [tasks] if len(tasks) else []
    _drop_equal("repeated_row", key, rows, kept)


def _drop_equal(reason: str, key: Sequence[Int64], rows: Int64, kept: RowsKept) -> None:
    """Drop each of the `rows` that has the same key as an earlier one."""
    first_part = np.sort(key[0][rows])
    if not (first_part[1:] == first_part[:-1]).any():
        return
    together = np.stack([column[rows] for column in key], axis=1)
    _, first = np.unique(together, axis=0, return_index=True)
    again = np.zeros(len(kept.lines), dtype=np.bool_)
    again[rows] = True
    again[rows[first]] = False
    kept.drop(reason, again)


def _no_job(kept: RowsKept) -> str:
    why = ", ".join(
        f"{fault.count:,} x {fault.reason}" for fault in kept.faults if fault.kind == "dropped"
    )
    if not len(kept.lines) and not why:
        return "the file is empty: it contains no jobs, only a header; use a file with jobs"
    return f"the file contains no jobs that ended ({why or 'it has no rows'}); use another file"


def _made(
    columns: Mapping[str, RawColumn], times: JobTimes, processors: Int64,
    status: NDArray[np.int32], rows: Int64, lines: Int64, source: str,
) -> Trace:  # fmt: skip
    given: dict[str, Any] = {
        "submit": times.submit, "run_time": times.run_time, "processors": processors,
        "status": status,
    }  # fmt: skip
    given |= {"wait": times.wait} if times.has_starts else {}
    if (times.eligible > times.submit).any():
        given["eligible"] = times.eligible
    given |= array_columns(columns)
    for name in _PLAIN:
        if name in columns and columns[name].is_known.any():
            given[name] = np.where(columns[name].is_known, columns[name].values, -1)
    for name, empty in OF_EMPTY_CELLS.items():
        if name in columns:
            given[name] = np.where(columns[name].is_known, columns[name].values, empty)
    request = columns.get("requested_time")
    if request is not None:
        given["requested_time"] = np.where(request.is_known, request.values, -1)
    for name, field in (("requested_memory", "memory"), ("used_memory", "used_memory")):
        if field in columns:
            given[name] = _memory_per_processor(columns, field, processors)
    if len(rows) < len(lines):
        given = {name: values[rows] for name, values in given.items()}
    given = {
        name: values for name, values in given.items() if (values != OF_ABSENT.get(name, -1)).any()
    }
    machine = columns.get("max_processors")
    size = 0 if machine is None else int(machine.values[rows].max())
    labels: dict[str, dict[int, str]] = {}
    for name in LABELLED:
        if name in columns:
            codes, words = _codes(columns[name], rows)
            given |= {name: codes} if (codes >= 0).any() else {}
            labels |= {name: words} if words else {}
    if "job_id" in columns and columns["job_id"].is_known[rows].all():
        given["job_id"] = columns["job_id"].values[rows]
    try:
        first = int(given["submit"].min()) if times.is_dated else None
        trace = Trace.from_columns(
            **given, labels=labels, unix_start_time=first, max_processors=size if size > 0 else None
        )
    except TraceError as fault:
        raise TraceError(fault.message, path=source) from None
    order = np.argsort(given["submit"], kind="stable")
    return _with_lines(trace, lines[rows][order])


def _with_lines(trace: Trace, lines: Int64) -> Trace:
    jobs = type(trace._jobs)({**trace._jobs.columns(), "line": lines})
    return Trace._make(jobs, trace._header, trace.report, trace.source, None, trace.labels)


def _memory_per_processor(columns: Mapping[str, RawColumn], field: str, processors: Int64) -> Int64:
    """Convert KB per core, node or job to KB per processor."""
    size = columns[field]
    nodes = columns.get("node_count")
    count = np.maximum(processors, 1)
    on_nodes = np.ones_like(count)
    if nodes is not None:
        on_nodes = np.where(nodes.is_known & (nodes.values > 0), nodes.values, 1)
    known = size.is_known & (size.values < _LARGEST_SIZE) & (size.values >= 0)
    amount = np.where(known, size.values, 0)
    per = size.extra if len(size.extra) else np.zeros(len(count), dtype=np.int8)
    each = np.select([per == 1, per == 2], [amount, amount * on_nodes // count], amount // count)
    made: Int64 = np.where(known & (amount > 0), each, -1)
    return made


def _codes(column: RawColumn, rows: Int64) -> tuple[NDArray[np.int32], dict[int, str]]:
    """Return the code of each row, and the names of the codes that occur.

    Numbers in the log are used as codes; names get codes from 1.
    """
    values = column.values[rows]
    if column.words is None:
        fits = column.is_known[rows] & (values >= 0) & (values < 2**31)
        return np.where(fits, values, -1).astype(np.int32), {}
    codes = np.where(values >= 0, values + 1, -1).astype(np.int32)
    used = np.flatnonzero(np.bincount(codes[codes > 0], minlength=1)).tolist()
    return codes, {code: column.words[code - 1] for code in used}


def _report(kept: RowsKept, trace: Trace) -> TraceReport:
    """Combine the faults of the rows with those of the columns.

    The order of the rows is not a fault, because accounting files are ordered by end time.
    """
    found = {f.reason: f for f in trace.report.faults() if f.reason != "submit_unsorted"}
    for fault in kept.faults:
        found[fault.reason] = fault
    return TraceReport(found.values())


def _with_demands(
    trace: Trace, columns: Mapping[str, RawColumn], processors: Int64, rows: Int64,
    times: JobTimes, profile: Profile,
) -> Trace:  # fmt: skip
    if not profile.demands:
        return trace
    order = np.argsort(times.submit[rows], kind="stable")
    each: dict[str, Int64] = {"cores": processors[rows][order]}
    for resource, name in profile.demands.items():
        if name in columns:
            known = columns[name].is_known
            each[resource] = np.where(known, columns[name].values, 0)[rows][order]
    return trace.with_demands(Demands(np.ones(len(rows), dtype=np.int64), **each))
