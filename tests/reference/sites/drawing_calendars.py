"""Draws outages, crashes and reservations that are rare enough for every job to complete."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reference.sites.values import Crashes, Interruption, Outage, Reservation, Site

if TYPE_CHECKING:
    from random import Random

# Each period exceeds the longest job and the longest window together.
PERIODS = (12, 18, 24)
WINDOWS = (1, 1, 2, 3)


def with_calendar(draw: Random, site: Site, unit: int, having: frozenset[str]) -> Site:
    """Draw the parts of a calendar that `having` lists.

    If queues have hours or passes are periodic, no killing event recurs, because it might end every
    attempt of a job.
    """
    if "absences" in having:
        site = _with_absences(draw, site, unit)
    else:
        site = _with_rare_ones(draw, site, unit, having)
    if "reservations" in having:
        periodic = not any(o.every and o.mode != "drain" for o in site.outages)
        drawn = [_reservation(draw, site, unit, at, periodic) for at in range(draw.randint(1, 2))]
        site = replace(site, reservations=tuple(drawn))
    return site


def _with_rare_ones(draw: Random, site: Site, unit: int, having: frozenset[str]) -> Site:
    free = "hours" not in having and site.policy.period is None
    if "outages" in having:
        made = [_outage(draw, site, unit, free) for _ in range(draw.randint(1, 3))]
        site = replace(site, outages=tuple(_one_period_if_it_kills(made)))
    if "crashes" in having:
        site = replace(site, crashes=_crashes(draw, unit))
    if having & {"outages", "crashes"}:
        site = replace(site, interruption=_interruption(draw, unit))
    return site


def _with_absences(draw: Random, site: Site, unit: int) -> Site:
    """Draw checkpoints, and overlapping outages and crashes, at most one of them recurring.

    No killing event is periodic, so that every job completes.
    """
    once = [
        replace(
            _outage(draw, site, unit, kills_periodically=False),
            start=draw.randint(0, 14) * unit + draw.choice((0, 0, 0, 1)),
            duration=draw.randint(1, 9) * unit,
            every=None,
        )
        for _ in range(draw.randint(2, 6))
    ]
    if draw.random() < 0.3:
        drain = replace(_outage(draw, site, unit, kills_periodically=False), mode="drain")
        once.append(replace(drain, **_times(draw, unit, periodic=True)))
    site = replace(site, outages=tuple(once))
    if draw.random() < 0.4:
        times = {draw.randint(0, 20) * unit for _ in range(draw.randint(1, 3))}
        repair = draw.choice((0, 1, 3, 8)) * unit
        site = replace(site, crashes=Crashes(times=tuple(sorted(times)), repair=repair))
    after = draw.choice((1, 2, 3)) * unit
    every, at = draw.choice(((after, None), (None, after)))
    requeue = draw.choice(("from-start", "from-checkpoint", "from-checkpoint", "never"))
    if requeue != "from-checkpoint":
        return replace(site, interruption=Interruption(requeue, refund=unit))
    cost = draw.choice((0, 1, 1, unit))
    return replace(site, interruption=Interruption(requeue, every, at, cost, unit))


def _times(draw: Random, unit: int, periodic: bool) -> dict[str, Any]:
    return {
        "start": draw.randint(0, 20) * unit + draw.choice((0, 0, 5)),
        "duration": draw.choice(WINDOWS) * unit,
        "every": draw.choice(PERIODS) * unit if periodic and draw.random() < 0.5 else None,
    }


def _outage(draw: Random, site: Site, unit: int, kills_periodically: bool) -> Outage:
    mode = draw.choice(("drain", "drain", "kill", "sudden"))
    periodic = mode == "drain" or kills_periodically
    pool = draw.choice((None, draw.randrange(len(site.pools)))) if site.pools else None
    size = site.processors if pool is None else site.pools[pool].processors
    part = draw.randint(1, size)
    processors = part if mode == "sudden" else draw.choice((None, part))
    return Outage(mode=mode, pool=pool, processors=processors, **_times(draw, unit, periodic))


def _one_period_if_it_kills(made: list[Outage]) -> list[Outage]:
    """If a periodic outage kills jobs, keep only the first periodic outage.

    Several periodic outages could end every attempt of a job.
    """
    periodic = [outage for outage in made if outage.every]
    if all(outage.mode == "drain" for outage in periodic):
        return made
    kept = periodic[0]
    return [outage if outage is kept else replace(outage, every=None) for outage in made]


def _interruption(draw: Random, unit: int) -> Interruption:
    requeue = draw.choice(("from-start", "from-checkpoint", "from-checkpoint", "never"))
    refund = draw.choice((0, 0, 2, 50)) * unit
    if requeue != "from-checkpoint":
        return Interruption(requeue, refund=refund)
    after = draw.choice((1, 2, 3)) * unit
    every, at = draw.choice(((after, None), (None, after)))
    return Interruption(requeue, every, at, draw.choice((0, 1, unit)), refund)


def _crashes(draw: Random, unit: int) -> Crashes:
    repair = draw.choice((0, 0, 1, 2)) * unit
    law = draw.choice((None, "exponential", "weibull"))
    if law is None:
        times = {draw.randint(0, 30) * unit for _ in range(draw.randint(1, 4))}
        return Crashes(times=tuple(sorted(times)), repair=repair)
    shape = draw.choice((0.7, 1.0, 1.5)) if law == "weibull" else 1.0
    mean = draw.choice((12, 20, 40)) * unit
    return Crashes((), law, mean, shape, draw.randrange(2**64), repair)


def _reservation(draw: Random, site: Site, unit: int, number: int, periodic: bool) -> Reservation:
    pool = draw.randrange(len(site.all_pools))
    users = draw.choice(((1,), (2,), (1, 2), ()))
    return Reservation(
        f"r{number}",
        pool=pool,
        processors=draw.randint(1, site.all_pools[pool].processors),
        users=users,
        groups=() if users else (1,),
        **_times(draw, unit, periodic),
    )
