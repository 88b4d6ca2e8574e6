"""One scheduling configuration, with the field names of slotwise.Policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.orders import Order

BACKFILLS = (
    "none", "first-fit", "easy", "multiple-queue", "depth", "conservative", "replan", "relaxed",
)  # fmt: skip
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True)
class Policy:
    """A policy, by default a textbook one; switches after the blank line are for the presets."""

    order: Order = "fcfs"
    backfill: str = "easy"
    depth: int = 1
    relaxation: float = 0.5
    backfill_order: Order | None = None
    estimates: str = "requested"
    passes: str = "per-instant"
    kill_at_limit: bool = True
    allocation: str = "first"

    event_order: str = "completions-first"
    waiting_estimates: str | None = None
    ending_now: str = "busy"
    spare_processors: bool = True
    strict_end: bool = False
    frozen_reservation: bool = False
    compression: str = "early-end"
    promises: str = "per-pass"

    def __post_init__(self) -> None:
        if self.backfill not in BACKFILLS:
            raise ValueError(f"unknown backfill {self.backfill!r}")
        changes_easy = self.strict_end or self.frozen_reservation or not self.spare_processors
        if changes_easy and self.backfill in ("multiple-queue", "depth", "replan", "conservative"):
            raise ValueError(f"strict, frozen and spare rules mean nothing for {self.backfill!r}")
        if self.waiting_estimates and self.backfill == "conservative":
            raise ValueError("a promise and the job that starts from it have one length")

    @property
    def period(self) -> int | None:
        """Seconds between periodic passes; None if passes follow events."""
        if self.passes in ("per-instant", "per-event"):
            return None
        return int(self.passes[:-1]) * SECONDS[self.passes[-1]]

    @property
    def belief_of_waiting(self) -> str:
        """Source of the estimated length of a job that has not started."""
        return self.waiting_estimates or self.estimates
