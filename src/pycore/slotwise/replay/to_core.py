"""Converts sites to the core's form: names become positions, and dates become seconds."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from slotwise._core import (
    ANY_POOL,
    NEVER,
    Crashes as CoreCrashes,
    DayTimes,
    Interruption as CoreInterruption,
    JobOwners,
    Limits as CoreLimits,
    NamedLimits as CoreNamedLimits,
    Outage as CoreOutage,
    PlacementEffect as CorePlacementEffect,
    Pool as CorePool,
    Queue as CoreQueue,
    Requeue,
    Site as CoreSite,
    UserReservation,
)
from slotwise.replay.demands_to_core import converted_demands
from slotwise.replay.dependencies_to_core import core_lists
from slotwise.replay.named_nodes import asked_on
from slotwise.replay.nodes_to_core import amount_limits, node_choice
from slotwise.replay.order_names import core_order
from slotwise.replay.site_names import SiteNames, has_names
from slotwise.site.checks import size_faults
from slotwise.site.dates import Dates, dates_of
from slotwise.site.faults import Fault, FaultsError, Key
from slotwise.site.machine.node_checks import needs_nodes
from slotwise.site.machine.nodes import Nodes
from slotwise.site.machine.torus import Torus
from slotwise.site.order_checks import orders_of
from slotwise.site.parts.limits import COUNT_READERS
from slotwise.site.parts.owners import OWNER_COLUMNS
from slotwise.site.parts.times import day_times
from slotwise.site.policy import Policy
from slotwise.site.policy.external import External
from slotwise.site.policy.order_spec import OrderSpec
from slotwise.site.queue_checks import hidden_queue_faults, pools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slotwise._core import Policy as CorePolicy
    from slotwise.site import Site
    from slotwise.trace import Trace

_MODES = {
    "drain": CoreOutage.Mode.drain,
    "kill": CoreOutage.Mode.kill,
    "sudden": CoreOutage.Mode.sudden,
}
_LAWS = {
    None: CoreCrashes.Law.none,
    "exponential": CoreCrashes.Law.exponential,
    "weibull": CoreCrashes.Law.weibull,
}
_REQUEUES = {
    "never": Requeue.never,
    "from-start": Requeue.from_start,
    "from-checkpoint": Requeue.from_checkpoint,
}
# Codes that no job has, for owners and queues that are not in the log.
_NO_OWNER = -1
_NO_QUEUE = -(2**31)

# Names of limits in a site, each with its name in the core.
_LIMIT_NAMES = {name: name for name in COUNT_READERS} | {"processors_in_use": "processors"}


def dispatch_of(policy: Policy, machine: object) -> Callable[..., Any] | None:
    """Return the policy's dispatcher, adapted to return node numbers; None if it has none."""
    return asked_on(machine, policy.dispatch) if isinstance(policy, External) else None


def core_policy(policy: Policy, trace: Trace | None = None) -> CorePolicy:
    """Convert a policy to the core's form for one trace; a dispatcher is left out."""
    plain = policy.plain if isinstance(policy, External) else policy
    core, names = plain._to_core(), SiteNames(trace)
    core.order = core_order(plain.order, names)
    if plain.backfill_order is not None:
        core.backfill_order = core_order(plain.backfill_order, names)
    return core


def without_dispatcher(site: Site) -> Site:
    """Return the site; a policy with a dispatcher is replaced by its `plain` policy."""
    return site.replace(policy=site.policy.plain) if isinstance(site.policy, External) else site


def core_site(site: Site, trace: Trace, processors: int) -> CoreSite:
    """Convert a site to the compiled core's form, for one trace and a machine of `processors`.

    Raises
    ------
    SiteError
        For a policy with a dispatcher.
    FaultsError
        For a part that is larger than the machine. Also for a date or an hour of the day if neither
        trace nor site states the date of time 0.

    Notes
    -----
    Do not change the result, because it may be cached.
    """
    if _is_kept(site) and not (site.dependencies and "dependency" in trace.labels):
        return _undated_site(site, processors)
    return _made(site, trace, processors)


def _is_kept(site: Site) -> bool:
    """Return True if the converted site is cached: it uses no function and suits every trace."""
    return (
        not (site.is_plain or _has_dates(site) or isinstance(site.machine, Nodes))
        and not any(_resets(site))
        and not has_names(site)
        and isinstance(site.policy, Policy)
        and site.policy._is_named
        and all(isinstance(queue.order, str | OrderSpec | None) for queue in site.queues)
    )


@lru_cache(maxsize=64)
def _undated_site(site: Site, processors: int) -> CoreSite:
    return _made(site, None, processors)


def _made(site: Site, trace: Trace | None, processors: int) -> CoreSite:
    is_refused = isinstance(site.policy, External)
    policy = site.policy._to_core() if is_refused else core_policy(site.policy, trace)
    core = CoreSite(processors, policy)
    if isinstance(site.machine, Nodes) and trace is not None:
        core.demands = converted_demands(trace, site.machine).core
        core.node_weights = [kind.weight for kind in site.machine.types]
    if isinstance(site.machine, Torus):
        core.torus = site.machine._core
        core.placement = _placement(site.placement)
    if not site.is_plain:
        _add_parts(core, site, trace)
    if trace is not None and any(_resets(site)):
        core.local_epoch = _local_epoch(site, trace)
    return core


def _resets(site: Site) -> Iterator[Key]:
    """Yield the place of each order that has a `usage_reset`."""
    for key, order in orders_of(site):
        if dict(order.parameters).get("usage_reset", "none") != "none":
            yield (*key, "usage_reset")


def _local_epoch(site: Site, trace: Trace) -> int:
    """Return time 0 of the trace on the machine's clock, in seconds since 1970."""
    dates = dates_of(trace, site.clock)
    if dates is None:
        said = f"{trace.source or 'the trace'} has no UnixStartTime"
        remedy = "set [clock] start to the date of its time 0"
        faults = [
            Fault(key, f"clears usage on certain dates, but {said}; {remedy}")
            for key in _resets(site)
        ]
        raise FaultsError(faults)
    return dates.epoch + dates.offset


def _add_parts(core: CoreSite, site: Site, trace: Trace | None) -> None:
    """Add pools, queues, limits and calendar to `core`; a site with dates needs a `trace`."""
    dates = dates_of(trace, site.clock) if trace is not None and _has_dates(site) else None
    faults = [*size_faults(site, core.processors)]
    if site.machine is None:
        faults += [*needs_nodes(site), *hidden_queue_faults(site, core.processors)]
    if trace is not None and dates is None:
        faults += _without_dates(site, trace)
    if faults:
        raise FaultsError(faults)
    positions = {pool.name: index for index, pool in enumerate(site.pools)}
    core.pools = [_pool(pool) for pool in site.pools]
    names = SiteNames(trace)
    core.queues = [core_queue(queue, site, positions, names) for queue in site.queues]
    limits = core_limits(site.limits, site.machine)
    limits.lifted_when_idle = site.limits.lifted_when_idle
    limits.holds_submitted = site.limits.over_submitted == "hold"
    core.limits = limits
    core.named_limits = [_named_limits(each, site.machine, names) for each in site.named_limits]
    core.outages = [
        *(
            _outage(f"maintenance[{i}]", m, dates, positions, site.machine)
            for i, m in enumerate(site.maintenance)
        ),
        *(
            _outage(f"outage[{i}]", o, dates, positions, site.machine)
            for i, o in enumerate(site.outages)
        ),
    ]
    core.reservations = [
        _reservation(r, dates, positions, site.machine, names) for r in site.reservations
    ]
    core.crashes = _crashes(site.crashes, dates)
    core.interruption = _interruption(site.interruption)
    core.dependencies = site.dependencies
    if site.dependencies and trace is not None and "dependency" in trace.labels:
        core.dependency_lists = core_lists(trace.labels["dependency"])
    core.midnight = 0 if dates is None else dates.midnight


def _has_dates(site: Site) -> bool:
    """Return True if a site has parts that may depend on a date or an hour of the day."""
    dated = (site.maintenance, site.outages, site.reservations, site.crashes.times)
    return any(dated) or any(queue.hours for queue in site.queues)


def _without_dates(site: Site, trace: Trace) -> Iterator[Fault]:
    """Yield a fault for each date or hour of the day in a site, because time 0 has no date."""
    said = f"{trace.source or 'the trace'} has no UnixStartTime"
    remedy = "set [clock] start to the date of its time 0"
    times: Any = site.crashes.times
    dated: list[tuple[Key, Any]] = [
        (("crashes", "times", index), time) for index, time in enumerate(times)
    ]
    for table in ("maintenance", "outages", "reservations"):
        dated += [
            ((table.removesuffix("s"), index, "start"), part.start)
            for index, part in enumerate(getattr(site, table))
        ]
    for key, instant in dated:
        if isinstance(instant, datetime):
            yield Fault(
                key,
                f"{instant.isoformat()} is a date, but {said}; {remedy}, or write seconds on the "
                "trace's clock",
            )
    for index, queue in enumerate(site.queues):
        if queue.hours:
            yield Fault(
                ("queue", index, "hours"), f"{queue.hours[0]} are hours of the day, but {said}; "
                f"{remedy}",
            )  # fmt: skip


def _placement(effect: Any) -> CorePlacementEffect:
    core = CorePlacementEffect()
    core.alpha = effect.alpha
    core.gamma = effect.gamma
    core.beta = effect.beta
    core.seed = effect.seed
    return core


def _pool(pool: Any) -> CorePool:
    core = CorePool()
    core.name = pool.name
    core.processors = pool.processors
    core.has_threshold = pool.threshold is not None
    core.threshold = pool.threshold or 0.0
    return core


def core_queue(queue: Any, site: Site, positions: dict[str, int], names: SiteNames) -> CoreQueue:
    """Convert a queue for the compiled core; `positions` has the position of each pool."""
    core = CoreQueue()
    core.name = queue.name
    core.has_ranges = queue.has_ranges
    fewest, most = queue.processors
    core.min_processors = fewest
    core.max_processors = NEVER if most is None else most
    above, longest = queue.walltime
    core.above_requested_time = above
    core.max_requested_time = NEVER if longest is None else longest
    core.default_requested_time = queue.default_walltime or 0
    core.trace_queues, core.trace_partitions = names.queue_codes(queue.trace_queues)
    if queue.trace_queues and not core.trace_queues:
        core.trace_queues = [_NO_QUEUE]
    core.priority = queue.priority
    core.has_order = queue.order is not None
    if queue.order is not None:
        core.order = core_order(queue.order, names)
    core.limits = core_limits(queue, site.machine)
    if queue.starvation is not None:
        core.starvation = queue.starvation
    core.hours = [DayTimes(*day_times(interval)) for interval in queue.hours]
    core.pools = [positions[pool.name] for pool in pools_of(queue, site.pools)]
    core.spanning = queue.spanning
    core.tier = queue.tier
    core.exclusive = queue.exclusive
    if isinstance(site.machine, Nodes):
        core.pools = []
        core.nodes = site.machine.select(queue.nodes).tolist()
        core.min_nodes, most_nodes = queue.nodes_per_job
        core.max_nodes = NEVER if most_nodes is None else most_nodes
    return core


def core_limits(holder: Any, machine: Any) -> CoreLimits:
    """Return the limits of a site, a queue or named owners."""
    core = CoreLimits()
    for name, core_name in _LIMIT_NAMES.items():
        if (value := getattr(holder, name)) is not None:
            setattr(core, core_name, value)
    if isinstance(machine, Nodes):
        core.amounts = amount_limits(holder, machine)
    return core


def _named_limits(part: Any, machine: Any, names: SiteNames) -> CoreNamedLimits:
    core = CoreNamedLimits()
    core.owners = _owners(part, names)
    core.limits = core_limits(part, machine)
    return core


def _owners(part: Any, names: SiteNames) -> JobOwners:
    """Return the owners listed in a part; if none is in the log, return an owner without jobs."""
    core = JobOwners()
    for field, column in OWNER_COLUMNS.items():
        written = getattr(part, field)
        setattr(core, field, names.codes(column, written) or [_NO_OWNER] * bool(written))
    return core


def _seconds(instant: Any, dates: Dates | None) -> int:
    """Return an instant in seconds on the trace's clock."""
    return dates.seconds(instant) if dates and isinstance(instant, datetime) else int(instant)


def _outage(
    name: str, part: Any, dates: Dates | None, positions: dict[str, int], machine: Any
) -> CoreOutage:
    core = CoreOutage()
    core.name = name
    core.mode = _MODES[part.mode]
    core.start = _seconds(part.start, dates)
    core.duration = part.duration
    core.every = part.every or 0
    core.pool = ANY_POOL if part.pool is None else positions[part.pool]
    core.processors = getattr(part, "processors", None) or 0
    _choose_nodes(core, part, machine)
    return core


def _choose_nodes(core: CoreOutage | UserReservation, part: Any, machine: Any) -> None:
    """Set the nodes of an outage or reservation; on a torus, also the number of processors."""
    if isinstance(machine, Nodes | Torus):
        core.nodes = node_choice(part, machine)
    if isinstance(machine, Torus) and part.nodes:
        core.processors = len(machine.select(part.nodes)) * machine.processors_per_node


def _reservation(
    part: Any,
    dates: Dates | None,
    positions: dict[str, int],
    machine: Any,
    names: SiteNames,
) -> UserReservation:
    core = UserReservation()
    core.name = part.name
    core.start = _seconds(part.start, dates)
    core.duration = part.duration
    core.every = part.every or 0
    core.pool = 0 if part.pool is None else positions[part.pool]
    core.processors = part.processors or 0
    _choose_nodes(core, part, machine)
    core.owners = _owners(part, names)
    return core


def _crashes(crashes: Any, dates: Dates | None) -> CoreCrashes:
    core = CoreCrashes()
    core.times = sorted(_seconds(time, dates) for time in crashes.times)
    core.law = _LAWS[crashes.law]
    core.mean = crashes.mean or 0
    core.shape = crashes.shape
    core.seed = crashes.seed
    core.repair = crashes.repair
    core.per_node = crashes.per_node
    return core


def _interruption(interruption: Any) -> CoreInterruption:
    core = CoreInterruption()
    core.requeue = _REQUEUES[interruption.requeue]
    core.checkpoint_every = interruption.checkpoint_every or 0
    core.checkpoint_at = interruption.checkpoint_at or 0
    core.checkpoint_cost = interruption.checkpoint_cost
    core.refund = interruption.refund
    return core
