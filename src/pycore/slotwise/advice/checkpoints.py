"""The best time for one checkpoint, and whether a checkpoint is worth its cost.

By eq. 9, a checkpoint completed at τ_c saves τ_c · P(τ_c ≤ τ < T). With x = (τ_c/δ)^β and s = P(τ ≥
T), the derivative of this saving is e^(−x)(1 − βx) − s. The derivative has one zero before T, where
it turns negative. The best time is that zero, or the end of the refund if the refund ends later.
With u = 1/β − x, the zero satisfies u e^u = (s/β) e^(1/β), which Lambert's function solves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from slotwise import extras
from slotwise.advice.refunds import Failures, RefundedJob, expected_loss, positive


@dataclass(frozen=True, slots=True)
class Advice:
    """A recommendation for or against a checkpoint.

    Attributes
    ----------
    worth_it : bool
        True if the checkpoint lowers the expected cost.
    checkpoint : float, hours
        The best completion time, never before the end of the refund (eqs. 8 and 9). NaN if the job
        is too short for a checkpoint.
    loss_with, loss_without : float, hours
        Expected cost with the checkpoint at that time (NaN if impossible), and without a
        checkpoint.
    """

    worth_it: bool
    checkpoint: float
    loss_with: float
    loss_without: float

    @property
    def saved(self) -> float:
        """Hours that the better option saves, or NaN if no checkpoint is possible."""
        return abs(self.loss_without - self.loss_with)


def best_checkpoint(job: RefundedJob, failures: Failures) -> Advice:
    """Return the best time for one checkpoint, and whether the checkpoint is worth its cost.

    Parameters
    ----------
    job : RefundedJob
    failures : Failures
    """
    without = expected_loss(job, failures)
    earliest = max(job.refunded, job.checkpoint_hours)
    end = job.with_checkpoint
    if earliest >= end:
        return Advice(False, math.nan, math.nan, without)
    time = min(max(_unbounded(failures, end), earliest), end)
    with_it = expected_loss(job, failures, time)
    return Advice(with_it < without, time, with_it, without)


def _unbounded(failures: Failures, end: float) -> float:
    """Return the time τ, in hours, at which τ·P(τ ≤ crash < end) is largest."""
    shape, last = failures.shape, failures.hazard(end)
    # If `last` is small, the general formula loses precision, so the equation e^(−x)(1 − βx) =
    # e^(−last) is solved to first order.
    if last < 1e-6:
        root = last / (1 + shape)
    else:
        special = extras.load("scipy.special")
        root = 1 / shape - float(special.wrightomega(1 / shape - math.log(shape) - last))
    return float(failures.scale * max(root, 0.0) ** (1 / shape))


def young(checkpoint_hours: float, failures: Failures) -> float:
    """Return Young's checkpoint interval in hours: √(2 t_check M) for a mean time to crash M.

    The formula assumes periodic checkpoints, no refund, and crashes equally likely at any time.

    References
    ----------
    J. W. Young: A first order approximation to the optimum checkpoint interval. CACM 17(9), 1974.
    """
    cost = positive("checkpoint_hours", checkpoint_hours, "number of hours")
    return math.sqrt(2 * cost * failures.mean)


def daly(checkpoint_hours: float, failures: Failures) -> float:
    """Return Daly's computing time between two checkpoints, in hours.

    √(2 t M) (1 + √(t/2M)/3 + t/(18 M)) − t for t < 2 M, otherwise M.

    References
    ----------
    J. T. Daly: A higher order estimate of the optimum checkpoint interval for restart dumps.
    Future Generation Computer Systems 22(3), 2006, eq. 37.
    """
    cost = positive("checkpoint_hours", checkpoint_hours, "number of hours")
    mean = failures.mean
    if cost >= 2 * mean:
        return mean
    part = cost / (2 * mean)
    return math.sqrt(2 * cost * mean) * (1 + math.sqrt(part) / 3 + part / 9) - cost
