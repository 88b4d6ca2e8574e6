"""Solvers of the `window` backfill, written as slow, plain code from their description."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WAITS = -1


@dataclass
class DepthFirst:
    """Branch and bound: each job is tried in every slot, in order, and then left out.

    A branch is followed only as long as it may exceed the best result so far. The bound is the
    demand of the remaining jobs or the remaining space, whichever is smaller. The first of
    several equally good results is returned.
    """

    sizes: Sequence[int]
    room: list[int]
    choice: list[int] = field(default_factory=list)
    best: int = -1
    found: list[int] = field(default_factory=list)
    candidates: list[list[int]] = field(default_factory=list)  # every leaf that the search reached

    def run(self, filled: int = 0) -> list[int]:
        job = len(self.choice)
        if filled + min(sum(self.sizes[job:]), sum(self.room)) <= self.best:
            return self.found
        if job == len(self.sizes):
            self.candidates.append(list(self.choice))
            self.best, self.found = filled, list(self.choice)
            return self.found
        for slot in range(len(self.room)):
            if self.sizes[job] <= self.room[slot]:
                self.room[slot] -= self.sizes[job]
                self._go_on(slot, filled + self.sizes[job])
                self.room[slot] += self.sizes[job]
        self._go_on(WAITS, filled)
        return self.found

    def _go_on(self, slot: int, filled: int) -> None:
        self.choice.append(slot)
        self.run(filled)
        self.choice.pop()


def branch_and_bound(sizes: Sequence[int], capacities: Sequence[int]) -> list[int]:
    return DepthFirst(sizes, list(capacities)).run()


@dataclass
class Greedy:
    """The greedy solver, in three steps; `totals` counts the nodes filled after each step."""

    sizes: Sequence[int]
    room: list[int]
    slot_of: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)

    def run(self) -> list[int]:
        self.slot_of = [WAITS] * len(self.sizes)
        for step in (self._fill, self._exchange, self._replace):
            step()
            placed = [job for job, slot in enumerate(self.slot_of) if slot != WAITS]
            self.totals.append(sum(self.sizes[job] for job in placed))
        return self.slot_of

    def _move(self, job: int, slot: int) -> None:
        if self.slot_of[job] != WAITS:
            self.room[self.slot_of[job]] += self.sizes[job]
        if slot != WAITS:
            self.room[slot] -= self.sizes[job]
        self.slot_of[job] = slot

    def _waiting(self) -> list[int]:
        return [job for job, slot in enumerate(self.slot_of) if slot == WAITS]

    def _fill(self) -> None:
        for slot in range(len(self.room)):
            for job in self._waiting():
                if self.sizes[job] <= self.room[slot]:
                    self._move(job, slot)

    def _exchange(self) -> None:
        n = len(self.sizes)
        for one, other in ((j, k) for j in range(n) for k in range(j + 1, n)):
            here, there = self.slot_of[one], self.slot_of[other]
            if here == there or WAITS in (here, there):
                continue
            one_is_larger = self.sizes[one] > self.sizes[other]
            grows = here if one_is_larger else there
            waiting = self._waiting()
            self._move(one, WAITS)
            self._move(other, WAITS)
            fits = self.sizes[one] <= self.room[there] and self.sizes[other] <= self.room[here]
            if fits:
                self._move(one, there)
                self._move(other, here)
            let_in = [job for job in waiting if self.sizes[job] <= self.room[grows]]
            if fits and let_in and self.sizes[one] != self.sizes[other]:
                self._move(let_in[0], grows)
            else:
                self._move(one, WAITS)
                self._move(other, WAITS)
                self._move(one, here)
                self._move(other, there)

    def _replace(self) -> None:
        for job in range(len(self.sizes)):
            slot = self.slot_of[job]
            if slot == WAITS:
                continue
            left = self.room[slot] + self.sizes[job]
            instead = []
            for other in self._waiting():
                if self.sizes[other] <= left:
                    instead.append(other)
                    left -= self.sizes[other]
            if sum(self.sizes[other] for other in instead) > self.sizes[job]:
                self._move(job, WAITS)
                for other in instead:
                    self._move(other, slot)


def greedy(sizes: Sequence[int], capacities: Sequence[int]) -> list[int]:
    return Greedy(sizes, list(capacities)).run()


SOLVERS = {"branch-and-bound": branch_and_bound, "greedy": greedy}


def largest(capacities: Sequence[int], n: int) -> list[int]:
    """Return the indices of the n largest values, in their original order; ties go to the first."""
    by_size = sorted(range(len(capacities)), key=lambda slot: (-capacities[slot], slot))
    return sorted(by_size[:n])
