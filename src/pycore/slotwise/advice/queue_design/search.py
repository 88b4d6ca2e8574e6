"""Direct search with the simulator: sizes, number and bounds of queues, and the common pool.

The authors of the paper could not afford this search. It starts from the best configuration of the
other strategies and makes random single changes. Eight changed layouts are replayed at a time, with
their common pools; the best becomes the new starting point if it is an improvement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import PCG64, Generator

from slotwise.advice.queue_design.merge import may_merge, merged
from slotwise.advice.queue_design.split import METHODS, split_of
from slotwise.errors import SiteError
from slotwise.sweeps.rows import MetricOptions, compute_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slotwise.advice.queue_design.layout import Layout, Partition
    from slotwise.advice.queue_design.parameters import Parameters
    from slotwise.advice.queue_design.replays import Replays

    Change = Callable[[Layout, Replays, Generator], Layout | None]

AT_ONCE = 8


@dataclass(frozen=True)
class Found:
    """Result of the search.

    Attributes
    ----------
    layout : Layout
    wait : float, seconds
        Mean wait of the history's jobs under the layout.
    n_replays : int
    """

    layout: Layout
    wait: float
    n_replays: int


def waits_with_pool(layouts: Sequence[Layout], replays: Replays) -> list[float]:
    """Return the mean wait of the history's jobs under each layout and its common pool.

    The wait is infinite if a job never starts, and for invalid layouts, such as one with a queue
    that no job reaches.
    """
    sites, places = [], []
    for place, layout in enumerate(layouts):
        if sum(layout.sizes) < layout.base.largest_spanning or any(
            p.size < p.largest for p in layout.partitions
        ):
            continue
        try:
            sites.append(layout.site())
        except SiteError:
            continue
        places.append(place)
    found = [np.inf] * len(layouts)
    rows = compute_rows(replays.history.trace, sites, MetricOptions(), workers=replays.threads)
    for place, row in zip(places, rows, strict=True):
        if row.metrics["n_rejected"] == 0:
            found[place] = row.metrics["mean_wait"]
    return found


def search(starts: Sequence[Layout], replays: Replays, parameters: Parameters) -> Found:
    """Search for a layout with a shorter mean wait than every layout in `starts`.

    Parameters
    ----------
    starts : sequence of Layout
    replays : Replays
        Replays on the history.
    """
    dice = Generator(PCG64(parameters.seed))
    waits = waits_with_pool(starts, replays)
    spent = len(starts)
    best, wait = starts[int(np.argmin(waits))], float(min(waits))
    while spent + AT_ONCE <= parameters.search_replays:
        children = [c for c in (_changed(best, replays, dice) for _ in range(AT_ONCE)) if c]
        spent += AT_ONCE
        if not children:
            continue
        found = waits_with_pool(children, replays)
        k = int(np.argmin(found))
        if found[k] < wait:
            best, wait = children[k], float(found[k])
    return Found(best, wait, spent)


def _changed(layout: Layout, replays: Replays, dice: Generator) -> Layout | None:
    change = CHANGES[int(dice.integers(len(CHANGES)))]
    return change(layout, replays, dice)


def _shift(layout: Layout, _replays: Replays, dice: Generator) -> Layout | None:
    """Move processors between two partitions, or between a partition and the pool."""
    n = len(layout.partitions)
    places = n + (1 if layout.hybrid else 0)
    if places < 2:
        return None
    giver, taker = (int(k) for k in dice.choice(places, 2, replace=False))
    sizes = [*layout.sizes, layout.common]
    spare = sizes[giver] - (layout.partitions[giver].largest if giver < n else 0)
    amount = int(max(0, spare) * 2.0 ** -dice.integers(0, 7))
    if amount < 1:
        return None
    sizes[giver] -= amount
    sizes[taker] += amount
    return layout.resized(sizes[:n])


def _open_pool(layout: Layout, replays: Replays, dice: Generator) -> Layout | None:
    """Create a common pool, or change the threshold of the existing one."""
    if layout.hybrid:
        factor = (0.0, 0.25, 0.5, 2.0, 4.0)[int(dice.integers(5))]
        return replace(layout, threshold=layout.threshold * factor)
    begun = replace(layout, hybrid=True, threshold=0.5 * layout.base.threshold_priority)
    k = int(dice.integers(len(layout.partitions)))
    amount = (layout.sizes[k] - layout.partitions[k].largest) // 2
    sizes = list(layout.sizes)
    sizes[k] -= max(amount, 0)
    return begun.resized(sizes) if amount > 0 else None


def _split(layout: Layout, replays: Replays, dice: Generator) -> Layout | None:
    k = int(dice.integers(len(layout.partitions)))
    two = split_of(layout.partitions[k], METHODS[int(dice.integers(len(METHODS)))], replays)
    if two is None:
        return None
    parts = layout.partitions
    return layout.with_partitions([*parts[:k], *two, *parts[k + 1 :]])


def _merge(layout: Layout, _replays: Replays, dice: Generator) -> Layout | None:
    if len(layout.partitions) < 2:
        return None
    i, j = sorted(int(k) for k in dice.choice(len(layout.partitions), 2, replace=False))
    one, other = layout.partitions[i], layout.partitions[j]
    if not may_merge(one, replace(other, parents=frozenset())):
        return None
    kept = [merged(one, other) if p == one else p for p in layout.partitions if p != other]
    return layout.with_partitions(kept)


def _part(layout: Layout, replays: Replays, dice: Generator) -> Layout | None:
    """Give one part of a merged queue its own partition, sized roughly by its CPU hours."""
    several = [k for k, p in enumerate(layout.partitions) if len(p.parts) > 1]
    if not several:
        return None
    k = several[int(dice.integers(len(several)))]
    whole = layout.partitions[k]
    part = whole.parts[int(dice.integers(len(whole.parts)))]
    name = layout.base.queues[part.base].name
    taken = {p.name for p in layout.partitions}
    own = replace(whole, name=_free_name(name, taken), parts=(part,), parents=frozenset())
    rest_parts = tuple(p for p in whole.parts if p != part)
    rest = replace(whole, name=_free_name(f"{whole.name}-{name}", taken), parts=rest_parts)
    hours = [float((j.processors * j.run_time).sum()) for j in map(replays.jobs_of, (own, rest))]
    if sum(hours) <= 0:
        return None
    wanted = int(whole.size * hours[0] / sum(hours) * dice.uniform(0.7, 1.6))
    size = min(max(wanted, own.largest), whole.size - rest.largest)
    if size < own.largest:
        return None
    parts = layout.partitions
    made = (own.resized(size), rest.resized(whole.size - size))
    return layout.with_partitions([*parts[:k], *made, *parts[k + 1 :]])


def _free_name(name: str, taken: set[str]) -> str:
    number = 2
    wanted = name
    while wanted in taken:
        wanted, number = f"{name}~{number}", number + 1
    return wanted


def _move_bound(layout: Layout, replays: Replays, dice: Generator) -> Layout | None:
    """Move the size boundary between two queues that were split by size."""
    pairs = [
        (i, j)
        for i, one in enumerate(layout.partitions)
        for j, other in enumerate(layout.partitions)
        if _touch(one, other)
    ]
    if not pairs:
        return None
    i, j = pairs[int(dice.integers(len(pairs)))]
    one, other = layout.partitions[i], layout.partitions[j]
    sizes = np.unique(
        np.concatenate([replays.jobs_of(one).processors, replays.jobs_of(other).processors])
    )[:-1]
    if len(sizes) == 0:
        return None
    cut = int(sizes[int(dice.integers(len(sizes)))])
    parts = list(layout.partitions)
    parts[i] = replace(one, parts=(replace(one.parts[0], most=cut),))
    parts[j] = replace(other, parts=(replace(other.parts[0], fewest=cut + 1),))
    return layout.with_partitions(parts)


def _touch(one: Partition, other: Partition) -> bool:
    if len(one.parts) != 1 or len(other.parts) != 1:
        return False
    a, b = one.parts[0], other.parts[0]
    return (a.base, a.above, a.longest, a.most + 1) == (b.base, b.above, b.longest, b.fewest)


CHANGES: tuple[Change, ...] = (
    _shift, _shift, _shift, _open_pool, _split, _merge, _part, _move_bound,
)  # fmt: skip
