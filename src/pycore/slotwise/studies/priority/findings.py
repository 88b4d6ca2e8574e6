"""Findings of the searches for weights: for each objective, whether the gain is real."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def findings(how: str, best: Mapping[str, Any]) -> Iterator[str]:
    """Yield the verdict on each objective of a search.

    Parameters
    ----------
    how : str
        The search method.
    best : mapping
        The result of `Tuning.to_dict`.
    """
    for gain in best["gain"]:
        yield f"{how}, {gain['objective'].replace('_', ' ')}: {gain['verdict']}."
