"""Crashes of the whole machine, at given or random times, or of single nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from slotwise.site.faults import UNKNOWN, Check, Fault
from slotwise.site.parts import readers
from slotwise.site.parts.part import SitePart
from slotwise.site.parts.times import Instant, Length, instant_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def _of_a_law(crashes: Any) -> Iterator[Fault]:
    if crashes.law is None:
        for name, default in (("mean", None), ("shape", 1.0), ("seed", 0)):
            value = getattr(crashes, name)
            if value is not UNKNOWN and value != default:
                text = "this applies only to random crashes; set law to exponential or weibull"
                yield Fault((name,), text)


def _of_times(crashes: Any) -> Iterator[Fault]:
    if crashes.law is not None and crashes.times:
        yield Fault(
            ("times",),
            "crashes have either fixed times or a law for random times; leave out times or law",
        )
    if crashes.law is None and not crashes.times and crashes.repair not in (0, UNKNOWN):
        yield Fault(("repair",), "this has no effect without crashes; set times, or law and mean")


def _without_mean(crashes: Any) -> Iterator[Fault]:
    if crashes.law is not None and crashes.mean is None:
        yield Fault(("mean",), f"law '{crashes.law}' needs the mean time between crashes; set it")


def _each_node_without_a_law(crashes: Any) -> Iterator[Fault]:
    if crashes.per_node and crashes.law is None:
        yield Fault(
            ("per_node",),
            "this applies only to random crashes; set law to exponential or weibull",
        )


def _shape_of_the_exponential(crashes: Any) -> Iterator[Fault]:
    if crashes.law == "exponential" and crashes.shape != 1:
        yield Fault(
            ("shape",),
            "the exponential law has no shape; leave shape out, or set law to weibull",
        )


@dataclass(frozen=True, slots=True)
class Crashes(SitePart):
    """Times at which the machine, or a node, fails and its jobs are killed; default: never.

    Parameters
    ----------
    times : sequence of instants, optional
        Times of the crashes: dates, or whole seconds on the trace's clock.
    law : {"exponential", "weibull"}, optional
        Distribution of the times between random crashes, from the first submit time onwards; an
        alternative to `times`.
    mean : duration, optional
        Mean (exponential) or scale (Weibull) of the time from the end of a repair to the next
        crash.
    shape : float, default 1
        Shape of the Weibull law, above 0 and at most 10**6.
    seed : int, default 0
        Seed of the random times, from 0 to 2**64 - 1.
    repair : duration, default 0
        Time until the processors are available again.
    per_node : bool, default False
        True: the law applies to each node of a machine with node types. A crash then kills only
        the jobs on one node, and only this node is repaired.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.
    """

    times: Instant | Sequence[Instant] = ()
    law: Literal["exponential", "weibull"] | None = None
    mean: Length | None = None
    shape: float = 1.0
    seed: int = 0
    repair: Length = 0
    per_node: bool = False

    DURATIONS: ClassVar = frozenset({"mean", "repair"})
    READERS: ClassVar = {
        "times": readers.many(instant_of, "instants"),
        "law": readers.optional(readers.one_of("exponential", "weibull")),
        "mean": readers.optional(readers.lasting),
        "shape": readers.shape,
        "seed": readers.seed,
        "repair": readers.duration,
        "per_node": readers.flag,
    }
    CHECKS: ClassVar = (
        Check(frozenset({"law"}), _of_a_law),
        Check(frozenset({"law", "times"}), _of_times),
        Check(frozenset({"law", "mean"}), _without_mean),
        Check(frozenset({"law", "shape"}), _shape_of_the_exponential),
        Check(frozenset({"law", "per_node"}), _each_node_without_a_law),
    )
