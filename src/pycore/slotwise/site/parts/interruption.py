"""Rules for jobs killed by crashes, outages or maintenance windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from slotwise.site.faults import UNKNOWN, Check, Fault
from slotwise.site.parts import readers
from slotwise.site.parts.part import SitePart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site.parts.times import Length


def _not_read(interruption: Any) -> Iterator[Fault]:
    if interruption.requeue == "from-checkpoint":
        return
    for name in ("checkpoint_every", "checkpoint_at", "checkpoint_cost"):
        value = getattr(interruption, name)
        if value is not UNKNOWN and value:
            yield Fault(
                (name,),
                f"requeue '{interruption.requeue}' does not use checkpoints; leave {name} out, or "
                "set requeue to from-checkpoint",
            )


def _one_kind(interruption: Any) -> Iterator[Fault]:
    if interruption.requeue != "from-checkpoint":
        return
    if interruption.checkpoint_every and interruption.checkpoint_at:
        yield Fault(("checkpoint_at",), "this contradicts checkpoint_every; leave one of them out")
    elif not interruption.checkpoint_every and not interruption.checkpoint_at:
        yield Fault(
            ("requeue",),
            "'from-checkpoint' needs checkpoints; set checkpoint_every or checkpoint_at",
        )


@dataclass(frozen=True, slots=True)
class Interruption(SitePart):
    """Rules for jobs killed by crashes, outages or maintenance windows.

    Parameters
    ----------
    requeue : {"from-start", "from-checkpoint", "never"}, default "from-start"
        A requeued job keeps its submit time. It starts again from the beginning, or continues from
        its last checkpoint. ``"never"``: killed jobs are not requeued.
    checkpoint_every : duration, optional
        Amount of work between two checkpoints.
    checkpoint_at : duration, optional
        Work after which the only checkpoint is written.
    checkpoint_cost : duration, default 0
        Time that a checkpoint takes.
    refund : duration, default 0
        Time refunded to the user for a killed attempt, at most the attempt's elapsed time.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.
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
    CHECKS: ClassVar = (
        Check(frozenset({"requeue"}), _not_read),
        Check(frozenset({"requeue", "checkpoint_every", "checkpoint_at"}), _one_kind),
    )
