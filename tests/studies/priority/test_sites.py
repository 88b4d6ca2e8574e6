"""Sites of the priority study."""

from __future__ import annotations

import pytest

import slotwise as sw
from slotwise.studies.priority import Weights
from slotwise.studies.priority.sites import SITES, first_maintenance, study_site

HOUR, DAY = 3600, 86_400
# 2010-10-13, a Wednesday, 0:00 UTC.
WEDNESDAY = 1_286_928_000


def trace_from(unix: int | None, submit: int = 0) -> sw.Trace:
    return sw.Trace.from_columns([submit], [60], [4], max_processors=8, unix_start_time=unix)


def test_policies_of_the_three_sites() -> None:
    trace = trace_from(WEDNESDAY)
    backfills = {name: study_site(name, trace).policy.backfill for name in SITES}
    assert backfills == {"thesis": "first-fit", "strict": "easy", "kraken": "easy"}
    assert study_site("thesis", trace).is_plain
    assert study_site("strict", trace).is_plain
    kraken = study_site("kraken", trace)
    assert kraken.limits == sw.Limits(running_per_user=5, lifted_when_idle=True)
    (weekly,) = kraken.maintenance
    assert (weekly.duration, weekly.every) == (4 * HOUR, 7 * DAY)


def test_weights_are_those_of_the_order() -> None:
    site = study_site("strict", trace_from(None), Weights(7, 120, 0))
    assert Weights.of_order(site.policy.to_dict()["order"]) == Weights(7, 120, 0)


@pytest.mark.parametrize(
    ("unix", "submit", "begin"),
    [
        (WEDNESDAY, 0, 8 * HOUR),
        # A submit time of 11:59 on that day is within the maintenance; from 12:00 onwards, the next
        # maintenance applies.
        (WEDNESDAY, 12 * HOUR - 60, 8 * HOUR),
        (WEDNESDAY, 12 * HOUR, 8 * HOUR + 7 * DAY),
        (WEDNESDAY - DAY, 0, DAY + 8 * HOUR),
        (WEDNESDAY + DAY, 0, 6 * DAY + 8 * HOUR),
        (None, 500, 500 + 8 * HOUR),
    ],
)
def test_maintenance_is_on_wednesdays_at_eight(unix: int | None, submit: int, begin: int) -> None:
    assert first_maintenance(trace_from(unix, submit)) == begin


def test_maintenance_follows_the_zone_of_the_log() -> None:
    lines = [f"; UnixStartTime: {WEDNESDAY + 4 * HOUR}", "; TimeZone: -14400"]
    trace = sw.Trace.from_columns([0], [60], [4], max_processors=8, header_lines=lines)
    assert first_maintenance(trace) == 8 * HOUR


def test_an_unknown_site_lists_the_known() -> None:
    with pytest.raises(sw.SiteError, match="unknown site 'titan': choose one of: thesis, strict"):
        study_site("titan", trace_from(None))
