"""One large state under Slurm: 150 to 200 nodes and waiting jobs of up to ten kinds."""

from __future__ import annotations

from random import Random

from reference.slurm.drawing import SHAPES, draw_state
from slurm.drawn_decisions import differences


def case(seed: int) -> str:
    """Compare the core's backfill cycle with the oracle's, in a state drawn from `seed`.

    Return the select type, or raise AssertionError if the cycles differ.
    """
    drawn = draw_state(Random(seed), SHAPES["large"])
    found = differences(drawn, "backfill")
    if found:
        raise AssertionError(found[0])
    return "cons_tres" if drawn.machine.shares else "linear"
