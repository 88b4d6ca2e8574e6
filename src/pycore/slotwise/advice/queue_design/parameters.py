"""Parameters of the method: the paper's Table III, and parameters that the paper does not state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

HOUR = 3600
DAY = 24 * HOUR
PAPER_CHUNKS = 35_232 // 5
"""Number of chunks of 5 processors in the paper's machine."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of every strategy. The first nine are the paper's; the others are additions.

    Attributes
    ----------
    epochs, epoch_days : int
        Number and length of the epochs of phase 1, counted back from the end of the month.
    weights : tuple of float
        Weights of the epochs, oldest first.
    samples : int
        Number of partition vectors replayed to fit the surrogate.
    degree : int
        Maximum degree of the polynomials; lower if the samples cannot determine the coefficients.
    utilisation_share : float
        τ_util: a queue's lower bound is the largest size at which its utilisation is still this
        share of its maximum.
    chunk : int, processors
        Processors carved off a partition at a time.
    degradation : float
        degPercent: growth of mean waits that carving may cause, 0.3 for 30 %.
    threshold_share : float
        Ratio of the common pool's threshold to the highest priority of a queue with a partition.
    band : float
        Equation 6, interpreted as: P_i/P_j is within this factor of C_i/C_j in both directions.
    slack : float
        How far infeasible lower bounds are lowered. At 1, they are lowered no further than
        necessary; at 0, to the sizes of the largest jobs.
    adjacency : int, processors
        Number added to the upper bound when sizes of two queues are tested for adjacency; 0 in the
        paper.
    starts : int
        Number of starting points of the nonlinear solver.
    seed : int
        Seed of the sampled vectors and of the direct search.
    priorities : tuple of float, optional
        Priorities of the base's queues, in their order. Default: the base's own.
    running : mapping of str to int
        Running jobs allowed per queue in the strategy without partitions.
    classes : tuple of int, seconds
        Boundaries between classes of requested time in multiple-queue backfilling; n partitions use
        the longest n - 1.
    partitions : int
        Fixed number of partitions of multiple-queue backfilling, and P_max of the self-adapting
        variant.
    slowdown : float
        τ of the self-adapting variant: mean bounded slowdown above which it tries other numbers of
        partitions.
    search_replays : int
        Maximum number of replays in the direct search, which also never uses more replays than the
        other strategies did.
    """

    epochs: int = 3
    epoch_days: int = 10
    weights: tuple[float, ...] = (1 / 3, 2 / 3, 1.0)
    samples: int = 100
    degree: int = 3
    utilisation_share: float = 0.9
    chunk: int = 5
    degradation: float = 0.3
    threshold_share: float = 0.5
    band: float = 2.0
    slack: float = 0.5
    adjacency: int = 1
    starts: int = 16
    seed: int = 0
    priorities: tuple[float, ...] | None = None
    running: Mapping[str, int] = field(
        default_factory=lambda: {
            "idqueue": 20, "small": 24, "small72": 14, "medium": 5, "large": 1,
        }
    )  # fmt: skip
    classes: tuple[int, ...] = (1_000, 10_000, 100_000)
    partitions: int = 4
    slowdown: float = 50.0
    search_replays: int = 600

    def __post_init__(self) -> None:
        if len(self.weights) != self.epochs:
            raise ValueError(
                f"{len(self.weights)} weights for {self.epochs} epochs; pass one per epoch"
            )
        for name, low, high in (
            ("epochs", 1, 100), ("epoch_days", 1, 3650), ("samples", 2, 100_000), ("degree", 1, 3),
            ("chunk", 1, 10**9), ("starts", 1, 10_000), ("partitions", 1, len(self.classes) + 1),
            ("search_replays", 0, 10**9),
        ):  # fmt: skip
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name} is {value!r}; use a number from {low} to {high}")
        for name, low_, high_ in (
            ("utilisation_share", 0.01, 1.0), ("degradation", 0.0, 100.0), ("slack", 0.0, 1.0),
            ("threshold_share", 0.0, 1e6), ("band", 1.0, 1e6), ("slowdown", 1.0, 1e12),
        ):  # fmt: skip
            value = getattr(self, name)
            if not low_ <= value <= high_:
                raise ValueError(f"{name} is {value!r}; use a number from {low_:g} to {high_:g}")

    @classmethod
    def for_machine(cls, processors: int, **changes: Any) -> Self:
        """Return parameters with a chunk in proportion to the machine: 5 for 35,232 processors."""
        return cls(**{"chunk": max(1, round(processors / PAPER_CHUNKS)), **changes})

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some values changed."""
        return replace(self, **changes)
