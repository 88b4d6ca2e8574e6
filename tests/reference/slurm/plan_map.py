"""The map of plans in one backfill cycle: the nodes without a plan in each span."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Span:
    """Nodes that no plan names in [begin, end); plans without named nodes use `kept` of them."""

    begin: int
    end: int
    free: int
    kept: int = 0


class PlanMap:
    """Consecutive spans without gaps; the first one begins when the cycle begins."""

    def __init__(self, begin: int, end: int, nodes: int) -> None:
        self.spans = [Span(begin, end, nodes)]
        self.made = 1
        self.begins_at_once = False

    def free(self, start: int, end: int, *, touching: bool) -> int:
        """Return the nodes that no plan names between `start` and `end`."""
        found = -1
        for span in self._within(start, end, touching=touching):
            found &= span.free
        return found

    def kept(self, start: int, end: int, *, touching: bool) -> int:
        """Return the peak number of nodes used by plans without named nodes in a period."""
        within = self._within(start, end, touching=touching)
        return max((span.kept for span in within), default=0)

    def _within(self, start: int, end: int, *, touching: bool) -> list[Span]:
        found = []
        for span in self.spans:
            if span.begin > end or (span.begin == end and not touching):
                break
            if span.end > start:
                found.append(span)
        return found

    def next_try(self, start: int, end: int, usable: int) -> int | None:
        """Return the end of the first span after which further usable nodes become free.

        Only spans from `start` to `end` are examined.
        """
        together = usable
        for span, following in zip(self.spans, self.spans[1:], strict=False):
            if span.end <= start:
                continue
            together &= span.free
            more_nodes = following.free & usable & ~together
            if more_nodes or following.kept < span.kept:
                return span.end
            if span.begin > end:
                return None
        return None

    def conflicts(self, begin: int, end: int, nodes: int) -> bool:
        """Return true if, between `begin` and `end`, a plan uses one of the nodes."""
        return any(
            nodes & ~span.free for span in self.spans if span.end > begin and span.begin < end
        )

    def add(self, begin: int, end: int, nodes: int, kept: int, *, merges: bool = True) -> None:
        """Add a plan for named `nodes`, or for `kept` unnamed nodes; `made` counts new spans."""
        begin = max(begin, self.spans[0].begin)
        if begin == self.spans[0].begin and not self.begins_at_once:
            self.begins_at_once = True
            self.made += 1
        self._split(begin)
        self._split(end)
        for span in self.spans:
            if span.begin >= begin and span.end <= end:
                span.free &= ~nodes
                span.kept += kept
        if merges:
            self._merge_one(begin, end)

    def _merge_one(self, begin: int, end: int) -> None:
        """Merge only the first two equal neighbours next to a new plan, as Slurm does.

        Separate spans matter: `next_try` does not look beyond the span in which a job ends.
        """
        before = [place for place, span in enumerate(self.spans) if span.end < begin]
        for place in range(before[-1] if before else 0, len(self.spans) - 1):
            span, following = self.spans[place], self.spans[place + 1]
            if span.begin >= end:
                return
            if (span.free, span.kept) == (following.free, following.kept):
                span.end = following.end
                del self.spans[place + 1]
                return

    def _split(self, instant: int) -> None:
        for place, span in enumerate(self.spans):
            if span.begin < instant < span.end:
                later = Span(instant, span.end, span.free, span.kept)
                span.end = instant
                self.spans.insert(place + 1, later)
                self.made += 1
                return
