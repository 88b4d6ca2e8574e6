"""One random workload under Slurm; its order depends on every factor of the priority."""

from __future__ import annotations

import warnings
from random import Random

import slotwise as sw
from reference.slurm.drawing_priorities import draw_priorities
from reference.slurm.drawing_replays import draw_replay
from slurm.drawn_priorities import differences


def case(seed: int) -> str:
    """Compare the core's replay with the oracle's, for a workload drawn from `seed`.

    Return the reset period, or raise AssertionError if the replays differ.
    """
    draw = Random(seed)
    drawn = draw_priorities(draw, draw_replay(draw))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sw.SiteWarning)  # some names have no jobs
        found = differences(drawn)
    if found:
        raise AssertionError("; ".join(found[:2]))
    return drawn.weights.reset
