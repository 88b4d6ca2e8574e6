"""``slotwise convert``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import text
from slotwise.formats.job_files import TRACE_SUFFIXES, kind_of, write_trace
from slotwise.formats.losses import EVALYS, lost_in
from slotwise.result.job_files import write_logged_jobs
from slotwise.terminal import screen, tables
from slotwise.terminal.outputs import check_output, check_parquet, warn_of_lost_demands
from slotwise.terminal.trace_argument import nodes_of, open_trace
from slotwise.trace.labels import anonymous, renumbered

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.trace import Trace

_OWNERS = ("user", "group", "account")


def convert_trace(
    source: Path,
    target: Path,
    *,
    strict: bool,
    nodes: Path | None = None,
    anonymise: bool = False,
    logged: bool = False,
) -> None:
    """Read a trace, write it in another format, and list repairs and losses."""
    check_output(target, "OUT", (".csv",) if logged else TRACE_SUFFIXES, source)
    check_parquet(target)
    trace = open_trace(source, strict=strict, nodes=nodes_of(nodes, source))
    if anonymise:
        trace = _anonymised(trace)
    if logged:
        write_logged_jobs(trace, target)
    else:
        write_trace(trace, target)
    warn_of_lost_demands(trace, target)
    console = screen.stdout()
    console.print(
        f"{text.plural(len(trace), 'job')} of {source} written to {target}",
        markup=False,
        soft_wrap=True,
    )
    lost = lost_in(trace, EVALYS if logged else kind_of(target, TRACE_SUFFIXES))
    notes = [f"Not kept, because the format cannot store it: {', '.join(lost)}."] if lost else []
    tables.print_notes(console, notes + tables.reading_notes(trace))


def _anonymised(trace: Trace) -> Trace:
    """Replace names, and numbers such as Unix user ids, with codes."""
    numbers = {
        name: renumbered(trace._column(name))
        for name in _OWNERS
        if name not in trace.labels and (trace._column(name) >= 0).any()
    }
    named = trace.with_labels(anonymous(trace.labels))
    return named.with_columns(**numbers) if numbers else named
