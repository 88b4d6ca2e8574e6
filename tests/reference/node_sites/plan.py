"""Nodes over time: the stays of jobs, the reservations, and the places where a job fits.

A stay takes amounts on particular nodes. A `Number` reserves some whole nodes or cores of a class,
but does not specify which. Example: two nodes of 4 cores, a stay of 2 cores on the first until 10,
and one whole node reserved from 5 to 9. A job on 2 cores for 20 s goes to the first node. On the
second it would leave no whole node at 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference.torus import choose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from reference.node_sites.values import Amounts, NodeJob, NodeSite, Places

WHOLE, CORES = "whole nodes", "cores"


@dataclass
class Stay:
    """Nodes in use for some time; `each`, the amounts per unit, is None if whole nodes are used.

    If `sole`, only jobs of `user` share the nodes.
    """

    begin: int
    end: int
    places: Places
    each: Amounts | None
    user: int | None = None  # None if no job uses the nodes
    sole: bool = False


@dataclass
class Number:
    """A number of whole nodes, or of cores, reserved in a set of nodes."""

    begin: int
    end: int
    kind: str
    nodes: frozenset[int]
    count: int


@dataclass
class Reserved:
    """A reservation: its start and length, and the stay or the numbers that it reserves."""

    begin: int
    length: int
    stay: Stay | None = None
    numbers: list[Number] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.begin + self.length


class Plan:
    """The free resources of a site from `now` onwards."""

    def __init__(self, site: NodeSite, now: int) -> None:
        self.site = site
        self.now = now
        self.capacity = [kind.amounts for kind in site.type_of]
        self.stays: list[Stay] = []
        self.numbers: list[Number] = []
        self.busy_now: Callable[[], frozenset[int]] = frozenset

    def add(self, reserved: Reserved) -> None:
        if reserved.stay is not None:
            self.stays.append(reserved.stay)
        self.numbers += reserved.numbers

    # Free resources at one instant.

    def stays_on(self, node: int, time: int, more: Iterable[Stay] = ()) -> list[Stay]:
        return [
            stay
            for stay in [*self.stays, *more]
            if stay.begin <= time < stay.end and stay.places.get(node, 0) > 0
        ]

    def free(self, node: int, time: int, more: Iterable[Stay] = ()) -> list[int]:
        left = list(self.capacity[node])
        for stay in self.stays_on(node, time, more):
            taken = self.capacity[node] if stay.each is None else stay.each
            units = 1 if stay.each is None else stay.places[node]
            left = [have - units * amount for have, amount in zip(left, taken, strict=True)]
        return left

    def instants(self, begin: int, end: int) -> list[int]:
        """Return the beginning of a window, and the instants in it at which something changes."""
        edges = {edge for stay in self.stays for edge in (stay.begin, stay.end)}
        edges |= {edge for number in self.numbers for edge in (number.begin, number.end)}
        return [begin, *sorted(edge for edge in edges if begin < edge < end)]

    # Places for a job.

    def room(self, job: NodeJob, node: int, begin: int, end: int) -> int:
        """Count a job's units that fit on a node for a whole window, ignoring every `Number`."""
        most = job.units
        if job.takes_whole_nodes:
            most = 1
        elif job.per_node:
            most = min(most, job.per_node)
        for time in self.instants(begin, end):
            there = self.stays_on(node, time)
            if job.takes_whole_nodes and there:
                return 0
            if any(not _may_share(job, stay) for stay in there):
                return 0
            left = self.free(node, time)
            for have, asked in zip(left, job.each, strict=True):
                if asked > 0:
                    most = min(most, max(0, have) // asked)
        return most

    def keeps_numbers(self, stay: Stay) -> bool:
        """Return whether a stay leaves room for every `Number` on its nodes."""
        nodes = {node for node, units in stay.places.items() if units}
        concerned = [n for n in self.numbers if n.nodes & nodes]
        for time in self.instants(stay.begin, stay.end):
            held = [n for n in concerned if n.begin <= time < n.end]
            for nodes_of_class in {n.nodes for n in held}:
                now_held = [n for n in held if n.nodes == nodes_of_class]
                whole = sum(n.count for n in now_held if n.kind == WHOLE)
                cores = sum(n.count for n in now_held if n.kind == CORES)
                if not self._has(nodes_of_class, whole, cores, time, stay):
                    return False
        return True

    def _has(self, nodes: frozenset[int], whole: int, cores: int, time: int, stay: Stay) -> bool:
        """Return whether a class has enough whole nodes, and enough cores on other nodes."""
        untouched = [node for node in nodes if not self.stays_on(node, time, [stay])]
        free = sum(max(0, self.free(node, time, [stay])[0]) for node in nodes)
        each = self.capacity[min(nodes)][0]
        return len(untouched) >= whole and free - whole * each >= cores

    def place(
        self,
        job: NodeJob,
        nodes: frozenset[int],
        begin: int,
        length: int,
        *,
        busy: bool = False,
        promised: Sequence[Number] = (),
    ) -> Places | None:
        """Return the nodes that the placement rule chooses; None if the job does not fit.

        `busy`: prefer nodes on which a job runs now, as for a reservation of particular nodes.
        `promised`: the number of units that a promise has reserved in each class.
        """
        end = begin + length
        busy_nodes = self.busy_now()
        rooms = {node: self.room(job, node, begin, end) for node in nodes}
        if self.site.allocation:
            free = [node for node in nodes if rooms[node] > 0]
            chosen = choose(self.site.allocation, free, job.units)
            return None if chosen is None else dict.fromkeys(chosen, 1)
        ranked = sorted(
            (node for node in nodes if rooms[node] > 0),
            key=lambda node: (
                busy and node not in busy_nodes,
                self.rank(job, node, rooms[node], begin),
            ),
        )
        if job.nodes:
            return self._on_so_many(job, ranked, rooms, begin, end)
        places: Places = {}
        for node in ranked:
            left = job.units - sum(places.values())
            for number in (n for n in promised if node in n.nodes):
                left = number.count - sum(u for n, u in places.items() if n in number.nodes)
            if left > 0:
                self._fill(job, places, node, min(rooms[node], left), begin, end)
        return places if sum(places.values()) == job.units else None

    def _on_so_many(
        self, job: NodeJob, ranked: list[int], rooms: Places, begin: int, end: int
    ) -> Places | None:
        """Fill exactly `job.nodes` nodes, in order; keep at least one unit for each later node."""
        places: Places = {}
        for at, node in enumerate(ranked):
            to_come = job.nodes - len(places) - 1
            if to_come < 0:
                break
            left = job.units - sum(places.values())
            # The later nodes must have room for the remaining units of the job.
            best = sorted((rooms[other] for other in ranked[at + 1 :]), reverse=True)[:to_come]
            here = min(rooms[node], left - to_come)
            if here + sum(best) < left or len(best) < to_come:
                continue
            self._fill(job, places, node, here, begin, end)
        enough = sum(places.values()) == job.units and len(places) == job.nodes
        return places if enough else None

    def _fill(
        self, job: NodeJob, places: Places, node: int, most: int, begin: int, end: int
    ) -> None:
        """Put as many units on a node as every `Number` allows."""
        for here in range(most, 0, -1):
            stay = stay_of(job, {**places, node: here}, begin, end)
            if self.keeps_numbers(stay):
                places[node] = here
                return

    def rank(self, job: NodeJob, node: int, units: int, begin: int) -> tuple[float, ...]:
        if self.site.placement == "first-fit":
            return (node,)
        if self.site.placement == "best-fit":
            asked = self.capacity[node] if job.takes_whole_nodes else job.each
            left = 0.0
            free = self.free(node, begin)
            for have, amount, whole in zip(free, asked, self.capacity[node], strict=True):
                if whole > 0:
                    left += (have - units * amount) / whole
            return (left, node)
        waste = size = 0.0
        for r, whole in enumerate(self.capacity[node]):
            having = sum(1 for other in self.capacity if other[r] > 0)
            if whole > 0 and job.each[r] == 0:
                waste += len(self.capacity) / having
            if having:
                size += whole / max(other[r] for other in self.capacity)
        return (waste, size, node)

    # Searches over time.

    def times(self, since: int) -> list[int]:
        ends = {stay.end for stay in self.stays} | {number.end for number in self.numbers}
        return [since, *sorted(end for end in ends if end > since)]

    def reserve(
        self, job: NodeJob, nodes: frozenset[int], length: int, times: Iterable[int]
    ) -> Reserved:
        """Make a reservation at the first of the given times at which the job fits."""
        numbers = self.site.reserve == "numbers" and not self.site.allocation
        by_number = numbers and self.is_counted(job, nodes)
        by_place = numbers and not by_number
        for time in times:
            places = self.place(job, nodes, time, length, busy=by_place)
            if places is None:
                continue
            if not by_number:
                return Reserved(time, length, stay_of(job, places, time, time + length))
            numbers = self.numbers_of(job, nodes, places, time, length)
            return Reserved(time, length, None, numbers)
        raise AssertionError("no machine ever holds this job")

    def is_counted(self, job: NodeJob, nodes: frozenset[int]) -> bool:
        """Return whether the job reserves a number of nodes or cores, not particular nodes."""
        one_core = job.each[0] == 1 and not any(job.each[1:])
        bound = job.per_node or job.nodes or job.exclusive == "user"
        # If some jobs share nodes only with jobs of their user, free cores can be counted
        # only on one-core nodes.
        tells = not self.site.tells_users or all(self.capacity[node][0] == 1 for node in nodes)
        return self.fills_nodes(job, nodes) or (one_core and not bound and tells)

    def fills_nodes(self, job: NodeJob, nodes: frozenset[int]) -> bool:
        """Return whether each unit takes a whole node, by a rule or because it needs all cores."""
        if job.takes_whole_nodes:
            return True
        able = [
            self.capacity[node]
            for node in nodes
            if all(asked <= has for asked, has in zip(job.each, self.capacity[node], strict=True))
        ]
        return job.exclusive == "no" and all(job.each[0] == has[0] for has in able)

    def numbers_of(
        self, job: NodeJob, nodes: frozenset[int], places: Places, begin: int, length: int
    ) -> list[Number]:
        by_class: dict[object, int] = {}
        for node, units in places.items():
            kind = self.site.class_of(node)
            by_class[kind] = by_class.get(kind, 0) + units
        all_nodes = range(self.site.n_nodes)
        return [
            Number(
                begin,
                begin + length,
                WHOLE if self.fills_nodes(job, nodes) else CORES,
                frozenset(n for n in all_nodes if self.site.class_of(n) == kind),
                count,
            )
            for kind, count in by_class.items()
        ]

    def holds(self, reserved: Reserved, job: NodeJob) -> bool:
        """Return whether an earlier reservation still fits."""
        if reserved.stay is not None:
            return all(
                self.room(job, node, reserved.begin, reserved.end) >= units
                for node, units in reserved.stay.places.items()
            ) and self.keeps_numbers(reserved.stay)
        with_it = Plan(self.site, self.now)
        with_it.stays, with_it.numbers = self.stays, [*self.numbers, *reserved.numbers]
        nothing = Stay(reserved.begin, reserved.end, {}, None)
        nodes = {node for number in reserved.numbers for node in number.nodes}
        concerned = [n for n in with_it.numbers if n.nodes & nodes]
        for time in with_it.instants(reserved.begin, reserved.end):
            held = [n for n in concerned if n.begin <= time < n.end]
            for of_class in {n.nodes for n in held}:
                whole = sum(n.count for n in held if n.nodes == of_class and n.kind == WHOLE)
                cores = sum(n.count for n in held if n.nodes == of_class and n.kind == CORES)
                if not with_it._has(of_class, whole, cores, time, nothing):
                    return False
        return True


def stay_of(job: NodeJob, places: Places, begin: int, end: int) -> Stay:
    each = None if job.takes_whole_nodes else job.each
    return Stay(begin, end, places, each, job.user, job.exclusive == "user")


def _may_share(job: NodeJob, stay: Stay) -> bool:
    """Return whether the job may share a node with a stay.

    A job that shares nodes only with its user may share with jobs of that user. If the user is
    unknown, it shares with no job.
    """
    if stay.each is None:
        return False
    if stay.sole or job.exclusive == "user":
        return job.user == stay.user != -1
    return True
