"""``slotwise policies``."""

from __future__ import annotations

from slotwise.cli.shared_options import JsonOption


def policies(json: JsonOption = False) -> None:
    """List the orders, backfill rules and presets."""
    from slotwise.cli.commands.policies import show_policies

    show_policies(as_json=json)
