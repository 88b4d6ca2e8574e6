"""Small awkward sites and workloads for Hypothesis; every site drawn is one slotwise accepts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from reference.sites.strategies_calendar import calendars
from reference.sites.values import Limits, Pool, Queue, Site, SiteJob
from reference.workloads import UNITS, policies

if TYPE_CHECKING:
    from collections.abc import Sequence

HALF_HOUR = 1800
TEXTBOOK: dict[str, Any] = {
    "backfill_order": None,
    "waiting_estimates": None,
    "ending_now": "busy",
    "spare_processors": True,
    "strict_end": False,
    "frozen_reservation": False,
    "event_order": "completions-first",
}
BACKFILLS = ("none", "first-fit", "easy", "depth", "replan")
FEATURES = (
    "pools", "queues", "limits", "starvation", "thresholds", "spanning", "hours", "dependencies",
    "outages", "crashes", "reservations",
)  # fmt: skip


@dataclass(frozen=True)
class SiteCase:
    """Jobs in trace order and the site to replay them on."""

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
    """Write a site, a part a line, without what is as by default."""
    lines = [f"machine of {site.processors}, {_without_defaults(site.policy)}"]
    for name in ("pools", "queues", "outages", "reservations"):
        lines += [f"    {_without_defaults(part)}" for part in getattr(site, name)]
    for name in ("limits", "crashes", "interruption"):
        if (part := getattr(site, name)) != type(part)():
            lines.append(f"    {_without_defaults(part)}")
    return [*lines, f"    dependencies={site.dependencies} midnight={site.midnight}"]


def _without_defaults(part: Any) -> str:
    fields = part.__dataclass_fields__.values()
    given = [
        f"{field.name}={getattr(part, field.name)!r}"
        for field in fields
        if getattr(part, field.name) != field.default
    ]
    return f"{type(part).__name__}({', '.join(given)})"


@st.composite
def limits(draw: st.DrawFn, of_site: bool = False) -> Limits:
    rare = st.one_of(st.none(), st.none(), st.none(), st.integers(1, 3))
    wide = st.one_of(st.none(), st.none(), st.none(), st.integers(2, 6))
    return Limits(
        running=draw(rare),
        processors_in_use=draw(wide),
        running_per_user=draw(rare),
        processors_per_user=draw(wide),
        running_per_group=draw(rare),
        processors_per_group=draw(wide),
        queued_per_user=draw(rare),
        lifted_when_idle=of_site and draw(st.booleans()),
    )


@st.composite
def pools(draw: st.DrawFn, with_thresholds: bool) -> tuple[Pool, ...]:
    sizes = draw(st.lists(st.sampled_from((4, 3, 2, 5, 1)), min_size=1, max_size=3))
    names = draw(st.permutations(["a", "b", "c"]))
    made = [Pool(name, size) for name, size in zip(names, sizes, strict=False)]
    if with_thresholds and len(made) > 1:
        at = draw(st.integers(0, len(made) - 1))
        made[at] = replace(made[at], threshold=draw(st.sampled_from((0.0, 0.5, 1.0, 2.5))))
    return tuple(made)


@st.composite
def queues(
    draw: st.DrawFn, unit: int, having: frozenset[str], pools: tuple[Pool, ...], orders: Any
) -> tuple[Queue, ...]:
    """Draw queues none of which hides a later one: their upper bounds grow."""
    n_queues = draw(st.integers(1, 3))
    by_size = draw(st.booleans())
    steps = draw(st.lists(st.sampled_from((2, 1, 3)), min_size=n_queues, max_size=n_queues))
    uppers: list[int | None] = [sum(steps[: at + 1]) for at in range(n_queues)]
    if draw(st.sampled_from((True, True, False))):
        uppers[-1] = None
    made = []
    for at, upper in enumerate(uppers):
        queue = Queue(
            f"q{at}",
            priority=draw(st.sampled_from((1.0, 1.0, 2.0, 0.5))),
            order=draw(st.one_of(st.none(), orders)),
            pools=draw(_choices(len(pools))),
            trace_queues=(at + 1,) if draw(st.booleans()) else (),
        )
        if by_size:
            queue = replace(queue, processors=(1, upper))
        else:
            queue = replace(queue, walltime=(0, None if upper is None else 2 * upper * unit))
        made.append(draw(_with_features(queue, unit, having, pools)))
    return _all_pools_used(made, pools)


def _choices(n_pools: int) -> st.SearchStrategy[tuple[int, ...]]:
    some = st.lists(st.integers(0, n_pools - 1), min_size=1, max_size=n_pools, unique=True)
    return st.one_of(st.just(()), some.map(tuple)) if n_pools else st.just(())


@st.composite
def _with_features(
    draw: st.DrawFn, queue: Queue, unit: int, having: frozenset[str], pools: tuple[Pool, ...]
) -> Queue:
    if "limits" in having:
        queue = replace(queue, limits=draw(limits()))
    if "starvation" in having and draw(st.booleans()):
        queue = replace(queue, starvation=draw(st.sampled_from((1, 3, 6))) * unit)
    if "hours" in having and draw(st.booleans()):
        queue = replace(queue, hours=(draw(hours()),))
    if "spanning" in having and len(pools) > 1 and draw(st.booleans()):
        every = tuple(range(len(pools))) if len(queue.pools) < 2 else queue.pools
        plain = tuple(at for at in every if pools[at].threshold is None)
        total = sum(pools[at].processors for at in plain)
        upper = queue.processors[1]
        if plain and (upper is None or upper <= total):
            queue = replace(queue, spanning=True, pools=plain)
    return queue


@st.composite
def hours(draw: st.DrawFn) -> tuple[int, int]:
    opening, closing = draw(
        st.lists(st.integers(0, 47), min_size=2, max_size=2, unique=True).map(tuple)
    )
    return opening * HALF_HOUR, closing * HALF_HOUR


def _all_pools_used(queues: list[Queue], pools: Sequence[Pool]) -> tuple[Queue, ...]:
    """Give pools no queue names to the first that may take them."""
    used = {at for queue in queues for at in queue.pools or range(len(pools))}
    unused = tuple(at for at in range(len(pools)) if at not in used)
    if unused:
        at = next((at for at, queue in enumerate(queues) if not queue.spanning), 0)
        queues[at] = replace(queues[at], pools=queues[at].pools + unused, spanning=False)
    return tuple(queues)


@st.composite
def workloads(draw: st.DrawFn, unit: int, processors: int) -> tuple[SiteJob, ...]:
    """Draw bursts, ties, zero-length jobs, overruns, and jobs as wide as the machine and wider."""
    gaps = st.sampled_from((0, 0, 0, 1, 1, 2, 3, 7))
    lengths = st.sampled_from((0, 1, 1, 2, 3, 4, 6, 9))
    widths = st.one_of(
        st.integers(1, min(2, processors)),
        st.integers(1, min(3, processors)),
        st.integers(1, min(4, processors)),
        st.integers(1, processors + 1),
    )
    persons = st.sampled_from((-1, 1, 1, 2))
    rows = st.tuples(
        gaps, lengths, lengths, widths, persons, persons, st.integers(-1, 4), st.integers(-1, 3)
    )
    submit = draw(st.sampled_from((0, 5)))
    jobs: list[SiteJob] = []
    for gap, run_time, requested, width, user, group, number, think in draw(
        st.lists(rows, min_size=draw(st.integers(1, 9)), max_size=12)
    ):
        submit += gap * unit
        request = (requested or run_time) * unit
        preceding = draw(st.integers(-1, len(jobs)))
        jobs.append(
            SiteJob(
                len(jobs), submit, run_time * unit, request, width, user, group=group,
                trace_queue=number, preceding=preceding,
                think_time=think * unit if think > 0 else think,
            )
        )  # fmt: skip
    if all(job.processors > processors for job in jobs):
        jobs.append(SiteJob(len(jobs), submit, unit, unit, processors))
    return tuple(jobs)


@st.composite
def site_cases(draw: st.DrawFn, /, *features: str, **fixed: Any) -> SiteCase:
    """Draw a workload and a site with some of the features; those not named are left out.

    Policy fields given by name are as given.
    """
    having = frozenset(features)
    unit = HALF_HOUR if "hours" in having else draw(st.sampled_from(UNITS))
    chosen: dict[str, Any] = {**TEXTBOOK, **fixed}
    chosen.setdefault("backfill", draw(st.sampled_from(BACKFILLS)))
    chosen.setdefault("passes", draw(st.sampled_from(("per-instant", "per-instant", "periodic"))))
    policy = draw(policies(unit, **chosen))
    several = bool(having & {"pools", "thresholds", "spanning"})
    made = draw(pools("thresholds" in having)) if several else ()
    processors = sum(pool.processors for pool in made) + draw(st.sampled_from((0, 0, 1)))
    site = Site(processors if made else draw(st.integers(1, 8)), policy, made)
    if having & {"queues", "starvation", "thresholds", "spanning", "hours"}:
        orders = policies(unit, **TEXTBOOK).map(lambda policy: policy.order)
        site = replace(site, queues=draw(queues(unit, having, made, orders)))
    if "limits" in having:
        site = replace(site, limits=draw(limits(of_site=True)))
    if "hours" in having:
        site = replace(site, midnight=-HALF_HOUR * draw(st.integers(0, 47)))
    site = replace(site, dependencies="dependencies" in having)
    site = draw(calendars(site, unit, having))
    return SiteCase(draw(workloads(unit, site.processors)), site)
