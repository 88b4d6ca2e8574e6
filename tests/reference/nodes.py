"""A slow, plain simulator of nodes with several resources, written independently of the core.

A stay is (begin, end, places by node, amounts per unit). The free amounts of a node over a window
are found by checking all stays at every instant at which a stay begins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

Amounts = tuple[int, ...]
Places = dict[int, int]  # units by node


@dataclass(frozen=True)
class NodeJob:
    submit: int
    run: int
    request: int
    units: int
    each: Amounts


@dataclass
class Stay:
    begin: int
    end: int
    places: Places
    each: Amounts


@dataclass
class Plan:
    """Capacities by node, and the stays of jobs over time."""

    types: list[tuple[int, Amounts]]  # number of nodes, and the amounts on each node
    stays: list[Stay] = field(default_factory=list)

    @property
    def capacity(self) -> list[Amounts]:
        return [amounts for n, amounts in self.types for _ in range(n)]

    def free(self, node: int, time: int) -> list[int]:
        left = list(self.capacity[node])
        for stay in self.stays:
            if stay.begin <= time < stay.end and node in stay.places:
                for r, amount in enumerate(stay.each):
                    left[r] -= amount * stay.places[node]
        return left

    def room(self, job: NodeJob, node: int, begin: int, end: int) -> int:
        instants = {begin} | {s.begin for s in self.stays if begin < s.begin < end}
        most = job.units
        for time in instants:
            left = self.free(node, time)
            for amount, asked in zip(left, job.each, strict=True):
                if asked > 0:
                    most = min(most, amount // asked)
        return most

    def fits(self, job: NodeJob, begin: int, length: int) -> bool:
        rooms = (self.room(job, k, begin, begin + length) for k in range(len(self.capacity)))
        return sum(rooms) >= job.units

    def earliest(self, job: NodeJob, length: int, now: int) -> int:
        for time in sorted({now} | {s.end for s in self.stays if s.end > now}):
            if self.fits(job, time, length):
                return time
        raise AssertionError("no machine ever holds this job")

    def place(self, job: NodeJob, begin: int, length: int, rule: str) -> Places:
        rooms = {k: self.room(job, k, begin, begin + length) for k in range(len(self.capacity))}
        places: Places = {}
        left = job.units
        for node in sorted(rooms, key=lambda k: self.rank(job, k, rooms[k], begin, rule)):
            here = min(rooms[node], left)
            if here > 0:
                places[node] = here
                left -= here
        assert left == 0
        return places

    def rank(self, job: NodeJob, node: int, units: int, begin: int, rule: str) -> tuple[float, ...]:
        capacity = self.capacity
        if rule == "first-fit":
            return (node,)
        if rule == "best-fit":
            free = self.free(node, begin)
            left = 0.0
            for have, asked, whole in zip(free, job.each, capacity[node], strict=True):
                if whole > 0:
                    left += (have - units * asked) / whole
            return (left, node)
        waste = size = 0.0
        for r, whole in enumerate(capacity[node]):
            having = sum(1 for other in capacity if other[r] > 0)
            if whole > 0 and job.each[r] == 0:
                waste += len(capacity) / having
            if having:
                size += whole / max(other[r] for other in capacity)
        return (waste, size, node)


def can_run(job: NodeJob, types: list[tuple[int, Amounts]]) -> bool:
    return Plan(types).fits(job, 0, 1)


def simulate(
    jobs: list[NodeJob],
    types: list[tuple[int, Amounts]],
    *,
    backfill: str,
    order: str = "fcfs",
    depth: int = 1,
    rule: str = "least-scarce",
) -> tuple[list[int], list[Places]]:
    """Replay jobs; return starts (-1: never) and places."""
    start = [-1] * len(jobs)
    places: list[Places] = [{} for _ in jobs]
    end: dict[int, int] = {}  # end of each running job
    planned: dict[int, Stay] = {}  # stays of running jobs until their estimated end
    promised: dict[int, Stay] = {}  # promised stays of waiting jobs, under `conservative`
    queue: list[int] = []
    arrivals = [i for i, job in enumerate(jobs) if can_run(job, types)]
    length = [max(job.request, 1) for job in jobs]
    key = {"fcfs": lambda i: i, "sjf": lambda i: (max(jobs[i].request, 1), i)}[order]

    def begin(i: int, stay: Stay, now: int) -> None:
        start[i], places[i] = now, stay.places
        planned[i] = stay
        end[i] = now + min(jobs[i].run, jobs[i].request)
        queue.remove(i)

    for _ in count():
        times = [*end.values(), *(jobs[i].submit for i in arrivals[:1])]
        times += [stay.begin for stay in promised.values()]
        if not times:
            break
        now = min(times)
        ended = [i for i in end if end[i] == now]
        early = any(planned[i].end > now for i in ended)
        for i in ended:
            del end[i], planned[i]
        arrived = [i for i in arrivals if jobs[i].submit == now]
        arrivals = arrivals[len(arrived) :]
        queue = sorted([*queue, *arrived], key=key)
        if backfill == "conservative":
            for i in [i for i in queue if i in promised] if early else []:
                mine = promised.pop(i)
                plan = Plan(types, [*planned.values(), *promised.values()])
                time = plan.earliest(jobs[i], length[i], now)
                if time < mine.begin:
                    mine = Stay(
                        time, time + length[i], plan.place(jobs[i], time, length[i], rule),
                        jobs[i].each,
                    )  # fmt: skip
                promised[i] = mine
            for i in [i for i in queue if i not in promised]:
                plan = Plan(types, [*planned.values(), *promised.values()])
                time = plan.earliest(jobs[i], length[i], now)
                promised[i] = Stay(
                    time, time + length[i], plan.place(jobs[i], time, length[i], rule),
                    jobs[i].each,
                )  # fmt: skip
            for i in [i for i in queue if promised[i].begin <= now]:
                begin(i, promised.pop(i), now)
            continue
        allowed = {"none": 0, "first-fit": 0, "easy": 1, "depth": depth, "replan": len(jobs)}
        left = allowed[backfill]
        plan = Plan(types, [*planned.values()])
        for i in [*queue]:
            if plan.fits(jobs[i], now, length[i]):
                where = plan.place(jobs[i], now, length[i], rule)
                plan.stays.append(Stay(now, now + length[i], where, jobs[i].each))
                begin(i, plan.stays[-1], now)
                continue
            if backfill == "none":
                break
            if left > 0:
                left -= 1
                time = plan.earliest(jobs[i], length[i], now)
                where = plan.place(jobs[i], time, length[i], rule)
                plan.stays.append(Stay(time, time + length[i], where, jobs[i].each))
    return start, places


def overfull(
    jobs: list[NodeJob],
    types: list[tuple[int, Amounts]],
    start: list[int],
    end: list[int],
    places: list[Places],
) -> list[str]:
    """List the nodes that running jobs overfill, and the jobs with too few units."""
    stays = [
        Stay(start[i], end[i], places[i], job.each) for i, job in enumerate(jobs) if start[i] >= 0
    ]
    plan = Plan(types, stays)
    found = [
        f"job {i} has {sum(places[i].values())} units of {job.units}"
        for i, job in enumerate(jobs)
        if start[i] >= 0 and sum(places[i].values()) != job.units
    ]
    for stay in stays:
        for node in stay.places:
            left = plan.free(node, stay.begin)
            if min(left) < 0:
                found.append(f"node {node} at {stay.begin}: {left}")
    return found
