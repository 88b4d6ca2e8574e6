"""What becomes of jobs that a crash, an outage or a maintenance kills."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from slotwise.sites import readers
from slotwise.sites.faults import Fault
from slotwise.sites.part import SitePart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.sites.times import Length


@dataclass(frozen=True, slots=True)
class Interruption(SitePart):
    """What becomes of jobs that a crash, an outage or a maintenance kills.

    Parameters
    ----------
    requeue : {"from-start", "from-checkpoint", "never"}, default "from-start"
        Whether it waits again, with its first submit, and for how much of its work.
    checkpoint_every : duration, optional
        Work between two checkpoints.
    checkpoint_at : duration, optional
        Work after which the only checkpoint is written.
    checkpoint_cost : duration, default 0
        What each takes.
    refund : duration, default 0
        Elapsed time of an attempt that is given back to its user, at most all of it.

    Raises
    ------
    SiteError
        Naming every field at fault.
    """

    requeue: Literal["from-start", "from-checkpoint", "never"] = "from-start"
    checkpoint_every: Length | None = None
    checkpoint_at: Length | None = None
    checkpoint_cost: Length = 0
    refund: Length = 0

    DURATIONS: ClassVar = frozenset(
        {"checkpoint_every", "checkpoint_at", "checkpoint_cost", "refund"}
    )
    READERS: ClassVar = {
        "requeue": readers.one_of("from-start", "from-checkpoint", "never"),
        "checkpoint_every": readers.optional(readers.lasting),
        "checkpoint_at": readers.optional(readers.lasting),
        "checkpoint_cost": readers.duration,
        "refund": readers.duration,
    }

    def _contradictions(self) -> Iterator[Fault]:
        told = [name for name in ("checkpoint_every", "checkpoint_at") if getattr(self, name)]
        if self.requeue != "from-checkpoint":
            for name in [*told, *(["checkpoint_cost"] if self.checkpoint_cost else [])]:
                yield Fault(
                    (name,), f"requeue '{self.requeue}' reads no checkpoint; leave it out, or "
                    "choose requeue from-checkpoint",
                )  # fmt: skip
        elif len(told) == 2:
            yield Fault(("checkpoint_at",), "contradicts checkpoint_every; leave one of them out")
        elif not told:
            yield Fault(
                ("requeue",), "'from-checkpoint' needs checkpoints; give checkpoint_every, or "
                "checkpoint_at",
            )  # fmt: skip
