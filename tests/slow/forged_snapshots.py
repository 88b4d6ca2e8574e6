"""One snapshot changed behind its checksum: refused as documented, or gone on from."""

from __future__ import annotations

import random
from pathlib import Path

import harness

_TARGET = harness.target("snapshot")


def case(seed: int) -> str:
    """Open what a seed forges; return what came of it."""
    try:
        _TARGET.run(_TARGET.make(random.Random(seed)), Path())
    except _TARGET.refusals as fault:
        return f"refused: {type(fault).__name__}"
    return "gone on from"
