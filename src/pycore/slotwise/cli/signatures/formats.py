"""``slotwise formats``."""

from __future__ import annotations

from slotwise.cli.shared_options import JsonOption


def formats(json: JsonOption = False) -> None:
    """List the formats of job logs that can be read."""
    from slotwise.cli.commands.formats import show_formats

    show_formats(as_json=json)
