"""Effect of size and requested time on priority: chapter III of the thesis in closed form.

Times are in minutes, as in the thesis, and sizes in cores. Suppose two jobs request 60 minutes, and
one of them requests 100 cores more. Both gain 5 + 100/60 = 6.67 points per minute. They therefore
tie if the smaller one was submitted 100 / 6.67 = 15 minutes earlier.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Self

from slotwise._numbers import real
from slotwise.errors import SiteError

SHORTEST = 1.0
"""Shortest requested time in the formula, in minutes; shorter times count as this long."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The six weights of the formula; the defaults are Kraken's.

    P = S·(Q·q + X·(1 + q/r)) + R·C·c + Z·z, with the wait q and the request r in minutes, c cores
    and the priority z of the job's queue.

    Parameters
    ----------
    queue_time : float, default 5
        Q, points per minute of waiting.
    expansion : float, default 100
        X, points for waiting as long as the requested time.
    cores : float, default 1
        C, points per core.
    service, resource : float, default 1
        S and R, weights of the two parts.
    qos : float, default 100
        Z, points per step of a queue's priority.

    Raises
    ------
    SiteError
        For a weight that is negative or not finite, and for weights that cannot distinguish jobs.
    """

    queue_time: float = 5.0
    expansion: float = 100.0
    cores: float = 1.0
    service: float = 1.0
    resource: float = 1.0
    qos: float = 100.0

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            number = real(given)
            if number is None or not 0 <= number < math.inf:
                raise SiteError(
                    f"weight {field.name} is {given!r}: a weight must be a finite number, at least "
                    "0; a weight of 0 removes its term from the formula"
                )
            object.__setattr__(self, field.name, number)
        if not any((self.per_minute, self.per_inverse_minute, self.per_core)):
            raise SiteError(
                "wait and cores have no weight, so all jobs in a queue would have the same score; "
                "set service and either queue_time or expansion above 0, or both resource and "
                "cores"
            )

    @property
    def per_minute(self) -> float:
        """Points per minute of waiting that every job gains: S·Q."""
        return self.service * self.queue_time

    @property
    def per_inverse_minute(self) -> float:
        """S·X; a job gains S·X/r points per minute of waiting, in addition to `per_minute`."""
        return self.service * self.expansion

    @property
    def per_core(self) -> float:
        """Points per core: R·C."""
        return self.resource * self.cores

    def rate(self, requested: float) -> float:
        """Return the points per minute of waiting for a job that requests `requested` minutes."""
        return self.per_minute + self.per_inverse_minute / _request(requested)

    def order(self) -> dict[str, Any]:
        """Return these weights as the `order` of a policy."""
        return {"name": "priority", **{f.name: getattr(self, f.name) for f in fields(self)}}

    @classmethod
    def of_order(cls, order: dict[str, Any]) -> Self:
        """Read the weights in a policy's order; missing weights get Kraken's values.

        Raises
        ------
        SiteError
            For an order other than ``priority``.
        """
        if order.get("name") != "priority":
            raise SiteError(
                f"order {order.get('name')!r} has no weights; choose the priority order"
            )
        return cls(**{name: value for name, value in order.items() if name != "name"})


KRAKEN = Weights()


def _request(requested: float) -> float:
    number = real(requested)
    if number is None or not 0 < number < math.inf:
        raise ValueError(
            f"the requested time is {requested!r} minutes, but the formula divides by it; use a "
            "finite number above 0"
        )
    return max(number, SHORTEST)


def _at_least_zero(name: str, value: float, unit: str) -> float:
    number = real(value)
    if number is None or not 0 <= number < math.inf:
        raise ValueError(f"{name} is {value!r}; use a finite number of {unit}, at least 0")
    return number


def priority_at_submit(cores: float, weights: Weights = KRAKEN, *, qos: float = 0.0) -> float:
    """Return the initial points of a job: S·X + R·C·c + Z·z, independent of the requested time.

    Parameters
    ----------
    cores : float
        Requested cores.
    weights : Weights
    qos : float, default 0
        The priority of the job's queue.
    """
    size = _at_least_zero("cores", cores, "cores")
    return weights.per_inverse_minute + weights.per_core * size + weights.qos * qos


def priority(
    wait: float, requested: float, cores: float, weights: Weights = KRAKEN, *, qos: float = 0.0
) -> float:
    """Return the points of a job that has waited for `wait` minutes (eq. 1).

    Parameters
    ----------
    wait, requested : float, minutes
    cores : float
    weights : Weights
    qos : float, default 0
        The priority of the job's queue.
    """
    waited = _at_least_zero("wait", wait, "minutes")
    return priority_at_submit(cores, weights, qos=qos) + weights.rate(requested) * waited


def head_start(more_cores: float, requested: float, weights: Weights = KRAKEN) -> float:
    """Return how much earlier a job must be submitted to tie with a larger job (eq. 4).

    The two jobs request the same time, so their points grow at the same rate. Submitted together,
    they never tie; the difference in cores is always worth the same head start.

    Parameters
    ----------
    more_cores : float
        Δc, the additional cores of the larger job.
    requested : float, minutes
        r, the request of both jobs.
    weights : Weights

    Returns
    -------
    float, minutes
        Infinite if waiting earns no points.
    """
    points = weights.per_core * _at_least_zero("more_cores", more_cores, "cores")
    rate = weights.rate(requested)
    if points == 0:
        return 0.0
    return points / rate if rate else math.inf


def catch_up(requested: float, less: float, waited: float, weights: Weights = KRAKEN) -> float:
    """Return how long a job must wait to tie with an earlier, longer request (eq. 5).

    The two jobs request the same number of cores.

    Parameters
    ----------
    requested : float, minutes
        r, the longer request.
    less : float, minutes
        Δr; the shorter request is r − Δr.
    waited : float, minutes
        t₀, the wait of the longer job when the shorter one is submitted.
    weights : Weights

    Returns
    -------
    float, minutes
        Time since the submit time of the shorter job; infinite if a shorter request earns no
        points.
    """
    head = _at_least_zero("waited", waited, "minutes")
    shortened = _at_least_zero("less", less, "minutes")
    long = _request(requested)
    if shortened >= requested:
        raise ValueError(f"less={less!r} must be below the requested {requested!r} minutes")
    gain = weights.rate(long - shortened) - weights.rate(long)
    if head == 0:
        return 0.0
    return weights.rate(long) * head / gain if gain else math.inf


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """The properties of a job that the formula uses.

    Parameters
    ----------
    submit, requested : float, minutes
    cores : float
    qos : float, default 0
        The priority of the job's queue.
    """

    submit: float
    requested: float
    cores: float
    qos: float = 0.0

    def points(self, now: float, weights: Weights = KRAKEN) -> float:
        """Return the priority at `now`, in minutes on the clock of `submit`."""
        return priority(now - self.submit, self.requested, self.cores, weights, qos=self.qos)


def crossing(first: QueuedJob, second: QueuedJob, weights: Weights = KRAKEN) -> float | None:
    """Return when two waiting jobs tie.

    Parameters
    ----------
    first, second : QueuedJob
    weights : Weights

    Returns
    -------
    float, minutes on the clock of `submit`, or None
        None if they never tie while both wait. The earliest instant if they always tie.
    """
    begin = max(first.submit, second.submit)
    ahead = first.points(begin, weights) - second.points(begin, weights)
    closing = weights.rate(second.requested) - weights.rate(first.requested)
    if ahead == 0:
        return begin
    if closing == 0 or ahead / closing < 0:
        return None
    return begin + ahead / closing
