"""Replays of the study: a log under a site, crashes as in equations 7 to 9, and machine crashes.

In the equations, every job runs alone, and crashes at most once, at a random time after its start.
After the crash, it runs again without another one; waiting has no cost. In a replay, each job is
therefore submitted long after the previous one has ended, and the times of the crashes are fixed in
advance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.advice.weights.outcomes import WEEK, outcome_of
from slotwise.replay.state import EndReason
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.site.parts import Crashes, Interruption
from slotwise.site.policy import Policy
from slotwise.studies.priority.sites import study_site
from slotwise.trace import Trace

if TYPE_CHECKING:
    from slotwise.advice.refunds import Failures, RefundedJob
    from slotwise.result import Result

TICKS = 360_000
"""Steps of the replay's clock per hour; refunds are whole numbers of steps for most job sizes."""


def site_facts(trace: Trace, site: str) -> dict[str, float]:
    """Replay a log; return utilisation, mean wait and mean number of jobs in the system."""
    result = simulate(trace, study_site(site, trace))
    outcome = outcome_of(result)
    weeks = range(len(outcome))
    end = int(trace.submit[0]) + WEEK
    return {
        "utilisation": outcome.value("utilisation", weeks),
        "utilisation_first_week": outcome.value("utilisation", [0]),
        "mean_wait": outcome.value("mean_wait", weeks),
        "in_system": in_system(result, int(trace.submit[-1])),
        "in_system_first_week": in_system(result, end),
    }


def in_system(result: Result, until: int) -> float:
    """Return the mean number of waiting and running jobs from the first submit time to `until`."""
    trace = result.trace
    begin = int(trace.submit[0])
    ran = result.start >= 0
    submit = np.minimum(trace.submit[ran], until)
    end = np.minimum(result.end[ran], until)
    return float((end - submit).sum() / max(until - begin, 1))


@dataclass(frozen=True)
class SampledLoss:
    """Mean cost of a job to its user, measured in replays.

    Attributes
    ----------
    mean : float, hours
    error : float, hours
        Standard error of the mean.
    jobs : int
    """

    mean: float
    error: float
    jobs: int


def sampled_loss(
    job: RefundedJob,
    failures: Failures,
    checkpoint: float | None = None,
    *,
    jobs: int = 20_000,
    seed: int = 0,
) -> SampledLoss:
    """Replay many jobs with at most one crash each, and measure the cost of a job to its user.

    Parameters
    ----------
    job, failures, checkpoint
        Arguments of `expected_loss`.
    jobs : int, default 20,000
    seed : int, default 0

    Raises
    ------
    ValueError
        For a checkpoint that would be complete before any work is done.
    """
    end = job.hours if checkpoint is None else job.with_checkpoint
    work, span = round(job.hours * TICKS), round(end * TICKS)
    uniform = np.random.Generator(np.random.PCG64(seed)).random(jobs)
    crash = np.rint(np.minimum(failures.draw(uniform), end) * TICKS).astype(np.int64)
    submit = np.arange(jobs, dtype=np.int64) * (3 * span + 1)
    trace = Trace.from_columns(submit, np.full(jobs, work), np.ones(jobs, np.int64))
    site = Site(
        machine=Processors(1),
        policy=Policy(order="fcfs", backfill="none", kill_at_limit=False),
        crashes=Crashes(times=(submit + crash)[(crash > 0) & (crash < span)].tolist()),
        interruption=_interruption(job, checkpoint),
    )
    attempts = simulate(trace, site).attempts
    spent = attempts["end"] - attempts["start"] - attempts["refunded"]
    cost = np.bincount(attempts["job"], weights=spent, minlength=jobs) / TICKS
    return SampledLoss(float(cost.mean()), float(cost.std(ddof=1) / jobs**0.5), jobs)


def _interruption(job: RefundedJob, checkpoint: float | None) -> Interruption:
    refund = round(job.refunded * TICKS)
    if checkpoint is None:
        return Interruption(requeue="from-start", refund=refund)
    before = round((checkpoint - job.checkpoint_hours) * TICKS)
    if before < 1:
        raise ValueError(
            f"a checkpoint that is complete after {checkpoint:g} h saves no work, because writing "
            f"it takes {job.checkpoint_hours:g} h; use a later time"
        )
    return Interruption(
        requeue="from-checkpoint",
        checkpoint_at=before,
        checkpoint_cost=round(job.checkpoint_hours * TICKS),
        refund=refund,
    )


@dataclass(frozen=True)
class CrashReport:
    """Effect of crashes of the whole machine on a log.

    Attributes
    ----------
    killed : int
        Number of attempts that a crash ended.
    lost, refunded : float, core hours
        Work lost in these attempts, and the refunds for them. A refund is at most the core hours of
        the attempt, and at most the `refund` passed to `crash_report`.
    utilisation : float, percent
        As in `Result.metrics`.
    mean_wait : float, hours
    """

    killed: int
    lost: float
    refunded: float
    utilisation: float
    mean_wait: float


def crash_report(
    trace: Trace,
    site: Site,
    failures: Failures,
    *,
    seed: int = 0,
    repair: float = 2.0,
    checkpoint_every: float | None = None,
    checkpoint_hours: float = 0.0,
    refund: float = 6.0,
    cores_a_node: int = 12,
) -> CrashReport:
    """Replay a log on a machine with Weibull-distributed crashes; killed jobs are requeued.

    Here crashes recur and kill all running jobs, and waits are measured, so the result does not
    test the equations.

    Parameters
    ----------
    trace : Trace
    site : Site
    failures : Failures
        Distribution of the time from the end of a repair to the next crash.
    seed : int, default 0
    repair : float, hours, default 2
    checkpoint_every : float, hours, optional
        Work between checkpoints. Default: none; jobs start again from the beginning.
    checkpoint_hours : float, hours, default 0
    refund : float, node hours, default 6
    cores_a_node : int, default 12
    """
    every = None if checkpoint_every is None else max(1, round(3600 * checkpoint_every))
    crashing = site.replace(
        crashes=Crashes(
            law="weibull",
            mean=max(1, round(3600 * failures.scale)),
            shape=failures.shape,
            seed=seed,
            repair=round(3600 * repair),
        ),
        interruption=Interruption(requeue="from-start")
        if every is None
        else Interruption(
            requeue="from-checkpoint",
            checkpoint_every=every,
            checkpoint_cost=round(3600 * checkpoint_hours),
        ),
    )
    result = simulate(trace, crashing)
    metrics = result.metrics()
    attempts = result.attempts
    interrupted = attempts["reason"] == EndReason.CRASH
    hours = (attempts["end"] - attempts["start"])[interrupted] / 3600
    cores = trace.processors[attempts["job"][interrupted]]
    nodes = np.ceil(cores / cores_a_node)
    return CrashReport(
        int(interrupted.sum()),
        float(attempts["lost"].sum() / 3600),
        float((np.minimum(hours, refund / nodes) * cores).sum()),
        100 * metrics["utilisation"],
        metrics["mean_wait"] / 3600,
    )
