"""Values in messages, written as a site file has them."""

from __future__ import annotations

from datetime import date, time


def written_value(value: object) -> str:
    """Write a value as TOML does: ``true``, ``{ cores = 1 }``, ``2024-03-06``.

    What TOML has no word for is written as Python does.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        items = ", ".join(f"{name} = {written_value(item)}" for name, item in value.items())
        return f"{{ {items} }}" if items else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(written_value, value))}]"
    if isinstance(value, date | time):
        return value.isoformat()
    return repr(value)
