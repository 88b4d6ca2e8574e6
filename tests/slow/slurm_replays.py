"""One random workload under Slurm: the preset starts each job as the oracle does."""

from __future__ import annotations

from random import Random

from reference.slurm.drawing_replays import draw_replay
from slurm.drawn_replays import differences


def case(seed: int) -> str:
    """Compare the core's replay with the oracle's, for a workload drawn from `seed`.

    Return the select type, or raise AssertionError if the replays differ.
    """
    drawn = draw_replay(Random(seed))
    found = differences(drawn)
    if found:
        raise AssertionError("; ".join(found[:2]))
    return "cons_tres" if drawn.machine.shares else "linear"
