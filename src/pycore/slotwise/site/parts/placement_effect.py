"""The effect of a job's allocated nodes on its run time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from slotwise.site.faults import UNKNOWN, Check, Fault
from slotwise.site.parts import readers
from slotwise.site.parts.part import SitePart

if TYPE_CHECKING:
    from collections.abc import Iterator


def _share(value: Any) -> float:
    found = readers.at_least_zero(value)
    if found > 1:
        raise ValueError(f"{found:g} must lie between 0 and 1")
    return found


def _one_effect(effect: Any) -> Iterator[Fault]:
    if effect.alpha and effect.gamma:
        yield Fault(("gamma",), "gamma is an alternative to alpha; use only one of them")
    if not effect.alpha and not effect.gamma:
        for name, default in (("beta", 1.0), ("seed", 0)):
            if getattr(effect, name) not in (default, UNKNOWN):
                yield Fault((name,), "this has no effect without alpha or gamma; set one of them")


@dataclass(frozen=True, slots=True)
class PlacementEffect(SitePart):
    """Effect of the positions of a job's nodes on its run time, on a torus; default: none.

    The first ``round(beta * n)`` jobs in a random permutation of the trace's n jobs are sensitive.
    A larger beta therefore only adds sensitive jobs. The scheduler does not know the effect in
    advance, but the run times behind ``user-history`` estimates include it. A job is killed at its
    time limit wherever its nodes are.

    Parameters
    ----------
    alpha : float, default 0
        Share of its run time that a sensitive job saves if its nodes are consecutive in the node
        order, or if it has a single node. It then runs for floor(run · (1 - alpha) + ½) seconds,
        at least 1 [1]_.
    gamma : float, default 0
        Alternative to alpha: the share by which the run time of a sensitive job increases if its
        nodes are scattered at random over the machine. A sensitive job runs for
        floor(run · (1 + gamma · dispersal) + ½) seconds. The dispersal is (d - d0) / (d1 - d0), at
        least 0, and 0 if d1 is at most d0. d is the mean torus distance between two of the job's
        nodes. d0 is the mean for the same number of nodes at the start of the node order, and d1
        for all nodes of the machine.
    beta : float, default 1
        Share of the jobs that are sensitive.
    seed : int, default 0
        Seed of the permutation, from 0 to 2**64 - 1.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.

    References
    ----------
    .. [1] X. Yang, Z. Zhou, W. Tang, X. Zheng, J. Wang, Z. Lan: Balancing job performance with
       system performance via locality-aware scheduling on torus-connected systems. IEEE CLUSTER,
       2014.
    """

    alpha: float = 0.0
    gamma: float = 0.0
    beta: float = 1.0
    seed: int = 0

    READERS: ClassVar = {
        "alpha": _share,
        "gamma": readers.at_least_zero,
        "beta": _share,
        "seed": readers.seed,
    }
    CHECKS: ClassVar = (Check(frozenset({"alpha", "gamma"}), _one_effect),)

    @property
    def is_none(self) -> bool:
        """True if the effect changes nothing."""
        return not (self.alpha or self.gamma) or not self.beta
