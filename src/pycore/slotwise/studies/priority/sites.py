"""The three sites of the study: the thesis's model, the thesis's text, and Kraken as it ran."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from slotwise.advice.weights.formula import KRAKEN, Weights
from slotwise.errors import SiteError
from slotwise.site import Site
from slotwise.site.dates import dates_of
from slotwise.site.parts import Limits, Maintenance
from slotwise.site.policy import Policy

if TYPE_CHECKING:
    from slotwise.trace import Trace

SITES = {
    "thesis": "jobs that fit, in the formula's order; no reservations, maintenance or limits",
    "strict": "strict backfilling: no job delays the job of highest priority",
    "kraken": "strict backfilling, Wednesday maintenance, and a limit on running jobs per user",
}
_BACKFILL = {"thesis": "first-fit", "strict": "easy", "kraken": "easy"}
_WEEK, _DAY, _HOUR = 604_800, 86_400, 3_600
_WEDNESDAY = 2
BEGIN, LENGTH = 8 * _HOUR, 4 * _HOUR
"""Start and length of the maintenance; the thesis says only "every Wednesday morning"."""


def study_site(name: str, trace: Trace, weights: Weights = KRAKEN) -> Site:
    """Return one of the three sites, on the machine in the trace's header.

    Parameters
    ----------
    name : {"thesis", "strict", "kraken"}
        ``thesis`` is the model of chapter IV. ``strict`` follows the thesis's text and Figure 8.
        ``kraken`` adds maintenance and a limit on jobs per user.
    trace : Trace
        Its dates determine when maintenance takes place, on Wednesdays. If its header has no
        date, the first submit time counts as Wednesday, 0:00.
    weights : Weights

    Raises
    ------
    SiteError
        For any other name.
    """
    if name not in SITES:
        raise SiteError(f"unknown site {name!r}: choose one of: {', '.join(SITES)}")
    policy = Policy(order=weights.order(), backfill=_BACKFILL[name])
    if name != "kraken":
        return Site(policy=policy)
    return Site(
        policy=policy,
        limits=Limits(running_per_user=5, lifted_when_idle=True),
        maintenance=[Maintenance(start=first_maintenance(trace), duration=LENGTH, every=_WEEK)],
    )


def first_maintenance(trace: Trace) -> int:
    """Return the start (seconds) of the first maintenance that ends after the first job arrives."""
    first = int(trace.submit[0]) if len(trace) else 0
    dates = dates_of(trace)
    if dates is None:
        return first + BEGIN
    local = datetime.fromtimestamp(dates.epoch + first + dates.offset, UTC)
    into_week = ((local.weekday() - _WEDNESDAY) % 7) * _DAY + (
        local.hour * _HOUR + local.minute * 60 + local.second
    )
    begin = first - into_week + BEGIN
    return begin if begin + LENGTH > first else begin + _WEEK
