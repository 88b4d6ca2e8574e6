"""Draws small crowded sites and workloads from any `random.Random`, and displays them.

Hypothesis can shrink the cases that it draws (`site_cases`). Drawing them from a seeded generator
costs almost nothing. Slotwise accepts every drawn site, and on every site all jobs complete.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from reference.dependencies import with_dependencies
from reference.orders import STATIC_ORDERS
from reference.policy import Policy
from reference.sites.drawing_calendars import with_calendar
from reference.sites.values import Limits, NamedLimits, Pool, Queue, Site, SiteJob
from reference.workloads import UNITS, periods

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from reference.orders import Order

HALF_HOUR = 1800
BACKFILLS = (
    "none", "first-fit", "easy", "relaxed", "multiple-queue", "depth", "replan", "conservative",
)  # fmt: skip
ORDERS: tuple[Order, ...] = (
    *STATIC_ORDERS,
    "wfp3",
    "unicef",
    "priority",
    {"name": "priority", "cores": 9},
    {"name": "fairshare", "half_life": 20},
    {"name": "expression", "key": "queue_priority * (wait + 1) - area"},
)
FEATURES = (
    "pools", "queues", "limits", "starvation", "thresholds", "spanning", "hours", "dependencies",
    "outages", "crashes", "reservations", "absences", "named",
)  # fmt: skip


@dataclass(frozen=True)
class SiteCase:
    """Jobs in trace order, and the site on which to replay them."""

    jobs: tuple[SiteJob, ...]
    site: Site

    def __repr__(self) -> str:
        columns = "submit run_time requested_time processors user group queue preceding think"
        rows = [
            f"    {j.position:3} {j.submit:6} {j.run_time:8} {j.requested_time:14}"
            f" {j.processors:10} {j.user:4} {j.group:5} {j.trace_queue:5} {j.preceding:9}"
            f" {j.think_time:5}"
            for j in self.jobs
        ]
        return "\n".join([*shown(self.site), f"    job {columns}", *rows])


def shown(site: Site) -> list[str]:
    """Format a site, one part per line, omitting default values."""
    lines = [f"machine of {site.processors}, {without_defaults(site.policy)}"]
    for name in ("pools", "queues", "named", "outages", "reservations"):
        lines += [f"    {without_defaults(part)}" for part in getattr(site, name)]
    for name in ("limits", "crashes", "interruption"):
        if (part := getattr(site, name)) != type(part)():
            lines.append(f"    {without_defaults(part)}")
    return [*lines, f"    dependencies={site.dependencies} midnight={site.midnight}"]


def without_defaults(part: Any) -> str:
    """Format a job or a part of a site, omitting default values."""
    fields = part.__dataclass_fields__.values()
    given = [
        f"{field.name}={getattr(part, field.name)!r}"
        for field in fields
        if getattr(part, field.name) != field.default
    ]
    return f"{type(part).__name__}({', '.join(given)})"


def site_cases(*features: str, **fixed: Any) -> st.SearchStrategy[SiteCase]:
    """Return a Hypothesis strategy for the cases of `draw_case`."""
    return st.randoms(use_true_random=False).map(lambda draw: draw_case(draw, *features, **fixed))


def draw_case(draw: Random, *features: str, **fixed: Any) -> SiteCase:
    """Draw a workload and a site with some of the features; features not named are left out.

    Policy fields given by name are fixed.
    """
    having = frozenset(features)
    unit = HALF_HOUR if "hours" in having else draw.choice(UNITS)
    policy = _policy(draw, unit, having, fixed)
    several = bool(having & {"pools", "thresholds", "spanning"})
    pools = _pools(draw, "thresholds" in having) if several else ()
    unowned = draw.choice((0, 0, 0, 1))
    size = sum(pool.processors for pool in pools) + unowned if pools else draw.randint(1, 8)
    site = Site(size, policy, pools)
    if having & {"queues", "starvation", "thresholds", "spanning", "hours"}:
        site = _reached(replace(site, queues=_queues(draw, unit, having, pools)))
    if "limits" in having:
        limits = replace(_limits(draw), lifted_when_idle=draw.random() < 0.5)
        site = replace(site, limits=limits)
    if "hours" in having:
        site = replace(site, midnight=-HALF_HOUR * draw.randint(0, 47))
    site = replace(site, dependencies="dependencies" in having)
    site = with_calendar(draw, site, unit, having)
    if policy.backfill in ("none", "first-fit") and not site.plans_ahead:
        site = replace(site, policy=replace(policy, estimates="requested"))
    jobs = _workload(draw, unit, site.processors)
    if "dependencies" in having:
        jobs = with_dependencies(draw, jobs, unit)
    if "named" in having:
        site = replace(site, named=tuple(_named(draw) for _ in range(draw.randint(1, 3))))
    return SiteCase(jobs, site)


def _named(draw: Random) -> NamedLimits:
    """Draw limits for some users and groups, some of them without jobs."""
    users, groups = (
        tuple(number for number in (1, 2, 3) if draw.random() < chance) for chance in (0.5, 0.3)
    )
    limits = _limits(draw)
    if limits == Limits():
        limits = Limits(running=draw.randint(1, 2))
    return NamedLimits(limits, users or (1,), groups)


def _policy(draw: Random, unit: int, having: frozenset[str], fixed: dict[str, Any]) -> Policy:
    if having & {"outages", "reservations", "absences"}:
        # The period of passes has a small common multiple with the periods of outages.
        period = f"{draw.choice((unit, 3 * unit, 5 * unit // 2))}s"
    else:
        period = draw.choice(periods(unit))
    passes = ("per-instant", "per-instant", "per-instant", "per-event", period)
    chosen = {
        "order": draw.choice(ORDERS),
        "backfill": draw.choice(BACKFILLS),
        "estimates": draw.choice(("requested", "requested", "exact", "user-history")),
        "passes": draw.choice(passes),
        "kill_at_limit": draw.choice((True, True, False)),
    } | fixed
    if chosen["backfill"] == "depth":
        chosen.setdefault("depth", draw.choice((1, 2, 3)))
    if chosen["backfill"] == "relaxed":
        chosen.setdefault("relaxation", draw.choice((0.0, 0.3, 0.5, 2.0)))
    if chosen["backfill"] == "conservative":
        chosen.setdefault("compression", draw.choice(("early-end", "early-end", "every-end")))
        if "hours" in having:  # an overrun would break promises every second
            chosen["kill_at_limit"] = True
    return Policy(**chosen)


def _limits(draw: Random) -> Limits:
    def at_most(low: int, high: int) -> int | None:
        return draw.randint(low, high) if draw.random() < 0.25 else None

    return Limits(
        running=at_most(1, 3),
        processors_in_use=at_most(2, 6),
        running_per_user=at_most(1, 3),
        processors_per_user=at_most(2, 6),
        running_per_group=at_most(1, 3),
        processors_per_group=at_most(2, 6),
        queued_per_user=at_most(1, 3),
    )


def _pools(draw: Random, with_threshold: bool) -> tuple[Pool, ...]:
    names = draw.choice(("abc", "bca", "cab", "cba"))[: draw.choice((1, 2, 2, 3, 3))]
    made = [Pool(name, draw.choice((1, 2, 3, 4, 4, 5))) for name in names]
    if with_threshold and len(made) > 1:
        at = draw.randrange(len(made))
        made[at] = replace(made[at], threshold=draw.choice((0.0, 0.5, 1.0, 2.5)))
    return tuple(made)


def _queues(
    draw: Random, unit: int, having: frozenset[str], pools: tuple[Pool, ...]
) -> tuple[Queue, ...]:
    """Draw queues with growing upper bounds, so that no queue takes all jobs of a later one."""
    made = []
    by_size, upper = draw.random() < 0.5, 0
    for at in range(n_queues := draw.choice((1, 2, 2, 3))):
        upper += draw.choice((1, 2, 3))
        bound = None if at == n_queues - 1 and draw.random() < 0.8 else upper
        queue = Queue(
            f"q{at}",
            processors=(1, bound if by_size else None),
            walltime=(0, None if by_size or bound is None else 2 * bound * unit),
            priority=draw.choice((1.0, 1.0, 2.0, 0.5)),
            order=draw.choice((None, None, draw.choice(ORDERS))),
            pools=_choices(draw, len(pools)),
            trace_queues=draw.choice(((at + 1,), ())),
        )
        made.append(_with_features(draw, queue, unit, having, pools))
    return _all_pools_used(made, pools)


def _choices(draw: Random, n_pools: int) -> tuple[int, ...]:
    """Draw pools in any order; an empty result stands for all pools."""
    shuffled = sorted(range(n_pools), key=lambda _: draw.random())
    return tuple(shuffled[: draw.randint(0, n_pools)])


def _with_features(
    draw: Random, queue: Queue, unit: int, having: frozenset[str], pools: tuple[Pool, ...]
) -> Queue:
    if "limits" in having:
        queue = replace(queue, limits=_limits(draw))
    if "starvation" in having and draw.random() < 0.7:
        queue = replace(queue, starvation=draw.choice((1, 3, 6)) * unit)
    if "hours" in having and draw.random() < 0.7:
        opening = draw.randint(0, 47)
        closing = (opening + draw.randint(1, 47)) % 48
        queue = replace(queue, hours=((opening * HALF_HOUR, closing * HALF_HOUR),))
    if "spanning" in having and len(pools) > 1 and draw.random() < 0.6:
        named = queue.pools if len(queue.pools) > 1 else tuple(range(len(pools)))
        plain = tuple(at for at in named if pools[at].threshold is None)
        upper = queue.processors[1]
        if len(plain) > 1 and (upper is None or upper <= sum(pools[at].processors for at in plain)):
            queue = replace(queue, spanning=True, pools=plain)
    return queue


def _all_pools_used(queues: list[Queue], pools: Sequence[Pool]) -> tuple[Queue, ...]:
    """Assign pools that no queue uses to the first queue that does not span pools."""
    used = {at for queue in queues for at in queue.pools or range(len(pools))}
    unused = tuple(at for at in range(len(pools)) if at not in used)
    if unused:
        at = next((at for at, queue in enumerate(queues) if not queue.spanning), 0)
        queues[at] = replace(queues[at], pools=queues[at].pools + unused, spanning=False)
    return tuple(queues)


def _reached(site: Site) -> Site:
    """Give a trace queue number to each queue that would lose all its jobs to earlier queues."""
    queues, taken = [], 0
    for at, queue in enumerate(site.queues):
        sizes = [site.pools[pool].processors for pool in queue.pools or range(len(site.pools))]
        most = (sum(sizes) if queue.spanning else max(sizes)) if sizes else site.processors
        upper = queue.processors[1]
        queues.append(replace(queue, trace_queues=(at + 1,)) if taken >= most else queue)
        if queue.walltime == (0, None):
            taken = max(taken, site.processors if upper is None else upper)
    return replace(site, queues=tuple(queues))


def _workload(draw: Random, unit: int, processors: int) -> tuple[SiteJob, ...]:
    """Draw bursts, ties, zero-length jobs, overruns, and jobs as wide as the machine or wider."""
    lengths = (0, 1, 1, 2, 3, 4, 6, 9)
    gaps = draw.choice(((0, 0, 0, 1, 1, 2), (0, 0, 1, 3, 7)))
    widest = (1, 2, 3, 4, processors, processors + 1)
    persons = (-1, 1, 1, 2)
    submit = draw.choice((0, 5))
    jobs: list[SiteJob] = []
    for position in range(draw.choice((1, 3, 6, 10, 15, 20))):
        submit += draw.choice(gaps) * unit
        run_time = draw.choice(lengths)
        think = draw.choice((-1, 0, 1, 2))
        # A request of 0 means that none was made: the run time replaces it
        # (docs/concepts/replay.md).
        asked = draw.choice((run_time, draw.choice(lengths))) or run_time
        jobs.append(
            SiteJob(
                position, submit, run_time * unit, asked * unit,
                draw.randint(1, min(draw.choice(widest), processors + 1)), draw.choice(persons),
                group=draw.choice(persons),
                trace_queue=draw.choice((-1, -1, 1, 2, 3, 4)),
                preceding=draw.randint(-1, position),
                think_time=think * unit if think > 0 else think,
            )
        )  # fmt: skip
    if all(job.processors > processors for job in jobs):
        jobs.append(SiteJob(len(jobs), submit, unit, unit, processors))
    return tuple(jobs)
