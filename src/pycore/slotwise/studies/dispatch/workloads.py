"""The EURORA supercomputer, and the instance the paper prints (Tables 2 and 3)."""

from __future__ import annotations

import numpy as np

from slotwise.studies.dispatch.problem import Plan, Problem
from slotwise.studies.dispatch.site import read_site

MACHINE = read_site().machine
"""64 nodes of 16 cores and 16 GB; 32 with 2 GPUs, 32 with 2 MICs each (section 2)."""


def example() -> Problem:
    """Return the instance of Table 2."""
    #        units, cores, memory (KB), GPUs, MICs, seconds
    rows = np.array(
        [
            (32, 4, 1_000_000, 1, 0, 14000),
            (1, 14, 400_000, 1, 0, 600),
            (2, 4, 200_000, 1, 0, 14400),
            (32, 16, 400_000, 0, 0, 800),
            (32, 3, 800_000, 0, 2, 400),
        ],
        dtype=np.int64,
    )
    zeros = np.zeros(len(rows), dtype=np.int64)
    wait = np.full(len(rows), 600, dtype=np.int64)
    return Problem(MACHINE, 0, rows[:, 0], rows[:, 1:5], rows[:, 5], zeros, wait)


def printed_solution() -> Plan:
    """Return the solution of Table 3."""
    places = [
        {1: 2, **dict.fromkeys(range(2, 32), 1)},
        {0: 1},
        {0: 2},
        dict.fromkeys(range(32, 64), 1),
        dict.fromkeys(range(32, 64), 1),
    ]
    return Plan.of_places(np.array([0, 0, 600, 0, 800], dtype=np.int64), places)
