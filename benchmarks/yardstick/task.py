"""A task to measure, with a target and, until the target is met, a looser bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

AT_LEAST = ("speed_up",)  # Figures for which more is better.
TIMES = ("speed_up", "ratio")  # Figures without a unit.


@dataclass(frozen=True)
class Task:
    """A function to measure, and the target and bound for one of the figures that it returns."""

    work: Callable[..., dict[str, Any]]
    figure: str
    target: float
    held: float | None = None  # A looser bound, until the target is met.
    is_long: bool = False  # The task takes more than half a minute.

    @property
    def bound(self) -> float:
        return self.target if self.held is None else self.held

    def text(self, bound: float) -> str:
        return f"{bound:g} x" if self.figure in TIMES else f"{bound:g} s"

    def verdict(self, figures: dict[str, Any], load: float) -> str:
        """Return the verdict of judged(); fail becomes busy if other programs were running."""
        value = figures[self.figure]
        if self.figure in AT_LEAST:
            found = judged(-value, -self.target, -self.bound)
        else:
            found = judged(value, self.target, self.bound)
        return "busy" if found == "fail" and load > 1 else found


def judged(value: float, target: float, held: float) -> str:
    """Return one word: pass (target met), held (target missed, bound met) or fail."""
    if value <= target:
        return "pass"
    return "held" if value <= held else "fail"
