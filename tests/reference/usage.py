"""The decayed usage of each user, computed event by event with Slotwise's recurrence."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal, localcontext
from functools import cache

LN2 = 0.6931471805599453


@cache
def exp2(x: float) -> float:
    """Return 2 to the power x, computed with fifty digits and rounded once."""
    with localcontext() as context:
        context.prec = 50
        return float(Decimal(2) ** Decimal(x))


class Usage:
    """Starts and ends of each user's jobs, and the resulting decayed usage."""

    def __init__(self) -> None:
        self.changes: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))

    def note(self, user: int, time: int, processors: int) -> None:
        """Record a change in the number of processors that a user has in use."""
        self.changes[user][time] += processors

    def at(self, user: int, now: int, half_life: float) -> float:
        """Return the decayed processor-seconds of a user."""
        usage, in_use, since = 0.0, 0, None
        for time, change in [*sorted(self.changes[user].items()), (now, 0)]:
            if since is not None:
                left = exp2(-(time - since) / half_life)
                usage = usage * left + in_use * (half_life / LN2) * (1.0 - left)
            in_use += change
            since = time
        return usage
