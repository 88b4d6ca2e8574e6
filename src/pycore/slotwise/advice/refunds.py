"""Expected cost of a crash to a job under the refund policy: equations 7 to 9 of the thesis.

The first 6 node hours of a crashed job are refunded. Consider a job of 10 h on one node, without a
checkpoint, and a crash at 8 h. Its 8 h are lost, 6 h are refunded, and the job runs for another
10 h: the cost is 12 h. With a checkpoint complete at 7 h, only 3 h are left to run. The cost is
then 8 − 6 + 3 = 5 h plus the time for the checkpoint.

Let T be the run time including the checkpoint, θ the refund, and f the density of a crash at τ.
Then, in all three equations, the expected cost is

    T + ∫ (τ − θ) f(τ) dτ over (θ, T)  −  τ_c · P(τ_c ≤ τ < T)

where τ_c is the end of the checkpoint: θ in eq. 8, any later time in eq. 9. Eq. 7 has no checkpoint
and omits the last term.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from slotwise import extras
from slotwise._numbers import real

REFUND = 6.0
"""Node hours that Kraken refunded for a crashed job."""


def positive(name: str, value: float, unit: str, *, zero: bool = False) -> float:
    """Return `value` if it is finite and above 0; with `zero`, 0 is also allowed.

    Raises
    ------
    ValueError
        For anything else.
    """
    number = real(value)
    if number is None or not (0 < number < math.inf or (zero and number == 0)):
        bound = "at least 0" if zero else "above 0"
        raise ValueError(f"{name} is {value!r}; use a finite {unit}, {bound}")
    return number


@dataclass(frozen=True, slots=True)
class Failures:
    """Time from a job's start to a crash of the machine: a Weibull distribution (eq. 6).

    Parameters
    ----------
    shape : float
        β. Below 1, crashes become less likely with time; above 1, more likely. At 1, they are
        equally likely at any time.
    scale : float, hours
        δ; 63 % of all crashes happen before this time.

    Raises
    ------
    ValueError
        For a shape outside 0.01 to 100, or a scale that is not above 0.
    """

    shape: float
    scale: float

    def __post_init__(self) -> None:
        shape = real(self.shape)
        if shape is None or not 0.01 <= shape <= 100:
            raise ValueError(
                f"shape is {self.shape!r}; the shape of a Weibull distribution must lie between "
                "0.01 and 100 (0.5 to 1 is usual)"
            )
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "scale", positive("scale", self.scale, "number of hours"))

    @property
    def mean(self) -> float:
        """Mean time to a crash, hours: δ Γ(1 + 1/β)."""
        return self.scale * math.gamma(1 + 1 / self.shape)

    def hazard(self, hours: float) -> float:
        """Return the cumulative hazard (t/δ)^β."""
        if hours <= 0:
            return 0.0
        return math.exp(min(self.shape * math.log(hours / self.scale), 700.0))

    def between(self, begin: float, end: float) -> float:
        """Return the probability of a crash in (begin, end), hours."""
        if end <= begin:
            return 0.0
        first, last = self.hazard(begin), self.hazard(end)
        return -math.exp(-first) * math.expm1(first - last)

    def partial_mean(self, begin: float, end: float) -> float:
        """Return ∫ τ f(τ) dτ over (begin, end), hours.

        In terms of the incomplete gamma function P, this is δ Γ(a) (P(a, x_end) − P(a, x_begin)),
        where a = 1 + 1/β and x = (t/δ)^β.
        """
        if end <= begin:
            return 0.0
        order = 1 + 1 / self.shape
        first, last = self.hazard(begin), self.hazard(end)
        special = extras.load("scipy.special")
        # The difference of two numbers close to 1 would lose digits, so the smaller tails are used.
        if first > order:
            share = special.gammaincc(order, first) - special.gammaincc(order, last)
        else:
            share = special.gammainc(order, last) - special.gammainc(order, first)
        return float(math.gamma(order) * self.scale * share)

    def mean_between(self, begin: float, end: float) -> float:
        """Return the mean of τ within (begin, end) in hours, or NaN if the probability is 0."""
        share = self.between(begin, end)
        return self.partial_mean(begin, end) / share if share else math.nan

    def draw(self, uniform: Any) -> Any:
        """Return crash times in hours for uniform variates in [0, 1)."""
        import numpy as np

        return self.scale * (-np.log1p(-uniform)) ** (1 / self.shape)


@dataclass(frozen=True, slots=True)
class RefundedJob:
    """A job under the refund policy.

    Parameters
    ----------
    hours : float
        t_end, the run time without a checkpoint.
    checkpoint_hours : float, default 0
        t_check, the time to write a checkpoint.
    nodes : int, default 1
        Nodes of the job. By default, the first 6/nodes hours are refunded.
    refund : float, node hours, default 6
        Refund after a crash, at most the node hours used.

    Raises
    ------
    ValueError
        For numbers out of range.
    """

    hours: float
    checkpoint_hours: float = 0.0
    nodes: int = 1
    refund: float = REFUND

    def __post_init__(self) -> None:
        unit = "number of hours"
        object.__setattr__(self, "hours", positive("hours", self.hours, unit))
        object.__setattr__(
            self,
            "checkpoint_hours",
            positive("checkpoint_hours", self.checkpoint_hours, unit, zero=True),
        )
        positive("nodes", self.nodes, "number of nodes")
        positive("refund", self.refund, "number of node hours", zero=True)

    @property
    def refunded(self) -> float:
        """θ, the hours from the start that are refunded after a crash."""
        return self.refund / self.nodes

    @property
    def with_checkpoint(self) -> float:
        """T = t_end + t_check, hours."""
        return self.hours + self.checkpoint_hours


def expected_loss(job: RefundedJob, failures: Failures, checkpoint: float | None = None) -> float:
    """Return the expected cost of a job to its user (eqs. 7 to 9), hours.

    Only the first run can crash; the time of the crash is measured from the start of the job. The
    cost is the total run time minus the refund. Multiply by `nodes` for node hours.

    Parameters
    ----------
    job : RefundedJob
    failures : Failures
    checkpoint : float, hours, optional
        τ_c, time from the start of the job to the end of the checkpoint: `job.refunded` for eq. 8,
        later for eq. 9. Default: no checkpoint, eq. 7.

    Raises
    ------
    ValueError
        If the checkpoint cannot be complete at that time, or the time is after the end of the job.
    """
    refunded = job.refunded
    end = job.hours if checkpoint is None else job.with_checkpoint
    in_vain = failures.partial_mean(refunded, end) - refunded * failures.between(refunded, end)
    if checkpoint is None:
        return end + in_vain
    done = positive("checkpoint", checkpoint, "number of hours")
    # The time computed by eq. 8 may differ from the exact time by a rounding error.
    if not job.checkpoint_hours * (1 - 1e-12) <= done <= end:
        raise ValueError(
            f"a checkpoint cannot be complete after {checkpoint:g} h: writing takes "
            f"{job.checkpoint_hours:g} h, and the job ends after {end:g} h; use a time "
            "between these two"
        )
    return end + in_vain - done * failures.between(done, end)
