"""A result as a table, as charts, as a summary, as files and as a report."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from slotwise.replay.replay_data import ReplayData
from slotwise.result.summary import summary, summary_html

if TYPE_CHECKING:
    import os

    from slotwise.result.jobs import Jobs
    from slotwise.result.plots import SchedulePlots


class ResultViews(ReplayData):
    """Ways to show or export a result: table, charts, summary, files, report."""

    @cached_property
    def jobs(self) -> Jobs:
        """The jobs as a table: polars, pyarrow and DuckDB do not copy it, but pandas does."""
        from slotwise.result.jobs import jobs_of

        return jobs_of(self)

    def __arrow_c_schema__(self) -> object:
        """Export the schema of `jobs` (Arrow PyCapsule interface)."""
        return self.jobs.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export `jobs` as one batch (Arrow PyCapsule interface)."""
        return self.jobs.__arrow_c_stream__(requested_schema)

    @property
    def plot(self) -> SchedulePlots:
        """Charts: ``queue``, ``gantt``, ``waits``, ``slowdowns`` and ``by("user")``."""
        from slotwise.result.plots import SchedulePlots

        return SchedulePlots(self)

    def __repr__(self) -> str:
        return f"<Result: {'; '.join(f'{name} {value}' for name, value in summary(self))}>"

    def _repr_html_(self) -> str:
        return summary_html(self)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write one row per job as csv, in the columns of Batsim's ``jobs.csv``.

        Parameters
        ----------
        path : path-like
            Written under a temporary name, and renamed when complete.

        Raises
        ------
        OSError
            For a file that cannot be written.
        """
        from slotwise.result.job_files import write_jobs_as_csv

        write_jobs_as_csv(self, path)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write one row per job as parquet, in the columns of `jobs`.

        Parameters
        ----------
        path : path-like
            Written under a temporary name, and renamed when complete.

        Raises
        ------
        OSError
            For a file that cannot be written.
        MissingExtraError
            If pyarrow is not installed.
        """
        from slotwise.result.job_files import write_jobs_as_parquet

        write_jobs_as_parquet(self, path)

    def to_report(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write a report page about this result.

        Parameters
        ----------
        path : path-like
        **options
            Options of `slotwise.report.write_report`: ``title``, ``threshold``, ``trim``, ….

        Raises
        ------
        OSError
            For a file that cannot be written.
        """
        from slotwise.report import write_report

        write_report(self, path, **options)
