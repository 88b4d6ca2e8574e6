"""Lower bounds of the partitions (equation 4), and the region that equations 3, 4 and 6 allow."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from slotwise import extras
from slotwise.advice.queue_design.layout import Layout
from slotwise.advice.queue_design.shares import largest_jobs, proportional_sizes
from slotwise.site import Site
from slotwise.site.machine import Processors
from slotwise.sweeps.rows import MetricOptions, compute_rows
from slotwise.sweeps.workers import threads_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.advice.queue_design.base import Base
    from slotwise.advice.queue_design.history import History
    from slotwise.advice.queue_design.parameters import Parameters

    Floats = NDArray[np.float64]

CURVE_POINTS = 40


def utilisation_curve(
    history: History, base: Base, owner: int, workers: int | None = None
) -> tuple[NDArray[np.int64], Floats]:
    """Replay a queue alone on partitions of increasing size, for Figures 1 and 2 of the paper.

    Parameters
    ----------
    owner : int
        Position in `Base.owners`.

    Returns
    -------
    sizes : (n_sizes,) int64, processors
        From the queue's largest job to the whole machine, evenly spaced on a logarithmic scale.
    figures : (n_sizes, 2) float64
        Utilisation of the partition, 0 to 1, and mean wait in seconds. Empty if the queue has no
        jobs.
    """
    partition = Layout.of_base(base, largest_jobs(base)).partitions[owner]
    jobs = history.trace[partition.takes(history)]
    sizes = np.unique(
        np.geomspace(partition.largest, base.machine, CURVE_POINTS).round().astype(np.int64)
    )
    if len(jobs) == 0:
        return sizes, np.empty((0, 2))
    rows = compute_rows(
        jobs,
        [Site(Processors(int(size)), base.policy) for size in sizes],
        MetricOptions(),
        workers=threads_for(workers),
    )
    figures = [(row.metrics["utilisation"], row.metrics["mean_wait"]) for row in rows]
    return sizes, np.array(figures)


def bound_of_curve(sizes: Sequence[int] | NDArray[np.int64], used: Floats, share: float) -> int:
    """Return the largest size at which the utilisation is still `share` of its maximum.

    The curve is linear between two sizes. Suppose the utilisation is 0.8 on 100 processors and 0.6
    on 200. A share of 0.9 is then a utilisation of 0.72, reached on 140 processors.
    """
    wanted = share * float(used.max())
    last = int(np.flatnonzero(used >= wanted)[-1])
    if last == len(sizes) - 1:
        return int(sizes[last])
    low, high = float(sizes[last]), float(sizes[last + 1])
    fall = (used[last] - wanted) / (used[last] - used[last + 1])
    return int(np.rint(low + fall * (high - low)))


def utilisation_bounds(history: History, base: Base, parameters: Parameters) -> list[int]:
    """Return each partition's lower bound by equation 4, but at least its largest job's size."""
    found = []
    for owner, largest in enumerate(largest_jobs(base)):
        sizes, figures = utilisation_curve(history, base, owner)
        bound = (
            bound_of_curve(sizes, figures[:, 0], parameters.utilisation_share)
            if len(figures)
            else largest
        )
        found.append(max(bound, largest))
    return found


@dataclass(frozen=True)
class Region:
    """Feasible region of the nonlinear program: equations 3, 4 and 6, in fractions of the machine.

    Attributes
    ----------
    machine : int, processors
    lower : (n,) float64
    centre : (n,) float64
        Centre of the band: sizes in proportion to CPU hours, each at least the queue's largest job.
    band : float
        P_i/P_j may differ from the same ratio at the centre by at most this factor.
    scaled : float
        1 if the lower bounds are those of equation 4; less if they were lowered towards the largest
        jobs; 0 if they equal the largest jobs.
    """

    machine: int
    lower: Floats
    centre: Floats
    band: float
    scaled: float

    @property
    def inequalities(self) -> Floats:
        """(m, n) float64 A, with A·x ≤ 0 for the band: x_i − band · c_i/c_j · x_j ≤ 0."""
        return band_rows(self.centre, self.band)

    @property
    def inside(self) -> Floats:
        """(n,) float64: the point farthest from the lower bounds and from the edges of the band."""
        optimize = extras.load("scipy.optimize")
        n = len(self.lower)
        rows = np.vstack([self.inequalities, -np.eye(n)])
        norms = np.linalg.norm(rows, axis=1)
        solved = optimize.linprog(
            np.append(np.zeros(n), -1.0),
            A_ub=np.hstack([rows, norms[:, None]]),
            b_ub=np.concatenate([np.zeros(len(rows) - n), -self.lower]),
            A_eq=np.append(np.ones(n), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0, 1)] * n + [(0, None)],
        )
        return np.asarray(solved.x[:n]) if solved.status == 0 else self.centre

    def holds(self, fractions: Floats, tolerance: float = 1e-9) -> bool:
        """Return True if the fractions are in the region."""
        return bool(
            abs(float(fractions.sum()) - 1) <= tolerance
            and (fractions >= self.lower - tolerance).all()
            and (self.inequalities @ fractions <= tolerance).all()
        )


def band_rows(centre: Floats, band: float) -> Floats:
    """Return the inequalities of the band as matrix rows, one per ordered pair of partitions."""
    n = len(centre)
    rows = np.zeros((n * (n - 1), n))
    for row, (i, j) in zip(rows, permutations(range(n), 2), strict=True):
        row[i] = 1.0
        row[j] = -band * centre[i] / centre[j]
    return rows


def region_of(history: History, base: Base, parameters: Parameters) -> Region:
    """Return the region of a history.

    If no partition vector in the band meets the bounds, the bounds are lowered towards the largest
    jobs until one does. They are then lowered further by `slack`, so that the sizes can vary.
    """
    largest = np.array(largest_jobs(base)) / base.machine
    wanted = np.array(utilisation_bounds(history, base, parameters)) / base.machine
    centre = np.array(proportional_sizes(history, base)) / base.machine
    return region_about(base.machine, largest, wanted, centre, parameters)


def region_about(
    machine: int, largest: Floats, wanted: Floats, centre: Floats, parameters: Parameters
) -> Region:
    """Return the region with lower bounds `wanted`, lowered as in `region_of` if necessary."""
    possible = _most_of_bounds(largest, wanted, centre, parameters.band)
    scaled = 1.0 if possible >= 1 - 1e-9 else possible * parameters.slack
    lower = np.maximum(largest, largest + scaled * (wanted - largest))
    return Region(machine, lower, centre, parameters.band, scaled)


def _most_of_bounds(largest: Floats, wanted: Floats, centre: Floats, band: float) -> float:
    """Return the largest t ≤ 1 at which the band has sizes ≥ largest + t · (wanted − largest)."""
    optimize = extras.load("scipy.optimize")
    n = len(largest)
    rows = band_rows(centre, band)
    above = np.hstack([-np.eye(n), (wanted - largest)[:, None]])
    solved = optimize.linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.vstack([np.hstack([rows, np.zeros((len(rows), 1))]), above]),
        b_ub=np.concatenate([np.zeros(len(rows)), -largest]),
        A_eq=np.append(np.ones(n), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, 1)] * (n + 1),
    )
    return float(solved.x[-1]) if solved.status == 0 else 0.0
