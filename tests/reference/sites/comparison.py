"""Compares the core with the oracle on a site, job by job."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from reference.dependencies import dependency_columns
from reference.sites.simulate import simulate_site
from reference.sites.values import REJECT_REASONS, REJECTED, Attempt, SiteOutcome
from slotwise.site.policy.policy_checks import READ_BY_SITES, unread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.sites.drawing import SiteCase
    from reference.sites.values import NamedLimits, Outage, Queue, Reservation, Site

MIDNIGHT = datetime(2001, 2, 3)


def slotwise_site(site: Site) -> sw.Site:
    """Build a site from the classes of slotwise."""
    values = asdict(site.policy)
    ignored = unread(values).keys() - (READ_BY_SITES if site.plans_ahead else set())
    read = {name: value for name, value in values.items() if name not in ignored}
    maintenance = [_outage(site, o) for o in site.outages if o.processors is None]
    outages = [_outage(site, o) for o in site.outages if o.processors is not None]
    return sw.Site(
        machine=sw.Processors(site.processors),
        policy=sw.Policy(**read),
        pools=[sw.Pool(**asdict(pool)) for pool in site.pools],
        queues=[_queue(site, queue) for queue in site.queues],
        limits=sw.Limits(**asdict(site.limits)),
        named_limits=[_named(named) for named in site.named],
        maintenance=maintenance,
        outages=outages,
        crashes=sw.Crashes(**asdict(site.crashes)),
        interruption=sw.Interruption(**asdict(site.interruption)),
        reservations=[_reservation(site, reservation) for reservation in site.reservations],
        dependencies=site.dependencies,
        clock=sw.Clock(start=MIDNIGHT - timedelta(seconds=site.midnight)),
    )


def _queue(site: Site, queue: Queue) -> sw.Queue:
    values = {field.name: getattr(queue, field.name) for field in fields(queue)}
    limits = asdict(values.pop("limits"))
    del limits["lifted_when_idle"]
    values["hours"] = written_hours(queue.hours)
    values["pools"] = [site.pools[at].name for at in queue.pools]
    return sw.Queue(**values, **limits)


def _named(named: NamedLimits) -> sw.NamedLimits:
    limits = asdict(named.limits)
    del limits["lifted_when_idle"]
    return sw.NamedLimits(users=list(named.users), groups=list(named.groups), **limits)


def written_hours(hours: Sequence[tuple[int, int]]) -> list[str]:
    """Convert opening hours from seconds to the notation of a site file."""
    return [f"{_time(opening)}-{_time(closing)}" for opening, closing in hours]


def _time(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def _pool_name(site: Site, pool: int | None) -> str | None:
    return None if pool is None or not site.pools else site.pools[pool].name


def _outage(site: Site, outage: Outage) -> Any:
    values = asdict(outage) | {"pool": _pool_name(site, outage.pool)}
    if outage.processors is not None:
        return sw.Outage(**values)
    del values["processors"]
    return sw.Maintenance(**values)


def _reservation(site: Site, reservation: Reservation) -> sw.Reservation:
    return sw.Reservation(**asdict(reservation) | {"pool": _pool_name(site, reservation.pool)})


def trace_of(case: SiteCase) -> sw.Trace:
    jobs = case.jobs
    return sw.Trace.from_columns(
        [job.submit for job in jobs],
        [job.run_time for job in jobs],
        [job.processors for job in jobs],
        [job.requested_time for job in jobs],
        user=[job.user for job in jobs],
        group=[job.group for job in jobs],
        queue=[job.trace_queue for job in jobs],
        preceding_job=[-1 if job.preceding < 0 else job.preceding + 1 for job in jobs],
        think_time=[job.think_time for job in jobs],
        **dependency_columns(jobs),
        max_processors=case.site.processors,
    )


def core_outcomes(case: SiteCase) -> tuple[list[SiteOutcome], list[Attempt]]:
    """Replay the jobs with slotwise."""
    result = sw.simulate(trace_of(case), slotwise_site(case.site))
    columns = (
        result.start, result.end, result.wait, result.state, result.backfilled, result.queue,
        result.pool, result.reject_reason,
    )  # fmt: skip
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [_outcome(row) for row in rows], _attempts(result)


def _outcome(row: tuple[Any, ...]) -> SiteOutcome:
    return SiteOutcome(*row[:-1], reject_reason=REJECT_REASONS[row[-1]])


def _attempts(result: sw.Result) -> list[Attempt]:
    table = result.attempts
    columns = {name: table[name].tolist() for name in Attempt._fields}
    columns["reason"] = [sw.EndReason(code).name.lower() for code in columns["reason"]]
    return [Attempt(*row) for row in zip(*columns.values(), strict=True)]


def maintenance_first(site: Site) -> Site:
    """Return the site with its outages in the order in which slotwise keeps them."""
    ordered = sorted(site.outages, key=lambda outage: outage.processors is not None)
    return replace(site, outages=tuple(ordered))


def _comparable(case: SiteCase, outcomes: list[SiteOutcome]) -> list[SiteOutcome]:
    """Ignore the queues of outcomes on a site without queues."""
    return outcomes if case.site.queues else [each._replace(queue=0) for each in outcomes]


def _comparable_attempts(case: SiteCase, attempts: list[Attempt]) -> list[Attempt]:
    """Ignore the pools of attempts on a site without pools."""
    return attempts if case.site.pools else [each._replace(pool=0) for each in attempts]


def assert_core_agrees(case: SiteCase) -> None:
    """Compare every job and every attempt; on failure, show jobs, site and differences."""
    case = replace(case, site=maintenance_first(case.site))
    outcomes, expected_attempts = simulate_site(case.jobs, case.site)
    if all(outcome.state == REJECTED for outcome in outcomes):
        with pytest.raises((sw.SiteError, sw.TraceError)):
            core_outcomes(case)
        return
    actual, actual_attempts = core_outcomes(case)
    rows = zip(case.jobs, _comparable(case, outcomes), _comparable(case, actual), strict=True)
    lines = [f"    {job.position:3} {e}\n        {a}" for job, e, a in rows if e != a]
    expected_attempts = _comparable_attempts(case, expected_attempts)
    actual_attempts = _comparable_attempts(case, actual_attempts)
    if expected_attempts != actual_attempts:
        lines += [f"    oracle {attempt}" for attempt in expected_attempts]
        lines += [f"    core   {attempt}" for attempt in actual_attempts]
    assert not lines, "\n".join(["", repr(case), "    job oracle, then core", *lines])
