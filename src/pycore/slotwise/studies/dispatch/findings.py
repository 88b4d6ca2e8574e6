"""Findings from the replays: waits under the best model and under planning heuristics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.studies.dispatch.paper import BEST
from slotwise.studies.dispatch.replays import OURS
from slotwise.studies.row import mean_of, spread_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from slotwise.studies.dispatch.measures import Measures


def findings(
    batches: Sequence[int], measured: Callable[[int, str], Sequence[Measures]]
) -> Iterator[str]:
    """Compare the mean wait under the best model with that under each other dispatcher, by seed.

    Parameters
    ----------
    batches : sequence of int
    measured : callable
        Returns the measures of a batch under a dispatcher, one per seed.
    """
    for number in batches:
        waits = {
            name: [float(m.wait.mean()) for m in measured(number, name)]
            for name in (BEST, "PBS", *OURS)
        }
        compared = [_beside(waits[BEST], waits[name], name) for name in ("PBS", *OURS)]
        yield (
            f"On BATCH{number}, the mean wait is {mean_of(waits[BEST]):,.0f} s under {BEST}, "
            f"{', '.join(compared)}."
        )


def _beside(best: Sequence[float], other: Sequence[float], name: str) -> str:
    """Return the difference in words: "20 ± 3 s less than under easy (less on 3 of 3 seeds)"."""
    saved = [theirs - mine for mine, theirs in zip(best, other, strict=True)]
    mean, spread = mean_of(saved), spread_of(saved)
    if not any(saved):
        return f"the same as under {name}"
    words = f"{abs(mean):,.0f}" + ("" if spread is None else f" ± {spread:,.0f}")
    words += f" s {'less' if mean >= 0 else 'more'} than under {name}"
    if len(saved) > 1:
        words += f" (less on {sum(s > 0 for s in saved)} of {len(saved)} seeds)"
    return words
