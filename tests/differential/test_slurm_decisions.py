"""Slurm's schedulers in random states: starts, plans and weights equal the oracle's."""

from __future__ import annotations

from random import Random

import pytest

from reference.slurm.drawing import SHAPES, DrawnState, draw_state
from reference.slurm.job import Job
from reference.slurm.machine import Machine, Node, Partition
from reference.slurm.parameters import Parameters
from reference.slurm.running import Running
from reference.slurm.state import State
from slurm.drawn_decisions import by_oracle, differences

# Scheduling cycles cache results for each kind of job. Some bugs in this cache show only in states
# with many jobs.
STATES = [
    ("small", "backfill", 60),
    ("small", "main depth", 60),
    ("small", "main full", 60),
    ("dense", "backfill", 400),
    ("dense", "main depth", 30),
    ("dense", "main full", 30),
    ("large", "backfill", 14),
]


@pytest.mark.parametrize(("shape", "kind", "count"), STATES)
def test_the_core_decides_as_the_oracle_does(shape: str, kind: str, count: int) -> None:
    for seed in range(count):
        drawn = draw_state(Random(seed), SHAPES[shape])
        assert not differences(drawn, kind), (seed, drawn)


def test_a_job_on_whole_nodes_holds_their_gpus() -> None:
    # sbatch(1): an exclusive job is allocated all GRES on its nodes. So no GPU of node 0 is left
    # for the waiting job. It starts on node 1, where two GPUs are free.
    nodes = tuple(Node(f"n{place}", cpus=4, memory=1000, gpus=2) for place in range(2))
    machine = Machine(nodes, {"p": Partition("p", 0b11)}, shares=True)
    alone = Job(1, 0, 3600, 1, 1, "p", exclusive=True, user="1")
    waits = Job(2, 0, 3600, 1, 1, "p", gpus=1, user="1")
    state = State(600, [Running(alone, 0, 0b01, 3600)], [waits])
    drawn = DrawnState(machine, Parameters(), state, {}, ())
    decision, weights = by_oracle(drawn, "backfill")
    assert decision.starts == [(waits, 0b10)]
    assert weights == {1: 2}
    assert not differences(drawn, "backfill")
