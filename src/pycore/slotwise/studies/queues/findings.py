"""Findings from the replays, compared with the paper's, and the causes of differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.studies.queues.paper import CLAIMS, LEFT_OUT
from slotwise.studies.queues.rows import changes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from slotwise.studies.queues.rows import Months

NEAR = 0.5
"""Means agree if they differ by at most this share of the paper's mean.

They also agree if they differ by at most two standard deviations.
"""


def findings(
    judged: Sequence[Months], decided: Sequence[Sequence[Mapping[str, Any]]], is_paper: bool
) -> Iterator[str]:
    """Yield findings on the paper's percentages and on the resulting configurations.

    Parameters
    ----------
    judged : sequence
        The figures, by seed.
    decided : sequence
        The decisions of each month, by seed.
    is_paper : bool
        True for the paper's workload.
    """
    if is_paper:
        yield from _beside_the_paper(judged)
    months = [month for each in decided for month in each]
    yield _queues_left(months)
    yield _pools(judged, months)
    yield _programs(judged, months)
    if is_paper:
        yield (
            "A month's utilisation is bounded by the work that arrives in it. Strategies differ "
            "in how soon after the month the last job ends, especially at higher loads."
        )
        yield "See docs/studies/queues.md for where and why our results differ from the paper's."


def _beside_the_paper(judged: Sequence[Months]) -> Iterator[str]:
    kept = [month for month in judged[0] if month != LEFT_OUT] or list(judged[0])
    sides: dict[str, list[str]] = {"near": [], "further": [], "short": [], "against": []}
    for claim in CLAIMS:
        if claim.mean is None or not {claim.better, claim.than} <= set(judged[0][kept[0]]):
            continue
        values = [float(np.mean(changes_of(claim, months, kept))) for months in judged]
        ours = float(np.mean(values))
        spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
        text = f"{claim.figure}, {claim.better} over {claim.than} {ours:.0f} % "
        text += f"(paper: {claim.mean:g})"
        sides[_side(ours, spread, claim.mean)].append(text)
    for side, words in (
        ("near", "About as in the paper"),
        ("further", "Larger effect than in the paper"),
        ("short", "Same direction as in the paper, but a smaller effect"),
        ("against", "Opposite to the paper"),
    ):
        if sides[side]:
            yield f"{words}: {'; '.join(sides[side])}."


def _side(ours: float, spread: float, paper: float) -> str:
    if abs(ours - paper) <= max(NEAR * paper, 2 * spread) and ours > 0:
        return "near"
    if ours > paper:
        return "further"
    return "short" if ours > 0 else "against"


def _queues_left(months: Sequence[Mapping[str, Any]]) -> str:
    counts = [len(month["reconfigure"]["partitions"]) for month in months]
    alone = sum(count == 1 for count in counts)
    why = ": jobs wait less in one backfilling queue than in separate partitions" if alone else ""
    return (
        f"Splits and merges leave {np.mean(counts):.1f} queues on average, and only one queue in "
        f"{alone} of {len(counts)} months{why}."
    )


def _pools(judged: Sequence[Months], months: Sequence[Mapping[str, Any]]) -> str:
    shares = [
        month["hybrid"]["common"]
        / (sum(month["hybrid"]["partitions"].values()) + month["hybrid"]["common"])
        for month in months
    ]
    if not any(shares):
        return (
            "No common pool could be carved off, because no partition has a chunk to spare. This "
            "can happen if jobs may span all partitions."
        )
    ratios = [
        figures["hybrid"]["wait"] / max(figures["reconfigure"]["wait"], 1.0)
        for each in judged
        for figures in each.values()
    ]
    return (
        f"The common pool is {100 * np.mean(shares):.0f} % of the machine on average. It changes "
        f"the mean wait by {100 * (np.mean(ratios) - 1):+.0f} %. The rule for carving it off "
        "allows an increase of up to 30 % in the month of the decision."
    )


def _programs(judged: Sequence[Months], months: Sequence[Mapping[str, Any]]) -> str:
    off = [
        abs(month["program"]["predicted"] / month["program"]["replayed"] - 1)
        for month in months
        if month["program"]["replayed"] > 0
    ]
    better = [
        figures["nlp"]["wait"] < figures["static"]["wait"]
        for each in judged
        for figures in each.values()
    ]
    return (
        "The nonlinear program predicts the mean wait with an error of at most "
        f"{100 * max(off, default=0.0):.0f} % in the month to which its surrogate was fitted. In "
        "the following month, waits are shorter in its partitions than in the static ones in "
        f"{sum(better)} of {len(better)} cases."
    )
