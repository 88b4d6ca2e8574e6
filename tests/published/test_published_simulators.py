"""Presets give every job the same start as three independent simulators do.

Their schedules were computed by pyss, CQSim and RLScheduler from logs in the Parallel Workloads
Archive (KTH-SP2: Lars Malinowsky; SDSC-BLUE: Travis Earheart and Nancy Wilkins-Diehr).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from reference import Job, Policy, simulate

Log = Callable[[str], sw.Trace]
Starts = Callable[[str], list[int]]

REFERENCES = {
    "KTH-SP2.pyss.easy": ("pyss", "easy", 28_467),
    "KTH-SP2.pyss.fcfs": ("pyss", "none", 28_467),
    "KTH-SP2.pyss.conservative": ("pyss", "conservative", 28_467),
    "KTH-SP2.cqsim.easy": ("cqsim", "easy", 28_467),
    "KTH-SP2.rlscheduler.easy": ("rlscheduler", "easy", 28_467),
    "SDSC-BLUE.pyss.easy": ("pyss", "easy", 232_536),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_a_preset_gives_every_job_the_start_its_simulator_gave(
    name: str, normalised: Log, published_starts: Starts
) -> None:
    preset, backfill, n_jobs = REFERENCES[name]
    trace = normalised(name.split(".")[0])
    result = sw.simulate(trace, sw.Site(policy=sw.Policy.preset(preset, backfill=backfill)))
    expected = np.array(published_starts(name))
    assert len(trace) == len(expected) == n_jobs
    different = np.flatnonzero(result.start != expected)
    first = different[np.argsort(expected[different], kind="stable")][:5]
    shown = [(int(trace.job_id[j]), int(expected[j]), int(result.start[j])) for j in first]
    assert different.size == 0, f"{different.size} starts differ; (job, published, ours): {shown}"


PYSS: dict[str, Any] = {
    "passes": "per-event",
    "event_order": "arrivals-first",
    "ending_now": "free",
}
ORACLE = {
    "KTH-SP2.pyss.easy": (Policy(**PYSS), 28_467),
    "KTH-SP2.pyss.fcfs": (Policy(backfill="none", **PYSS), 6_000),
    "KTH-SP2.pyss.conservative": (
        Policy(backfill="conservative", compression="every-end", promises="per-arrival", **PYSS),
        5_000,
    ),
    "KTH-SP2.cqsim.easy": (Policy(passes="per-event", waiting_estimates="exact"), 28_467),
    "KTH-SP2.rlscheduler.easy": (
        Policy(
            passes="per-event",
            event_order="arrivals-first",
            spare_processors=False,
            strict_end=True,
            frozen_reservation=True,
        ),
        28_467,
    ),
}


@pytest.mark.parametrize("name", ORACLE)
def test_the_oracle_reproduces_the_published_schedules_too(
    name: str, normalised: Log, published_starts: Starts
) -> None:
    """Check that the oracle's rules are right, since other tests compare the core with the oracle.

    In a truncated log only starts before the last submit time are final, so only they are compared.
    """
    policy, n_jobs = ORACLE[name]
    trace = normalised("KTH-SP2")[:n_jobs]
    columns = (trace.submit, trace.run_time, trace.requested_time, trace.processors, trace.user)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    jobs = [Job(at, *row) for at, row in enumerate(rows)]
    expected = published_starts(name)
    whole = n_jobs == len(expected)
    last_submit = jobs[-1].submit
    outcomes = simulate(jobs, 100, policy)
    compared = 0
    for outcome, start in zip(outcomes, expected, strict=whole):
        if whole or min(outcome.start, start) < last_submit:
            assert outcome.start == start
            compared += 1
    assert compared > 0.8 * n_jobs
