"""A job log as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise._core import JobTable
from slotwise.trace.arrow_columns import arguments_of
from slotwise.trace.columns import COLUMNS, OF_ABSENT, REQUIRED, columns_from
from slotwise.trace.equality import same_jobs
from slotwise.trace.hashes import TraceHashes
from slotwise.trace.header import Header
from slotwise.trace.labels import checked, with_codes
from slotwise.trace.report import TraceReport
from slotwise.trace.rows import chosen_rows
from slotwise.trace.views import TraceViews

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from slotwise.trace.demands import Demands
    from slotwise.trace.report import ReadingFault

    Int64 = NDArray[np.int64]


class Trace(TraceHashes, TraceViews):
    """A job log: one row per job, sorted by submit time, immutable.

    Created by `read_swf`, `Trace.from_columns`, the generators and slicing. Every column is a
    read-only NumPy view of memory that the core reads; -1 is an unknown value.

    Attributes
    ----------
    submit, run_time, requested_time : (n_jobs,) int64, seconds
        Submit time on the trace's clock; real run time; time the job requested (its run time if it
        requested none).
    processors : (n_jobs,) int64
        Processors requested, or those allocated if none were requested.
    job_id : (n_jobs,) int64
        Number of the job in the log.
    line : (n_jobs,) int64
        Line in the file, from 1; 0 without a file.
    wait, cpu_time, think_time : (n_jobs,) int64, seconds
        As logged.
    used_memory, requested_memory : (n_jobs,) int64, KB per processor
        As logged.
    preceding_job, allocated_processors, requested_processors : (n_jobs,) int64
        As logged.
    status, user, group, executable, queue, partition, account, qos, state, node_list : \
(n_jobs,) int32
        As logged.
    has_request : (n_jobs,) int32
        0 if the run time replaces a missing requested time, otherwise 1.
    array_id, array_task, array_limit : (n_jobs,) int64
        Job array, task in it, and the number of its tasks that may run at once.
    nice, site_factor : (n_jobs,) int64
        Subtracted from, and added to, the job's priority in Slurm; 0 if unknown.
    dependency, constraint : (n_jobs,) int32
        Codes of strings in `labels`: conditions such as ``afterok:12:13,singleton``, and features
        that nodes must have, such as ``a100&ib``; see `Demands`.
    eligible : (n_jobs,) int64, seconds
        Earliest time at which the job may start in a replay, on the trace's clock.
    requested_nodes : (n_jobs,) int64
        Minimum number of nodes that the job requested; used only by Slurm's priority.
    gpus, node_count, power, energy, soft_walltime : (n_jobs,) int64
        As logged: GPUs and nodes of the job, mean power in W, energy in J; run time that the user
        expects, in seconds, below the requested time.
    labels : dict of str to dict of int to str
        Names of the codes, such as ``trace.labels["user"][2]``, for columns that have names.
    header : dict of str to str
        The file's ``; Key: value`` entries; values of a repeated key are joined by newlines.
    header_lines : list of str
        Every comment of the file, verbatim.
    max_processors, unix_start_time : int or None
        The size of the machine (MaxProcs of the header, otherwise MaxNodes), and the date of time 0
        in seconds since 1970-01-01 UTC; None if unknown.
    source : str
        The file that was read; empty if there is none.
    report : TraceReport
        Lines repaired, dropped and rejected; empty for a slice.
    demands : Demands or None
        Demands of the jobs on a machine with nodes, or None; see `with_demands`.
    """

    __slots__ = (
        "__weakref__", "_content_hash", "_header", "_in_core", "_jobs", "_on_nodes", "_replay_hash",
        "demands", "labels", "report", "source",
    )  # fmt: skip

    demands: Demands | None
    labels: dict[str, dict[int, str]]
    report: TraceReport
    source: str
    _jobs: JobTable
    _header: Header
    # Demands cached for the last machine with nodes: as DemandsOnNodes, and as the core needs them.
    _on_nodes: Any
    _in_core: Any

    def __init__(self) -> None:
        raise TypeError("create a Trace with read_swf(path) or Trace.from_columns(...)")

    @classmethod
    def _make(
        cls,
        jobs: JobTable,
        header: Header,
        report: TraceReport,
        source: str = "",
        demands: Demands | None = None,
        labels: dict[str, dict[int, str]] | None = None,
    ) -> Trace:
        trace = object.__new__(cls)
        trace._jobs = jobs
        trace._header = header
        trace.report = report
        trace.source = source
        trace._content_hash = trace._replay_hash = ""
        trace._on_nodes = trace._in_core = None
        trace.demands = demands
        trace.labels = labels or {}
        return trace

    @classmethod
    def from_columns(
        cls,
        submit: ArrayLike,
        run_time: ArrayLike,
        processors: ArrayLike,
        requested_time: ArrayLike | None = None,
        *,
        max_processors: int | None = None,
        unix_start_time: int | None = None,
        header_lines: Sequence[str] | None = None,
        job_id: ArrayLike | None = None,
        wait: ArrayLike | None = None,
        cpu_time: ArrayLike | None = None,
        used_memory: ArrayLike | None = None,
        requested_memory: ArrayLike | None = None,
        preceding_job: ArrayLike | None = None,
        think_time: ArrayLike | None = None,
        allocated_processors: ArrayLike | None = None,
        requested_processors: ArrayLike | None = None,
        status: ArrayLike | None = None,
        user: ArrayLike | None = None,
        group: ArrayLike | None = None,
        executable: ArrayLike | None = None,
        queue: ArrayLike | None = None,
        partition: ArrayLike | None = None,
        eligible: ArrayLike | None = None,
        gpus: ArrayLike | None = None,
        soft_walltime: ArrayLike | None = None,
        node_count: ArrayLike | None = None,
        power: ArrayLike | None = None,
        energy: ArrayLike | None = None,
        account: ArrayLike | None = None,
        qos: ArrayLike | None = None,
        state: ArrayLike | None = None,
        node_list: ArrayLike | None = None,
        has_request: ArrayLike | None = None,
        array_id: ArrayLike | None = None,
        array_task: ArrayLike | None = None,
        array_limit: ArrayLike | None = None,
        dependency: ArrayLike | None = None,
        nice: ArrayLike | None = None,
        site_factor: ArrayLike | None = None,
        requested_nodes: ArrayLike | None = None,
        constraint: ArrayLike | None = None,
        labels: Mapping[str, Mapping[int, str]] | Any = None,
    ) -> Trace:
        """Create a trace from arrays, which are copied.

        Fractions are rounded half up. Rows not in submit order are sorted (stable sort). A
        requested time that is not positive becomes the run time. Each such repair is counted in
        `report`.

        Parameters
        ----------
        submit, run_time : (n_jobs,) array_like of numbers >= 0, seconds
        processors : (n_jobs,) array_like of numbers > 0
        requested_time : (n_jobs,) array_like of numbers, seconds, optional
            Default: the run times.
        max_processors : int, optional
            The size of the machine.
        unix_start_time : int, optional
            Date of time 0, in seconds since 1970-01-01 UTC.
        header_lines : sequence of str, optional
            Comments, each beginning with ``;``. MaxProcs, MaxNodes and UnixStartTime in them apply
            if the corresponding argument is not given.
        job_id : (n_jobs,) array_like, optional
            Default: 1 to n_jobs, in the order given.
        wait, cpu_time, used_memory, requested_memory, preceding_job, think_time, \
allocated_processors, requested_processors, status, user, group, executable, queue, partition, \
eligible, gpus, soft_walltime, node_count, power, energy, account, qos, state, node_list, \
has_request, array_id, array_task, array_limit, dependency, nice, site_factor, \
requested_nodes, constraint : (n_jobs,) array_like, optional
            As in the attributes of the class; -1 is unknown. requested_processors defaults to
            `processors`. Columns of codes (user, group, …) may be lists of names instead.
        labels : mapping of str to mapping of int to str, optional
            Names of codes, by column.

        Raises
        ------
        TraceError
            For a column of a different length or shape, or a value that is not a number or is out
            of bounds.

        Examples
        --------
        >>> trace = Trace.from_columns([0, 10], [60, 60], [4, 8], [100, 100], max_processors=8)
        >>> len(trace)
        2
        """
        given = {
            name: value
            for name, value in locals().items()
            if name in COLUMNS and (value is not None or name in REQUIRED)
        }
        made = Header.made(
            max_processors=max_processors, unix_start_time=unix_start_time, lines=header_lines
        )
        return cls._from_given(given, made, labels)

    @classmethod
    def _from_given(
        cls, given: dict[str, Any], made: tuple[Header, list[ReadingFault]], labels: Any
    ) -> Trace:
        """Create a trace from the given columns, a header, and the faults found in the header."""
        given, named = with_codes(given, checked(labels))
        columns, repairs = columns_from(given)
        header, odd = made
        faults = repairs + odd + header.rejected(columns)
        return cls._make(JobTable(columns), header, TraceReport(faults), labels=named)

    @classmethod
    def from_table(cls, table: Any) -> Trace:
        """Create a trace from a polars, pandas, pyarrow or DuckDB table; this needs pyarrow.

        Its columns have the names of the arguments of `from_columns`, except ``max_processors``
        and ``unix_start_time``; other columns are ignored. Strings are names, and timestamps count
        from 1970 UTC.

        Raises
        ------
        TypeError
            For an object without ``__arrow_c_stream__``.
        TraceError
            As for `from_columns`, and for a column of a wrong type.
        MissingExtraError
            If pyarrow is not installed.
        """
        return cls.from_columns(**arguments_of(table))

    def __len__(self) -> int:
        return len(self._jobs)

    def __repr__(self) -> str:
        machine = self.max_processors
        parts = [f"{len(self):,} jobs"]
        if len(self):
            days = (int(self.submit[-1]) - int(self.submit[0])) / 86400
            parts.append(f"{days:,.1f} days")
        parts.append("machine unknown" if machine is None else f"{machine:,} processors")
        if self.source:
            parts.append(self.source)
        return f"<Trace: {', '.join(parts)}>"

    def __getitem__(self, rows: slice | ArrayLike) -> Trace:
        """Return the chosen jobs, sorted by submit time, with the same header and source.

        Parameters
        ----------
        rows : slice, (n_jobs,) array_like of bool, or of int (negative: from the end)

        Raises
        ------
        IndexError
            For a row that does not exist, or a mask of a different length.
        TypeError
            For anything else; for one job, write ``trace[i : i + 1]``.
        """
        chosen = chosen_rows(rows, len(self))
        demands = None
        if self.demands is not None:
            demands = self.demands.take(chosen[np.argsort(self.submit[chosen], kind="stable")])
        jobs = self._jobs.take(chosen)
        return Trace._make(jobs, self._header, TraceReport(), self.source, demands, self.labels)

    def with_demands(self, demands: Demands) -> Trace:
        """Return the same jobs with demands on a machine with nodes.

        Parameters
        ----------
        demands : Demands
            One row per job; units times cores must equal the job's processors.

        Raises
        ------
        TraceError
            If there is not one row per job, or the processors of a job do not match.
        """
        demands.check_processors(self.processors)
        return Trace._make(self._jobs, self._header, self.report, self.source, demands, self.labels)

    def with_labels(self, labels: Mapping[str, Mapping[int, str]]) -> Trace:
        """Return the same jobs with different names for their codes."""
        return Trace._make(
            self._jobs, self._header, self.report, self.source, self.demands, checked(labels)
        )

    def with_columns(self, **columns: ArrayLike) -> Trace:
        """Return the same jobs with different values in some columns.

        Parameters
        ----------
        **columns : (n_jobs,) array_like
            By name, as in `from_columns`; any except ``submit``, which orders the rows.

        Raises
        ------
        TypeError
            For a name that is not a column.
        TraceError
            As for `from_columns`, and for changed ``processors`` of jobs that have demands.

        Examples
        --------
        >>> trace = Trace.from_columns([0, 10], [60, 60], [4, 8])
        >>> trace.with_columns(preceding_job=[-1, 1]).preceding_job.tolist()
        [-1, 1]
        """
        takes = [name for name in COLUMNS if name not in ("submit", "line")]
        for name in columns:
            if name not in takes:
                raise TypeError(
                    f"with_columns() has no argument {name!r}; known names are {', '.join(takes)}"
                )
        named = {name: words for name, words in self.labels.items() if name not in columns}
        columns, named = with_codes(columns, named)
        given: dict[str, Any] = {**self._jobs.columns(), **columns}
        if "requested_time" in columns and "has_request" not in columns:
            given.pop("has_request", None)
        lines = {"line": given.pop("line")} if "line" in given else {}
        sound, repairs = columns_from(given)
        trace = Trace._make(
            JobTable(sound | lines), self._header, TraceReport(repairs), self.source, labels=named
        )
        return trace if self.demands is None else trace.with_demands(self.demands)

    def __eq__(self, other: object) -> bool:
        """Return whether two traces have the same jobs, machine size and start time.

        File names, lines, comments and reports are not compared.
        """
        if not isinstance(other, Trace):
            return NotImplemented
        return same_jobs(self, other)

    def __hash__(self) -> int:
        return hash(self.content_hash)

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (
            self._jobs, self._header, self.report, self.source, self.demands, self.labels
        )  # fmt: skip
        return Trace._make, parts

    def _column(self, name: str) -> NDArray[Any]:
        column = self._jobs.column(name)
        if column is not None:
            return column
        if name == "requested_processors":
            return self.processors
        unknown = np.array(OF_ABSENT.get(name, -1), dtype=COLUMNS[name])
        return np.broadcast_to(unknown, (len(self),))

    @property
    def header(self) -> dict[str, str]:
        """The file's ``; Key: value`` entries; values of a repeated key are joined by newlines."""
        return self._header.values()

    @property
    def header_lines(self) -> list[str]:
        """Every comment of the file, verbatim."""
        return list(self._header.lines)

    @property
    def max_processors(self) -> int | None:
        """Size of the machine; None if unknown."""
        return self._header.max_processors

    @property
    def unix_start_time(self) -> int | None:
        """Date of time 0, in seconds since 1970-01-01 UTC; None if unknown."""
        return self._header.unix_start_time
