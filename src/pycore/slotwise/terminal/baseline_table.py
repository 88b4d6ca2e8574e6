"""The log's own figures next to those of a replay, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import text
from slotwise.replay.metric_format import format_of
from slotwise.replay.metric_sections import counted_from
from slotwise.terminal.tables import new_table, print_notes

if TYPE_CHECKING:
    from rich.console import Console

    from slotwise.result.baseline import Baseline


def print_baseline(
    console: Console, baseline: Baseline, n_started: int, wait_from: str | None = None
) -> None:
    """Print logged and replayed figures, then possible causes of a material difference.

    `wait_from` selects the time from which waits are measured.
    """
    table = new_table("", "replayed", "logged")
    for name in counted_from(baseline.logged, wait_from):
        shown = format_of(name)
        values = (baseline.replayed[name], baseline.logged[name])
        table.add_row(shown.label, *map(shown.write, values))
    console.print(table)
    if baseline.n_jobs != n_started:
        started = text.plural(baseline.n_jobs, "job")
        print_notes(console, [f"Logged figures cover the {started} whose start is in the log."])
    if baseline.logged == baseline.replayed:
        print_notes(console, ["The replay has the same figures as the log."])
    elif not baseline.is_material:
        print_notes(console, ["The differences from the log are small, so no causes are listed."])
    elif baseline.causes:
        console.print("Possible causes of the difference:")
        print_notes(console, [f"{cause.name}: {cause.sentence}." for cause in baseline.causes])
    else:
        advice = (
            "The centre may have used other rules: try other policies with slotwise compare "
            "(slotwise policies lists them)."
        )
        print_notes(console, ["No figure in the log or the replay points to a cause.", advice])
    console.print()
