"""Rows of the study: the paper's figures, and its percentages next to ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.advice.queue_design.parameters import HOUR
from slotwise.studies import Row
from slotwise.studies.queues.paper import CLAIMS, FIGURES, LEFT_OUT, Claim
from slotwise.studies.queues.sites import STRATEGIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Months = Mapping[str, Mapping[str, Mapping[str, Any]]]
    """Figures of the replays: by month, then by strategy, then by name."""

UNITS = {"wait": 1 / HOUR, "slowdown": 1.0, "utilisation": 1.0}


def figure_rows(seeds: Sequence[Months]) -> list[Row]:
    """Return the rows of figures 7 to 13: the mean over the seeds, per month and strategy."""
    rows = []
    for table, (name, strategies) in FIGURES.items():
        for month in seeds[0]:
            for strategy in strategies:
                if strategy not in seeds[0][month]:
                    continue
                values = [UNITS[name] * each[month][strategy][name] for each in seeds]
                rows.append(Row.of_seeds(table, {"month": month, "strategy": strategy}, values))
    return rows


def month_rows(seeds: Sequence[Months]) -> list[Row]:
    """Return the main table: every strategy's figures by month, and their means over the months."""
    rows = []
    spans = [(month, [month]) for month in seeds[0]] + _spans(list(seeds[0]))
    for label, kept in spans:
        for strategy in seeds[0][kept[0]]:
            for name, unit in UNITS.items():
                values = [
                    float(np.mean([unit * each[m][strategy][name] for m in kept])) for each in seeds
                ]
                keys = {"month": label, "strategy": strategy, "metric": name}
                rows.append(Row.of_seeds("months", keys, values))
    return rows


def _spans(months: Sequence[str]) -> list[tuple[str, list[str]]]:
    without = [m for m in months if m != LEFT_OUT]
    spans = [("mean", list(months))]
    if without and len(without) < len(months):
        spans.append(("mean without January", without))
    return spans


def changes_of(claim: Claim, months: Months, kept: Sequence[str]) -> list[float]:
    """Return the gain of `better` over `than` in percent, by month; positive is better."""
    found = []
    for month in kept:
        one, other = (float(months[month][s][claim.figure]) for s in (claim.better, claim.than))
        found.append(claim.sign * 100 * (one / other - 1) if other > 0 else 0.0)
    return found


def claim_rows(
    seeds: Sequence[Months], with_paper: bool = True, table: str = "claims"
) -> list[Row]:
    """Return the paper's percentages next to ours: the mean and the best of the months.

    The mean is taken over the months' percentages, as in the paper. `of_all` instead compares the
    means over the months, so that months with short waits have little weight.
    """
    rows = []
    for label, kept in _spans(list(seeds[0])):
        papers = with_paper and (label != "mean" or len(_spans(list(seeds[0]))) == 1)
        for claim in CLAIMS:
            if not {claim.better, claim.than} <= set(seeds[0][kept[0]]):
                continue
            by_seed = [changes_of(claim, months, kept) for months in seeds]
            for measure, take, printed in (
                ("mean", np.mean, claim.mean), ("most", np.max, claim.most)
            ):  # fmt: skip
                more = {}
                if measure == "mean":
                    more["of_all"] = float(np.mean([_of_all(claim, m, kept) for m in seeds]))
                keys = {
                    "metric": claim.figure,
                    "better": claim.better,
                    "than": claim.than,
                    "months": "all" if label == "mean" else "without January",
                    "measure": measure,
                }
                rows.append(
                    Row.of_seeds(
                        table, keys, [float(take(values)) for values in by_seed],
                        printed if papers else None, **more,
                    )
                )  # fmt: skip
    return rows


def _of_all(claim: Claim, months: Months, kept: Sequence[str]) -> float:
    one, other = (
        sum(float(months[m][s][claim.figure]) for m in kept) for s in (claim.better, claim.than)
    )
    return claim.sign * 100 * (one / other - 1) if other > 0 else 0.0


def sensitivity_rows(variation: str, usual: Months, varied: Months) -> list[Row]:
    """Return mean waits with one choice changed, next to the `usual` waits.

    The ``search`` strategy is left out.
    """
    rows = []
    *_all, (_label, kept) = _spans(list(usual))
    for strategy in STRATEGIES:
        if strategy not in usual[kept[0]] or strategy == "search":
            continue
        one, other = (
            float(np.mean([months[m][strategy]["wait"] for m in kept])) / HOUR
            for months in (varied, usual)
        )
        rows.append(
            Row(
                "sensitivity", {"choice": variation, "strategy": strategy}, one,
                more={"usual": other},
            )
        )  # fmt: skip
    return rows
