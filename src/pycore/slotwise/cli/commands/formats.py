"""``slotwise formats``, and ``slotwise info --how``."""

from __future__ import annotations

import re

from slotwise.formats.registry import format_named, formats
from slotwise.terminal import screen, tables
from slotwise.terminal.exits import UsageError

_DATES = re.compile(r"\b20[0-9]{2}(-[0-9]{2}-[0-9]{2}\b|\*)")
"""Example dates in a command."""


def show_formats(*, as_json: bool) -> None:
    """List the formats of job logs that can be read."""
    known = formats().values()
    if as_json:
        rows = {
            each.name: {
                "title": each.title,
                "read_from": each.evidence,
                "how": each.how,
                "notes": each.notes,
            }
            for each in known
        }
        screen.print_json({"formats": rows})
        return
    from rich.markup import escape

    table = tables.new_table_of_words("Formats of job logs")
    for each in known:
        table.add_row(each.name, f"{escape(each.title)} [dim](reader based on {each.evidence})[/]")
    console = screen.stdout()
    console.print(table)
    console.print("slotwise info --how FORMAT prints the command that writes a log in that format.")


def show_how(name: str) -> None:
    """Print the command that writes a log in a given format, such as a call of ``sacct``.

    Raises
    ------
    UsageError
        For an unknown format, or one that no command writes.
    """
    try:
        format = format_named(name)
    except ValueError as fault:
        raise UsageError(f"--how: {fault}") from None
    if not format.how:
        having = ", ".join(each.name for each in formats().values() if each.how)
        raise UsageError(f"--how {name}: no command writes this format; choose one of: {having}")
    screen.write(f"{format.how}\n")
    if format.notes:
        screen.write(f"# {format.notes}\n")
    if _DATES.search(format.how):
        screen.write("# Replace the dates with those of the log that you want.\n")
    screen.write(f"# then: slotwise info FILE --format {format.name}\n")
