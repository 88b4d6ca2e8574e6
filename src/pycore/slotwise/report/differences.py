"""Compares waits with those in the first result, for all jobs and for groups of jobs."""

from __future__ import annotations

from html import escape
from itertools import islice
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise import text
from slotwise.replay.groups import CLASS_LENGTHS, CLASS_SIZES, groups_of_result
from slotwise.replay.paired_difference import (
    FEWEST_WEEKS,
    PairedDifference,
    outcome_of,
    paired_difference,
    paired_differences_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.replay.replay_data import ReplayData

SHOWN = 20
"""Number of groups in a chart, which shows the groups with the most jobs."""

_GROUPINGS = ("class", "user", "queue")


def decision_html(results: Sequence[ReplayData], names: Sequence[str]) -> str:
    """Return HTML that compares each later result's mean wait with that of the first result."""
    if len(results) < 2:
        return ""
    cards = "".join(
        _card(name, paired_difference(results[0], result))
        for name, result in zip(names[1:], results[1:], strict=True)
    )
    return (
        '<section id="decision" aria-labelledby="decision-title">\n'
        f'<h2 id="decision-title">Mean wait, minus that of “{escape(names[0])}”</h2>\n'
        f'<div class="decisions">{cards}</div>\n'
        '<p class="notes">The difference covers the jobs that started in both schedules. Its '
        "95 % interval comes from resampling weeks of submission; an interval that includes 0 is "
        "not evidence of a change.</p>\n</section>\n"
    )


def _card(name: str, difference: PairedDifference) -> str:
    outcome = outcome_of(difference.low, difference.high)
    mean = _signed_clock(difference.mean)
    shares = (
        f"{text.percent(difference.sooner)} of {text.plural(difference.n_jobs, 'job')} start "
        f"sooner, {text.percent(difference.later)} later."
    )
    return (
        f'<div class="decision"><h3>{escape(name)}</h3>'
        f'<p class="figure {outcome}" title="{difference.mean:.10g} s">{mean}</p>'
        f"<p>{_interval_text(difference)} {shares}</p></div>"
    )


def _interval_text(difference: PairedDifference) -> str:
    if isnan(difference.low):
        return f"No interval: the jobs span fewer than {FEWEST_WEEKS} weeks."
    low, high = _signed_clock(difference.low), _signed_clock(difference.high)
    said = {"wins": "shorter waits", "loses": "longer waits", "": "no evidence of a change"}
    return f"95 % interval {low} to {high}: {said[outcome_of(difference.low, difference.high)]}."


def _signed_clock(seconds: float) -> str:
    return text.signed(text.clock(seconds), seconds).replace("-", "−", 1)


def group_differences(results: Sequence[ReplayData]) -> list[dict[str, Any]]:
    """Compare every later result with the first, by class, user and queue, for the charts.

    Returns
    -------
    list of dict
        One for each result after the first, with an entry for each grouping that has two or more
        groups. An entry has the `SHOWN` groups with the most jobs, and the number of the remaining
        groups. `low` and `high` are None if the difference in mean wait has no 95 % interval.
    """
    first, *others = results
    found: list[dict[str, Any]] = [{} for _ in others]
    for by in _GROUPINGS if others else ():
        labels, codes = groups_of_result(first, by, CLASS_SIZES, CLASS_LENGTHS)
        if len(labels) < 2:
            continue
        for chart, other in zip(found, others, strict=True):
            chart[by] = _chart(first, other, labels, codes)
    return found


def _chart(
    first: ReplayData, other: ReplayData, labels: list[Any], codes: NDArray[np.int32]
) -> dict[str, Any]:
    both = (first.start >= 0) & (other.start >= 0)
    jobs = np.bincount(codes[both], minlength=len(labels))
    compared = np.flatnonzero(jobs)
    shown = compared[np.argsort(-jobs[compared], kind="stable")][:SHOWN]
    rank = np.full(len(labels), len(shown), dtype=np.int32)  # all others form the last group
    rank[shown] = np.arange(len(shown))
    pairs = islice(paired_differences_of(first, other, rank[codes], len(shown) + 1), len(shown))
    return {
        "others": len(compared) - len(shown),
        "groups": [
            {
                "label": _label(labels[group]),
                "jobs": pair.n_jobs,
                "mean": pair.mean,
                "low": None if isnan(pair.low) else pair.low,
                "high": None if isnan(pair.high) else pair.high,
                "outcome": outcome_of(pair.low, pair.high),
            }
            for group, pair in zip(shown, pairs, strict=True)
        ],
    }


def _label(label: Any) -> str:
    is_unknown = label is None or (isinstance(label, int) and label < 0)
    return "unknown" if is_unknown else str(label)
