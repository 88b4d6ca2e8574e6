"""``slotwise convert``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import text
from slotwise.formats.job_files import JOB_SUFFIXES, write_trace
from slotwise.terminal import screen, tables
from slotwise.terminal.outputs import check_output, check_parquet, warn_of_lost_demands
from slotwise.terminal.trace_argument import nodes_of, open_trace

if TYPE_CHECKING:
    from pathlib import Path


def convert_trace(source: Path, target: Path, *, strict: bool, nodes: Path | None = None) -> None:
    """Read a trace, write it in another format, and list the repairs."""
    check_output(target, "OUT", JOB_SUFFIXES, source)
    check_parquet(target)
    trace = open_trace(source, strict=strict, nodes=nodes_of(nodes, source))
    write_trace(trace, target)
    warn_of_lost_demands(trace, target)
    console = screen.stdout()
    console.print(
        f"{text.plural(len(trace), 'job')} of {source} written to {target}",
        markup=False,
        soft_wrap=True,
    )
    tables.print_notes(console, tables.reading_notes(trace))
