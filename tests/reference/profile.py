"""Free processors over time, as a step function."""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class Profile:
    """`free[i]` processors are free from `times[i]` to `times[i + 1]`; the last step never ends."""

    def __init__(self, now: int, processors: int) -> None:
        self.times = [now]
        self.free = [processors]

    def free_at(self, time: int) -> int:
        return self.free[bisect_right(self.times, time) - 1]

    def has_room(self, start: int, length: int, processors: int) -> bool:
        """Return whether the processors are free at every instant of [start, start + length)."""
        if length == 0:
            return True
        first = bisect_right(self.times, start) - 1
        beyond = bisect_left(self.times, start + length)
        return all(free >= processors for free in self.free[first:beyond])

    def earliest(self, length: int, processors: int) -> int:
        """Return the first step with room; processors become free only at steps."""
        return next(time for time in self.times if self.has_room(time, length, processors))

    def take(self, start: int, length: int, processors: int) -> None:
        """Occupy processors during [start, start + length)."""
        self._add(start, start + length, -processors)

    def give_back(self, start: int, length: int, processors: int) -> None:
        """Undo `take`."""
        self._add(start, start + length, processors)

    def _add(self, start: int, end: int, amount: int) -> None:
        if start >= end:
            return
        for time in (start, end):
            at = bisect_left(self.times, time)
            if at == len(self.times) or self.times[at] != time:
                self.times.insert(at, time)
                self.free.insert(at, self.free[at - 1])
        for at in range(bisect_left(self.times, start), bisect_left(self.times, end)):
            self.free[at] += amount
