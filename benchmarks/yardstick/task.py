"""A measured piece of work with its target, and with a wider bound while the target is missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

AT_LEAST = ("speed_up",)  # figures that are better if greater
TIMES = ("speed_up", "ratio")  # figures without a unit


@dataclass(frozen=True)
class Task:
    """Work that returns figures, and the bounds of one of them."""

    work: Callable[..., dict[str, Any]]
    figure: str
    target: float
    held: float | None = None  # bound while the target is missed; None: the target
    is_long: bool = False  # takes more than half a minute

    @property
    def bound(self) -> float:
        return self.target if self.held is None else self.held

    def text(self, bound: float) -> str:
        return f"{bound:g} x" if self.figure in TIMES else f"{bound:g} s"

    def verdict(self, figures: dict[str, Any], load: float) -> str:
        """Return pass, held (no worse than so far), fail, or busy (others used the machine)."""
        value = figures[self.figure]
        if self.figure in AT_LEAST:
            found = judged(-value, -self.target, -self.bound)
        else:
            found = judged(value, self.target, self.bound)
        return "busy" if found == "fail" and load > 1 else found


def judged(value: float, target: float, held: float) -> str:
    """Return one word: pass (target met), held (missed, but no worse than so far) or fail."""
    if value <= target:
        return "pass"
    return "held" if value <= held else "fail"
