"""A snapshot with changed content and a valid checksum is refused as documented, or resumed."""

from __future__ import annotations

import random
from pathlib import Path

import harness

_TARGET = harness.target("snapshot")


def case(seed: int) -> str:
    """Forge a snapshot at random from a seed and open it; return the outcome."""
    try:
        _TARGET.run(_TARGET.make(random.Random(seed)), Path())
    except _TARGET.refusals as fault:
        return f"refused: {type(fault).__name__}"
    return "resumed"
