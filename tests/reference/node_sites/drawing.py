"""Small crowded sites with nodes, and their jobs, drawn from any `random.Random`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from reference.dependencies import with_dependencies
from reference.node_sites.values import (
    NamedNodeLimits,
    NodeJob,
    NodeLimits,
    NodeOutage,
    NodeQueue,
    NodeReservation,
    NodeSite,
    NodeType,
)
from reference.policy import Policy
from reference.sites.drawing import without_defaults
from reference.sites.values import Crashes

if TYPE_CHECKING:
    from random import Random

BACKFILLS = (
    "none", "first-fit", "easy", "relaxed", "multiple-queue", "depth", "replan", "conservative",
)  # fmt: skip
ORDERS = ("fcfs", "sjf", "ljf", "wfp3", "priority", "smallest")
HALF_HOUR = 1800
FEATURES = (
    "queues",
    "limits",
    "amounts",
    "submitted",
    "hours",
    "dependencies",
    "outages",
    "rules",
    "defaults",
    "users",
    "reservations",
    "numbers",
    "node-crashes",
    "recurring",
)
PERIODS = (12, 18, 36)
KILLING_PERIOD = 36  # longer than the longest job plus the longest window
MACHINES: tuple[tuple[tuple[str, ...], tuple[NodeType, ...]], ...] = (
    (("cores",), (NodeType(6, (1,)),)),
    (("cores",), (NodeType(4, (4,)),)),
    (("cores",), (NodeType(2, (4,), ("a",)), NodeType(3, (2,), ("b",)))),
    (
        ("cores", "gpus"),
        (NodeType(2, (4, 2), ("a", "b")), NodeType(2, (4, 0), ("b",)), NodeType(1, (8, 0))),
    ),
)

TORI: tuple[tuple[tuple[str, ...], tuple[NodeType, ...]], ...] = (
    (("cores",), (NodeType(5, (1,)),)),
    (("cores",), (NodeType(8, (1,)),)),
    (("cores",), (NodeType(12, (2,)),)),
)


@dataclass(frozen=True)
class NodeCase:
    """Jobs in trace order, and the site on which to replay them."""

    jobs: tuple[NodeJob, ...]
    site: NodeSite

    def __repr__(self) -> str:
        parts = [self.site.policy, *self.site.types, *self.site.queues, self.site.limits]
        parts += [*self.site.named, *self.site.outages, *self.site.reservations, *self.jobs]
        rest = replace(
            self.site,
            queues=(),
            limits=NodeLimits(),
            named=(),
            outages=(),
            reservations=(),
            types=(),
        )
        return "\n".join(["", *(f"    {without_defaults(part)}" for part in [*parts, rest])])


def node_cases(*features: str, **fixed: Any) -> st.SearchStrategy[NodeCase]:
    """Return a Hypothesis strategy for the cases of `draw_case`."""
    return st.randoms(use_true_random=False).map(lambda draw: draw_case(draw, *features, **fixed))


def draw_case(draw: Random, *features: str, **fixed: Any) -> NodeCase:
    """Draw a site with some of the features, and jobs for it; `fixed` sets policy fields."""
    having = frozenset(features)
    unit = HALF_HOUR if "hours" in having else 1
    allocation = fixed.pop("allocation", "")
    resources, types = draw.choice(TORI if allocation else MACHINES)
    site = NodeSite(
        types,
        resources,
        _policy(draw, unit, fixed),
        allocation=allocation,
        reserve=draw.choice(("numbers", "numbers", "nodes")),
        placement=draw.choice(("least-scarce", "first-fit", "best-fit")),
        dependencies="dependencies" in having,
        midnight=-HALF_HOUR * draw.randint(0, 47) if "hours" in having else 0,
    )
    if allocation:
        site = replace(site, reserve="numbers")
    if "queues" in having:
        site = replace(site, queues=_queues(draw, unit, site, having))
    limits = _limits(draw, having, site)
    if "reservations" in having:
        site = replace(site, reservations=_reservations(draw, unit, site))
    if "numbers" in having:
        made = _outages(draw, unit, site), _outages_by_number(draw, unit, site)
        outages = sorted((*made[0], *made[1]), key=_is_in_part)
        site = replace(site, outages=tuple(outages))
    if "node-crashes" in having:
        site = replace(site, node_crashes=_node_crashes(draw, unit))
    elif "outages" in having:
        site = replace(site, outages=site.outages or _outages(draw, unit, site))
        crashes = sorted({unit * draw.randint(1, 40) for _ in range(draw.choice((0, 0, 1)))})
        site = replace(site, crashes=tuple(crashes), repair=unit * draw.choice((0, 3)))
    if "recurring" in having:
        site = _recurring(draw, unit, site, having)
    jobs = _jobs(draw, unit, site, having)
    if "dependencies" in having:
        jobs = with_dependencies(draw, jobs, unit)
    if "named" in having:
        site = replace(site, named=_named(draw, having, site))
    return NodeCase(jobs, replace(site, limits=limits))


def _named(draw: Random, having: frozenset[str], site: NodeSite) -> tuple[NamedNodeLimits, ...]:
    """Draw non-empty limits for some owners, including owners without jobs."""
    found = []
    for _ in range(draw.randint(1, 3)):
        owners = {
            holder: tuple(sorted({draw.randint(0, 3) for _ in range(draw.randint(1, 2))}))
            for holder in ("user", "group", "account", "qos")
            if draw.random() < 0.4
        } or {"user": (draw.randint(0, 2),)}
        limits = _limits(draw, having | {"limits"}, site)
        if limits == NodeLimits(over_submitted=limits.over_submitted):
            limits = replace(limits, running=draw.randint(1, 2))
        found.append(NamedNodeLimits(owners, replace(limits, over_submitted="reject")))
    return tuple(found)


def _policy(draw: Random, unit: int, fixed: dict[str, Any]) -> Policy:
    backfill = fixed.pop("backfill", None) or draw.choice(BACKFILLS)
    given: dict[str, Any] = {"order": draw.choice(ORDERS), "backfill": backfill}
    if backfill == "depth":
        given["depth"] = draw.randint(1, 3)
    if backfill == "relaxed":
        given["relaxation"] = draw.choice((0.0, 0.5, 2.0))
    if backfill not in ("none", "first-fit"):
        given["estimates"] = draw.choice(("requested", "requested", "exact", "user-history"))
    given["passes"] = draw.choice(("per-instant", "per-instant", f"{3 * unit}s"))
    # While a job overruns, promises move by one second at a time. For a long overrun, such as half
    # an hour, that is too slow for the oracle.
    moves_slowly = backfill == "conservative" and unit > 1
    given["kill_at_limit"] = draw.random() < 0.7 or moves_slowly
    return Policy(**given | fixed)


def _queues(
    draw: Random, unit: int, site: NodeSite, having: frozenset[str]
) -> tuple[NodeQueue, ...]:
    queues = []
    for number in range(draw.randint(1, 3)):
        nodes = frozenset(n for n in range(site.n_nodes) if draw.random() < 0.6)
        hours = ((12 * 3600, 18 * 3600),) if "hours" in having and draw.random() < 0.5 else ()
        queues.append(
            NodeQueue(
                f"q{number}",
                nodes=nodes if nodes and draw.random() < 0.7 and not site.allocation else None,
                trace_queues=(number,),
                priority=float(draw.randint(0, 2)),
                starvation=draw.choice((None, None, 6 * unit)),
                limits=_limits(draw, having, site) if draw.random() < 0.3 else NodeLimits(),
                hours=hours,
                default_walltime=unit * draw.choice((0, 2, 8)) if "defaults" in having else 0,
            )
        )
    return (*queues, NodeQueue("rest"))


def _limits(draw: Random, having: frozenset[str], site: NodeSite) -> NodeLimits:
    def some(*values: int) -> int | None:
        return draw.choice((None, None, *values))

    def per(*values: int) -> dict[str, int]:
        holder = draw.choice(("user", "group", "account", "qos"))
        return {holder: draw.choice(values)} if draw.random() < 0.5 else {}

    cores = sum(kind.count * kind.amounts[0] for kind in site.types)
    limits = NodeLimits()
    if "limits" in having:
        limits = replace(
            limits,
            running=some(2, 3),
            processors_in_use=some(cores, cores // 2),
            running_per=per(1, 2),
            processors_per=per(cores, cores // 2),
            queued_per_user=some(1, 2),
        )
    if "amounts" in having:
        resource = draw.choice(site.resources if site.allocation else (*site.resources, "nodes"))
        holder = draw.choice(("total", "user", "account"))
        least, most = (1, site.n_nodes) if resource == "nodes" else (2, cores)
        limits = replace(limits, amounts={(holder, resource): draw.randint(least, most)})
    if "submitted" in having:
        over = draw.choice(("reject", "reject", "hold"))
        limits = replace(limits, submitted=some(3), submitted_per=per(1, 2), over_submitted=over)
    return limits


def _reservations(draw: Random, unit: int, site: NodeSite) -> tuple[NodeReservation, ...]:
    return tuple(_reservation(draw, unit, site) for _ in range(draw.randint(1, 2)))


def _reservation(draw: Random, unit: int, site: NodeSite) -> NodeReservation:
    start, duration = unit * draw.randint(0, 30), unit * draw.randint(3, 20)
    edges = sorted((draw.randint(0, 2), draw.randint(3, site.n_nodes)))
    users = tuple({draw.randint(0, 2), draw.randint(0, 2)})
    if site.allocation:
        return NodeReservation(start, duration, frozenset(range(*edges)), users)
    owners: dict[str, tuple[int, ...]] = {"users": users}
    if draw.random() < 0.4:
        owners = {draw.choice(("groups", "accounts", "qos")): (draw.randint(0, 1),)}
    if draw.random() < 0.5:
        given = _by_number(draw, site)
        return NodeReservation(start, duration, None, **given, **owners)  # type: ignore[arg-type]
    nodes = frozenset(n for n in range(site.n_nodes) if draw.random() < 0.5)
    return NodeReservation(start, duration, nodes or frozenset({0}), **owners)


def _outages(draw: Random, unit: int, site: NodeSite) -> tuple[NodeOutage, ...]:
    outages = []
    for _ in range(draw.randint(1, 3)):
        mode = draw.choice(("drain", "kill", "sudden"))
        nodes = frozenset(n for n in range(site.n_nodes) if draw.random() < 0.5)
        whole = mode != "sudden" and (not nodes or draw.random() < 0.3)
        outages.append(
            NodeOutage(
                unit * draw.randint(0, 40),
                unit * draw.randint(1, 10),
                None if whole else nodes or frozenset({0}),
                mode,
            )
        )
    return tuple(sorted(outages, key=_is_in_part))


def _recurring(draw: Random, unit: int, site: NodeSite, having: frozenset[str]) -> NodeSite:
    """Let some announced outages and reservations recur, or let one killing outage recur.

    If anything else recurs (another outage, the hours of queues, or passes), a recurring kill might
    end every attempt of a job.
    """
    killing = [at for at, outage in enumerate(site.outages) if outage.mode != "drain"]
    free = "hours" not in having and site.policy.period is None
    if free and killing and draw.random() < 0.4:
        outages = list(site.outages)
        at = draw.choice(killing)
        outages[at] = replace(outages[at], every=KILLING_PERIOD * unit)
        return replace(site, outages=tuple(outages))

    def again(event: Any) -> Any:
        if event.every or draw.random() < 0.4:
            return event
        duration = unit * draw.randint(1, 4)
        return replace(event, duration=duration, every=unit * draw.choice(PERIODS))

    outages = [again(o) if o.mode == "drain" else o for o in site.outages]
    reservations = [again(r) for r in site.reservations]
    return replace(site, outages=tuple(outages), reservations=tuple(reservations))


def _is_in_part(outage: NodeOutage) -> bool:
    return outage.nodes is not None or outage.count is not None


def _by_number(draw: Random, site: NodeSite) -> dict[str, int | None]:
    """Draw a number of nodes of one type, or of any type if the first type has just one core."""
    whole = (None,) if site.types[0].amounts == (1,) else ()
    kind = draw.choice((*whole, *range(len(site.types))))
    most = site.n_nodes if kind is None else site.types[kind].count
    return {"kind": kind, "count": draw.randint(1, most)}


def _outages_by_number(draw: Random, unit: int, site: NodeSite) -> list[NodeOutage]:
    return [
        NodeOutage(
            unit * draw.randint(0, 30),
            unit * draw.randint(1, 10),
            mode=draw.choice(("drain", "kill", "sudden")),
            **_by_number(draw, site),  # type: ignore[arg-type]
        )
        for _ in range(draw.randint(1, 3))
    ]


def _node_crashes(draw: Random, unit: int) -> Crashes:
    law = draw.choice(("exponential", "weibull"))
    shape = draw.choice((0.7, 1.5)) if law == "weibull" else 1.0
    mean = draw.choice((60, 150)) * unit
    return Crashes((), law, mean, shape, draw.randrange(2**63), unit * draw.choice((0, 1, 4)))


def _jobs(draw: Random, unit: int, site: NodeSite, having: frozenset[str]) -> tuple[NodeJob, ...]:
    jobs: list[NodeJob] = []
    submit = 0
    for position in range(draw.randint(2, 12)):
        submit += unit * draw.choice((0, 0, 1, 2, 5))
        asked = _demand(draw, site, having)
        request = unit * draw.randint(1, 12)
        run_time = unit * draw.randint(0 if site.policy.estimates != "exact" else 1, 14)
        has_request = "defaults" not in having or run_time == 0 or draw.random() < 0.6
        jobs.append(
            NodeJob(
                position,
                submit,
                run_time,
                request if has_request else run_time,
                asked["units"] * asked["each"][0],
                draw.randint(-1, 2),
                group=draw.randint(-1, 1),
                account=draw.randint(-1, 1),
                qos=draw.randint(-1, 1),
                trace_queue=draw.randint(0, 3),
                has_request=has_request,
                preceding=position - 1 if draw.random() < 0.3 else -1,
                think_time=unit * draw.choice((0, 2)),
                **asked,
            )
        )
    return tuple(jobs)


def _demand(draw: Random, site: NodeSite, having: frozenset[str]) -> dict[str, Any]:
    if site.allocation:
        units = draw.randint(1, min(site.n_nodes, draw.choice((3, site.n_nodes))))
        return {"units": units, "each": site.types[0].amounts, "exclusive": "job"}
    rest = (0,) * (len(site.resources) - 1)
    cores = max(kind.amounts[0] for kind in site.types)
    kind = draw.choice(("cores", "whole", "shared"))
    asked: dict[str, Any] = {"units": draw.randint(1, site.n_nodes), "each": (1, *rest)}
    if kind == "whole":
        asked |= {"exclusive": "job", "units": draw.randint(1, 3)}
    elif kind == "shared":
        amounts = tuple(draw.choice((0, 0, 1)) for _ in rest)
        asked["each"] = (draw.randint(1, cores), *amounts)
    elif cores > 1:
        asked["units"] = draw.randint(1, 2 * cores)
    if "users" in having and kind != "whole" and draw.random() < 0.5:
        asked["exclusive"] = "user"
    if "rules" in having and kind != "whole":
        rule = draw.choice(("", "", "nodes", "per_node"))
        if rule == "nodes":
            asked["nodes"] = draw.randint(1, min(asked["units"], site.n_nodes))
        elif rule == "per_node":
            asked["per_node"] = draw.randint(1, 2)
    if "rules" in having:
        known = [feature for each in site.types for feature in each.features]
        asked["constraint"] = draw.choice(["", "", *known, *("|".join(known[:2]),)])
    return asked
