"""Recommended changes to a site, based on the last month of a log, and their certainty."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import PCG64, Generator

from slotwise.advice.queue_design.layout import LIMITS_KEPT
from slotwise.advice.queue_design.parameters import DAY, HOUR, Parameters
from slotwise.advice.queue_design.strategies import Decision
from slotwise.errors import TraceError
from slotwise.simulation import simulate
from slotwise.sweeps import sweep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.layout import Layout
    from slotwise.site import Site
    from slotwise.trace import Trace

    Floats = NDArray[np.float64]

MONTH = 30 * DAY
RESAMPLES = 2000
SURE = 0.95
"""A change is advised if waits fall in at least this share of the resamples."""
STEPS = ("proportional", "nlp", "reconfigure", "hybrid", "search")
"""Strategies, in the order in which they are tried. The selected strategy is the last one tried."""
WHAT_IT_DOES = {
    "proportional": "partitions in proportion to the work of their queues",
    "nlp": "sizes of partitions from a nonlinear program",
    "reconfigure": "queues split and merged",
    "hybrid": "a common pool",
    "search": "a direct search",
}
USER_CLASSES = ("heavy users", "middling users", "light users")
"""Classes of users, largest first, with half, two fifths and a tenth of the CPU time."""


@dataclass(frozen=True)
class Change:
    """Change in the mean wait of a group of jobs.

    Attributes
    ----------
    who : str
        The jobs: a queue, a class of users, or ``all jobs``.
    n_jobs : int
    now, then : float, seconds
        Mean wait under the current site and the recommended one.
    low, high : float, seconds
        90 % interval of then − now, over resampled days.
    sure : float
        Share of the resamples in which the wait falls.
    """

    who: str
    n_jobs: int
    now: float
    then: float
    low: float
    high: float
    sure: float


@dataclass(frozen=True)
class Recommendation:
    """A configuration and its effect on past months.

    Attributes
    ----------
    layout : Layout
    site : Site
    changes : tuple of Change
        Changes in the month on which the configuration is based.
    judged : tuple of Change
        Changes in the same month under a configuration based on the previous month, as a test on
        unseen data. Empty if the log has no such month.
    n_left_out : int
        Jobs in the month that the current or the recommended site cannot run; the means of
        `changes` exclude them.
    notes : tuple of str
    """

    layout: Layout
    site: Site
    changes: tuple[Change, ...]
    judged: tuple[Change, ...]
    n_left_out: int
    notes: tuple[str, ...]

    @property
    def keep(self) -> bool:
        """True (keep the site) unless the mean wait of all jobs falls in every month."""
        months = [self.changes, self.judged] if self.judged else [self.changes]
        return not all(changes[0].then < changes[0].now for changes in months)

    @property
    def verdict(self) -> str:
        """The advice in words, from the mean wait of all jobs."""
        decided = self.changes[0]
        if not decided.then < decided.now:
            return (
                "Keep the current queues: the best queues found do not reduce the mean wait of "
                "all jobs, even in the 30 days on which they are based."
            )
        if not self.judged:
            return "Unsure: the log has no other month on which to test these queues."
        judged = self.judged[0]
        if not judged.then < judged.now:
            return (
                "Keep the current queues: queues chosen in the same way a month earlier would not "
                "have reduced the mean wait of all jobs."
            )
        if judged.sure < SURE:
            return (
                "Unsure: queues chosen in the same way a month earlier would have reduced the mean "
                f"wait of all jobs, but only in {100 * judged.sure:.0f} % of "
                f"{RESAMPLES:,} months resampled from that month's days."
            )
        return (
            "Adopt the recommended queues: queues chosen in the same way a month earlier would "
            "have reduced the mean wait of all jobs, in "
            f"{100 * judged.sure:.0f} % of {RESAMPLES:,} months resampled "
            "from that month's days."
        )


def recommend(
    trace: Trace,
    current: Site,
    parameters: Parameters | None = None,
    *,
    strategy: str = "hybrid",
    seed: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Recommendation:
    """Find the best configuration that a strategy reaches for the last 30 days of a log.

    Parameters
    ----------
    trace : Trace
    current : Site
        The current site, with its queues and their limits.
    parameters : Parameters, optional
        Default: the paper's, with the chunk in proportion to the machine.
    strategy : {"hybrid", "reconfigure", "nlp", "proportional", "search"}
    seed : int
        Seed of the resampled days.
    progress : callable, optional
        Called with the share done, 0 to 1.

    Raises
    ------
    SiteError
        If the site has no queues to configure.
    TraceError
        If the log has no jobs.
    """
    if len(trace) == 0:
        raise TraceError("the log has no jobs; use a log of at least one month", path=trace.source)
    chosen = parameters or Parameters.for_machine(current.machine_for(trace).count)
    end = int(trace.submit[-1]) + 1
    month, before = (_between(trace, end - k * MONTH, end - (k - 1) * MONTH) for k in (1, 2))
    is_tested = int(trace.submit[0]) <= end - 2 * MONTH + 5 * DAY and len(before) > 0
    tell = _in_parts(progress, 2 if is_tested else 1)
    decision = Decision.of(current, month, chosen, begin=end - MONTH, end=end)
    layout, why = best_of_steps(decision, strategy, next(tell))
    site = layout.site()
    notes = [*decision.notes, *why]
    covered = (end - max(int(trace.submit[0]), end - MONTH)) / DAY
    if covered < 25:
        notes.append(
            f"the log covers only {covered:.1f} days, not 30; the decision uses all of them"
        )
    if layout.hybrid and not layout.common:
        notes.append(_why_no_pool(layout, chosen.chunk))
    if decision.history.n_left_out:
        left = decision.history.n_left_out
        notes.append(f"jobs in the month that fit no queue of the current site: {left}")
    dice = Generator(PCG64(seed))
    comparable, rules = without_rules_it_lacks(current, site)
    if rules:
        notes.append(
            f"the recommended site lacks these rules of the current one: {', '.join(rules)}; the "
            "comparison leaves them out for both sites. Add them to the recommended site, and "
            "replay it before you adopt the queues"
        )
    changes, left_out = compare(month, comparable, site, dice)
    if left_out:
        notes.append(
            f"{left_out} jobs in the month cannot run under at least one of the two sites; the "
            "means exclude them"
        )
    judged: tuple[Change, ...] = ()
    if is_tested:
        earlier = Decision.of(current, before, chosen, begin=end - 2 * MONTH, end=end - MONTH)
        then, _ = best_of_steps(earlier, strategy, next(tell))
        judged, _ = compare(month, comparable, then.site(), dice)
    return Recommendation(layout, site, changes, judged, left_out, tuple(notes))


def without_rules_it_lacks(current: Site, site: Site) -> tuple[Site, list[str]]:
    """Return the current site without the rules that `site` lacks, and the names of these rules.

    The comparison then covers queues and pools only.
    """
    said = [
        field.name
        for field in fields(current)
        if field.name not in ("machine", "policy", "pools", "queues")
        and getattr(current, field.name) != getattr(site, field.name)
    ]
    plain = {name: getattr(site, name) for name in said}
    lost = [
        name
        for name in (*LIMITS_KEPT, "starvation", "hours")
        if any(name in queue.to_dict() for queue in current.queues)
        and all(name not in queue.to_dict() for queue in site.queues)
    ]
    nothing = {name: () if name == "hours" else None for name in lost}
    queues = [queue.replace(**nothing) for queue in current.queues]
    said += [f"{name} of queues" for name in lost]
    return current.replace(queues=queues, **plain), said


def best_of_steps(
    decision: Decision, strategy: str, tell: Callable[[float], object]
) -> tuple[Layout, list[str]]:
    """Return the layout with the shortest mean wait among a strategy's steps, and explanations.

    A single partition never gets a common pool, because no other partition could use it.
    """
    steps = STEPS[: STEPS.index(strategy) + 1]
    found: dict[str, Layout] = {}
    why = []
    for k, step in enumerate(steps, 1):
        layout = decision.layout(step)
        if len(layout.partitions) == 1 and layout.hybrid and layout.common:
            why = ["no common pool: only one partition is left, so no other could use the pool"]
        else:
            found[step] = layout
        tell(k / len(steps))
    waits = {step: _waits(decision, layout) for step, layout in found.items()}
    best = min(reversed(found), key=waits.__getitem__)
    if waits[best] < waits[last := list(found)[-1]]:
        why.append(
            f"the site is the result of step {best} ({WHAT_IT_DOES[best]}), with a mean wait "
            f"of {waits[best][1] / HOUR:.2f} h over all jobs; the later step {last} "
            f"({WHAT_IT_DOES[last]}) would result in {waits[last][1] / HOUR:.2f} h"
        )
    return found[best], why


def _waits(decision: Decision, layout: Layout) -> tuple[int, float]:
    """Return the number of history jobs that a layout rejects, and the mean wait of the others."""
    metrics = simulate(decision.history.trace, layout.site()).metrics()
    return int(metrics["n_rejected"]), float(metrics["mean_wait"])


def _in_parts(
    progress: Callable[[float], object] | None, count: int
) -> Iterator[Callable[[float], object]]:
    """Yield a progress callback for each of `count` equal parts of the whole."""
    for number in range(count):

        def tell(part: float, number: int = number) -> None:
            if progress is not None:
                progress((number + part) / count)

        yield tell


def _why_no_pool(layout: Layout, chunk: int) -> str:
    spanning = layout.base.largest_spanning
    if spanning and spanning > layout.base.machine - chunk:
        return (
            f"no common pool: jobs of up to {spanning} processors may span all partitions, so the "
            f"partitions must have {spanning} processors in total"
        )
    return (
        f"no common pool: with {chunk} fewer processors, every partition would be too small for "
        "its largest job, or the waits in its queue would grow too much"
    )


def compare(
    month: Trace, current: Site, then: Site, dice: Generator, *, executor: Any = None
) -> tuple[tuple[Change, ...], int]:
    """Compare the waits in a month under two sites: for all jobs, by queue and by class of users.

    Parameters
    ----------
    executor : Executor, optional
        Executor for the replays, as in `slotwise.sweep`.

    Returns
    -------
    tuple of Change
    int
        Jobs that at least one of the sites rejects; no mean includes them.
    """
    if executor is None:
        old, new = simulate(month, current), simulate(month, then)
    else:
        old, new = sweep(month, [current, then], executor=executor, keep_results=True).results
    ran = (old.start >= 0) & (new.start >= 0)
    day = (month.submit - int(month.submit[0])) // DAY
    groups: list[tuple[str, NDArray[np.bool_]]] = [("all jobs", ran)]
    groups += [(f"queue {name}", ran & (old.queue == k)) for k, name in enumerate(old.queue_names)]
    groups += [
        (name, ran & (classes == k))
        for classes in [user_classes(month)]
        for k, name in enumerate(USER_CLASSES)
    ]
    changes = tuple(
        _change(who, old.wait[who_is], new.wait[who_is], day[who_is], dice)
        for who, who_is in groups
        if who_is.any()
    )
    return changes, int((~ran).sum())


def user_classes(trace: Trace) -> NDArray[np.int64]:
    """Return each job's class of user, as a position in `USER_CLASSES`; -1 for unknown users.

    Users are ranked by CPU time, largest first. The first class accounts for half of all CPU time,
    the second for the next two fifths, and the third for the rest.
    """
    known = trace.user >= 0
    users, code = np.unique(trace.user, return_inverse=True)
    work = np.bincount(code, weights=(trace.processors * trace.run_time).astype(float))
    order = np.argsort(-work, kind="stable")
    total = max(float(work.sum()), 1.0)
    before = np.concatenate([[0.0], np.cumsum(work[order])[:-1]]) / total
    rank = np.empty(len(users), dtype=np.int64)
    rank[order] = np.searchsorted([0.5, 0.9], before, side="right")
    return np.where(known, rank[code], -1)


def _change(
    who: str, old: NDArray[Any], new: NDArray[Any], day: NDArray[np.int64], dice: Generator
) -> Change:
    low, high, sure = bootstrap(old, new, day, dice)
    return Change(who, len(old), float(old.mean()), float(new.mean()), low, high, sure)


def bootstrap(
    old: NDArray[Any], new: NDArray[Any], day: NDArray[np.int64], dice: Generator
) -> tuple[float, float, float]:
    """Return the 90 % interval of the change in mean wait, and the share of resamples with a fall.

    Whole days are sampled with replacement, because the jobs of a day affect each other's waits.
    """
    days, code = np.unique(day, return_inverse=True)
    count = np.bincount(code).astype(float)
    change = np.bincount(code, weights=(new - old).astype(float))
    drawn = dice.integers(0, len(days), (RESAMPLES, len(days)))
    means = change[drawn].sum(axis=1) / count[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.05, 0.95])
    return float(low), float(high), float((means < 0).mean())


def _between(trace: Trace, begin: int, end: int) -> Trace:
    low, high = np.searchsorted(trace.submit, [begin, end])
    return trace[int(low) : int(high)]
