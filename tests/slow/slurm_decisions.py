"""One random state under Slurm: the core decides as the oracle does."""

from __future__ import annotations

from random import Random

from reference.slurm.drawing import SHAPES, draw_state
from slurm.drawn_decisions import DECISIONS, differences


def case(seed: int) -> str:
    """Compare the core's decisions with the oracle's, in a state drawn from `seed`.

    Return the select type, or raise AssertionError if decisions differ.
    """
    draw = Random(seed)
    drawn = draw_state(draw, SHAPES[draw.choice(("small", "dense"))])
    for kind in DECISIONS:
        found = differences(drawn, kind)
        if found:
            raise AssertionError(f"{kind}: {found[0]}")
    return "cons_tres" if drawn.machine.shares else "linear"
