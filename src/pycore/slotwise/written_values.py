"""Format values for messages, in the notation of site files."""

from __future__ import annotations

from datetime import date, time


def written_value(value: object) -> str:
    """Write a value as TOML does: ``true``, ``{ cores = 1 }``, ``2024-03-06``.

    Values that TOML cannot express are written as in Python. A short text replaces values that are
    too large, such as numbers of 5,000 digits.
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
    try:
        return repr(value)
    except (ValueError, RecursionError):
        return "a value too large to be shown"


def shown(value: object) -> str:
    """Format an invalid value for a message; shorten it if it is long."""
    text = written_value(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
