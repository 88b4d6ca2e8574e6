"""Crashes in the engine: the assumptions of equations 7 to 9 replayed, and a real machine's.

The equations' own: every job is alone, meets one crash at a time drawn from its own start, runs
again without one, and waiting costs nothing. So each job of a replay is submitted after the last
has long ended, on a machine of its size, and the crashes are given as times.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slotwise.replay.state import EndReason
from slotwise.simulation import simulate
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.site.parts import Crashes, Interruption
from slotwise.site.policy import Policy
from slotwise.trace import Trace

if TYPE_CHECKING:
    from slotwise.advice.refunds import Failures, RefundedJob

TICKS = 360_000
"""Steps of the replay's clock in an hour: 6 node hours are whole steps for most sizes of job."""


@dataclass(frozen=True)
class SampledLoss:
    """A loss as the engine found it.

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
    """Replay many jobs, one crash each, and return what they cost their users.

    Parameters
    ----------
    job, failures, checkpoint
        As `expected_loss` takes them.
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
            f"a checkpoint complete after {checkpoint:g} h takes {job.checkpoint_hours:g} h: "
            "nothing has been computed before it; let it be complete later"
        )
    return Interruption(
        requeue="from-checkpoint",
        checkpoint_at=before,
        checkpoint_cost=round(job.checkpoint_hours * TICKS),
        refund=refund,
    )


@dataclass(frozen=True)
class CrashReport:
    """What crashes of the whole machine did to a log.

    Attributes
    ----------
    killed : int
        Attempts that a crash ended.
    lost, refunded : float, core hours
        Run in vain; and what of the attempts that crashes ended was given back, 6 node hours each
        at most.
    utilisation : float, percent
        As `Result.metrics`.
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
    """Replay a log whose machine crashes by a Weibull law; killed jobs wait again.

    Here crashes come to all jobs at once, again and again, and waiting counts: it is no check of
    the equations.

    Parameters
    ----------
    trace : Trace
    site : Site
    failures : Failures
        From one crash's repair to the next crash.
    seed : int, default 0
    repair : float, hours, default 2
    checkpoint_every : float, hours, optional
        Of work. Default: jobs begin anew.
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
