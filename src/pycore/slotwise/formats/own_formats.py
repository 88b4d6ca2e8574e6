"""Formats that no profile describes: events, Intrepid, csv, parquet and SWF.

A reader is imported only when a file in its format is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.errors import TraceError
from slotwise.formats.format import Format

if TYPE_CHECKING:
    from slotwise.formats.beginning import Beginning
    from slotwise.formats.format import ReadOptions
    from slotwise.trace import Trace


def own_formats() -> list[Format]:
    """List the formats in the order in which they are tried.

    SWF comes last, because it has no distinctive beginning.
    """
    real = "real files"
    return [
        Format("parquet", "Parquet with the columns of a trace, as slotwise convert writes it",
               real, lambda file: file.data.startswith(b"PAR1"),
               _parquet),
        Format("events", "Slurm simulator: submit_batch_job events, read with --nodes slurm.conf",
               real, _is_events, _events),
        Format("intrepid", "ANL Intrepid: the job list of 2009",
               real, _is_intrepid, _intrepid, notes="Each node counts as one processor."),
        Format("csv", "csv with the columns of a trace, as slotwise convert writes it",
               real, _is_csv, _csv),
        Format("swf", "Standard Workload Format 2.2, used by the Parallel Workloads Archive",
               real, _is_swf, _swf),
    ]  # fmt: skip


def _is_csv(file: Beginning) -> bool:
    if b"submit" not in file.data:  # avoids the imports below for most files
        return False
    from slotwise.formats.column_names import NEEDED
    from slotwise.formats.text.text_table import Dialect, names_in

    return set(NEEDED) <= {name.strip() for name in names_in(file.data, Dialect())}


def _is_swf(file: Beginning) -> bool:
    """Return whether the first line that is not a comment contains at least 5 numbers."""
    words = file.first_line(";").split()
    return len(words) >= 5 and all(_is_number(word) for word in words[:5])


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _is_events(file: Beginning) -> bool:
    if not file.data.lstrip().startswith(b"-dt"):
        return False
    from slotwise.formats.slurm_events import begins_events

    return begins_events(file.data)


def _is_intrepid(file: Beginning) -> bool:
    if not file.data.lstrip().startswith(b"Job_name"):
        return False
    from slotwise.formats.intrepid import begins_intrepid

    return begins_intrepid(file.data.split(b"\n", 1)[0])


def _parquet(path: str, _options: ReadOptions) -> Trace:
    from slotwise.formats.csv_parquet import read_parquet

    return read_parquet(path)


def _csv(path: str, options: ReadOptions) -> Trace:
    from slotwise.formats.csv_parquet import read_csv

    return read_csv(path, zone=options.zone)


def _intrepid(path: str, _options: ReadOptions) -> Trace:
    from slotwise.formats.intrepid import read_intrepid

    return read_intrepid(path)


def _swf(path: str, options: ReadOptions) -> Trace:
    from slotwise.formats.swf import read_swf

    return read_swf(path, strict=options.strict)


def _events(path: str, options: ReadOptions) -> Trace:
    if options.nodes is None:
        raise TraceError(
            "the file contains submit_batch_job events, which need a node table. For run, compare, "
            "sweep, explain, convert and info, pass --nodes slurm.conf or a site file that defines "
            "the nodes. For other commands, first convert the file to .csv with slotwise convert.",
            path=path,
        )
    from slotwise.formats.slurm_events import read_slurm_events

    return read_slurm_events(path, options.nodes)
