"""Outages, crashes and reservations for Hypothesis, rare enough that every job gets done."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from reference.sites.values import Crashes, Interruption, Outage, Reservation, Site

# Longer than the longest job and the longest window together.
PERIODS = (12, 18, 24)
WINDOWS = (1, 1, 2, 3)


@st.composite
def _times(draw: st.DrawFn, unit: int, periodic: bool) -> dict[str, Any]:
    every = draw(st.sampled_from(PERIODS)) * unit if periodic and draw(st.booleans()) else None
    return {
        "start": draw(st.integers(0, 20)) * unit + draw(st.sampled_from((0, 0, 5))),
        "duration": draw(st.sampled_from(WINDOWS)) * unit,
        "every": every,
    }


@st.composite
def outages(draw: st.DrawFn, site: Site, unit: int, periodic: bool) -> Outage:
    mode = draw(st.sampled_from(("drain", "drain", "kill", "sudden")))
    pool = (
        draw(st.one_of(st.none(), st.sampled_from(range(len(site.pools))))) if site.pools else None
    )
    size = site.processors if pool is None else site.pools[pool].processors
    part = st.integers(1, size)
    processors = draw(part if mode == "sudden" else st.one_of(st.none(), part))
    times = draw(_times(unit, periodic))
    return Outage(mode=mode, pool=pool, processors=processors, **times)


def _one_period_if_it_kills(made: list[Outage]) -> list[Outage]:
    """Leave one periodic outage if any of those kills: several could kill a job for ever."""
    periodic = [outage for outage in made if outage.every]
    if all(outage.mode == "drain" for outage in periodic):
        return made
    kept = periodic[0]
    return [outage if outage is kept else replace(outage, every=None) for outage in made]


@st.composite
def interruptions(draw: st.DrawFn, unit: int) -> Interruption:
    requeue = draw(st.sampled_from(("from-start", "from-checkpoint", "from-checkpoint", "never")))
    refund = draw(st.sampled_from((0, 0, 2, 50))) * unit
    if requeue != "from-checkpoint":
        return Interruption(requeue, refund=refund)
    after = draw(st.sampled_from((1, 2, 3))) * unit
    field = draw(st.sampled_from(("checkpoint_every", "checkpoint_at")))
    cost = draw(st.sampled_from((0, 1, unit)))
    return Interruption(requeue, checkpoint_cost=cost, refund=refund, **{field: after})


@st.composite
def crashes(draw: st.DrawFn, unit: int) -> Crashes:
    repair = draw(st.sampled_from((0, 0, 1, 2))) * unit
    law = draw(st.sampled_from((None, "exponential", "weibull")))
    if law is None:
        times = draw(st.lists(st.integers(0, 30), min_size=1, max_size=4, unique=True))
        return Crashes(times=tuple(time * unit for time in times), repair=repair)
    shape = draw(st.sampled_from((0.7, 1.0, 1.5))) if law == "weibull" else 1.0
    mean = draw(st.sampled_from((12, 20, 40))) * unit
    return Crashes((), law, mean, shape, draw(st.integers(0, 2**64 - 1)), repair)


@st.composite
def reservations(
    draw: st.DrawFn, site: Site, unit: int, number: int, periodic: bool
) -> Reservation:
    pool = draw(st.integers(0, len(site.all_pools) - 1))
    users = draw(st.sampled_from(((1,), (2,), (1, 2), ())))
    return Reservation(
        f"r{number}",
        pool=pool,
        processors=draw(st.integers(1, site.all_pools[pool].processors)),
        users=users,
        groups=() if users else (1,),
        **draw(_times(unit, periodic)),
    )


@st.composite
def calendars(draw: st.DrawFn, site: Site, unit: int, having: frozenset[str]) -> Site:
    """Draw what the features ask for; where queues have hours nothing is periodic."""
    periodic = "hours" not in having
    if "outages" in having:
        made = draw(st.lists(outages(site, unit, periodic), min_size=1, max_size=3))
        site = replace(site, outages=tuple(_one_period_if_it_kills(made)))
    if "crashes" in having:
        site = replace(site, crashes=draw(crashes(unit)))
    if having & {"outages", "crashes"}:
        site = replace(site, interruption=draw(interruptions(unit)))
    if "reservations" in having:
        kills = any(outage.every and outage.mode != "drain" for outage in site.outages)
        count = draw(st.integers(1, 2))
        drawn = [
            draw(reservations(site, unit, number, periodic and not kills))
            for number in range(count)
        ]
        site = replace(site, reservations=tuple(drawn))
    return site
