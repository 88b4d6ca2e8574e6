"""``compare --fail-if``: bounds on how far a column may differ from the first."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slotwise.replay.metric_format import format_of
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORM = re.compile(r"\s*([a-z0-9_]+)\s*:\s*([+-])([0-9]+(?:\.[0-9]+)?)\s*(%?)\s*")


@dataclass(frozen=True)
class Bound:
    """One bound: `metric` may rise (sign 1) or fall (sign -1) by at most `amount`."""

    text: str
    metric: str
    sign: int
    amount: float
    relative: bool

    @classmethod
    def parse(cls, written: str) -> Bound:
        """Read ``mean_wait:+5%`` or ``max_wait:+3600``.

        Raises
        ------
        UsageError
            For any other form.
        """
        found = _FORM.fullmatch(written)
        if not found:
            raise UsageError(
                f"--fail-if {written} must be METRIC:+BOUND or METRIC:-BOUND, in percent or in "
                "the metric's unit; write, for example, mean_wait:+5%"
            )
        amount = float(found[3]) / (100 if found[4] else 1)
        return cls(written.strip(), found[1], 1 if found[2] == "+" else -1, amount, bool(found[4]))

    def check_known(self, names: Iterable[str]) -> None:
        """Refuse a metric that no replay has."""
        known = list(names)
        if self.metric not in known:
            near = difflib.get_close_matches(self.metric, known, n=1)
            hint = f"did you mean '{near[0]}'? " if near else ""
            raise UsageError(
                f"--fail-if {self.text}: unknown metric '{self.metric}'; {hint}known names are: "
                f"{', '.join(known)}"
            )

    def broken(self, first: float, other: float) -> bool:
        """Return True if `other` is beyond the bound, or if it is NaN because no job started."""
        if math.isnan(first):
            return False
        if math.isnan(other):
            return True
        allowed = abs(first) * self.amount if self.relative else self.amount
        # A difference that equals the bound in decimal may slightly exceed it in binary.
        return self.sign * (other - first) > allowed * (1 + 1e-12)

    def sentence(self, name: str, first: float, other: float) -> str:
        """Describe how far a column exceeds the bound."""
        write = format_of(self.metric).write
        change = f" ({100 * (other - first) / abs(first):+.1f} %)" if first else ""
        return (
            f"{name}: {self.metric} {write(other)} against {write(first)}{change} "
            f"breaks {self.text}"
        )
