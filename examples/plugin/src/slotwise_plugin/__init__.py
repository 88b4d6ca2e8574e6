"""Orders, a model, a format and a study that this package adds to Slotwise."""

from pathlib import Path

HARBOUR = Path(__file__).with_name("harbour.toml")
"""The profile of the logs of a centre: `docs/formats.md` describes its keys."""
