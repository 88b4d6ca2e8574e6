"""What the searches for weights come to: for each objective, whether the gain is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def findings(how: str, best: Mapping[str, Any]) -> Iterator[str]:
    """Say the verdict on each objective of a search.

    Parameters
    ----------
    how : str
        The way of searching.
    best : mapping
        As `Tuning.to_dict` gives it.
    """
    for gain in best["gain"]:
        yield f"{how}, {gain['objective'].replace('_', ' ')}: {gain['verdict']}."
