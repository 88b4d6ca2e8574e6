"""An example package that adds two orders, a workload model, a format and a study to Slotwise."""

from pathlib import Path

HARBOUR = Path(__file__).with_name("harbour.toml")
"""The profile of a centre's log format; `docs/formats.md` describes its keys."""
