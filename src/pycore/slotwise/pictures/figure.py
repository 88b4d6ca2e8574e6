"""Creates figures without pyplot, and writes them to files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise import extras
from slotwise._files import written_whole

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

_DOTS = 144
"""Pixels per inch of a PNG."""


def new_figure(width: float, height: float) -> Figure:
    """Create an empty figure of a given size in inches, with automatic layout of its parts.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    figure: Figure = extras.load("matplotlib.figure").Figure(
        figsize=(width, height), layout="constrained"
    )
    return figure


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write NAME.png and NAME.svg; the same figure always gives the same bytes."""
    from matplotlib import rc_context

    paths = []
    with rc_context({"svg.hashsalt": "slotwise"}):
        for suffix, facts in (("png", {"Software": None}), ("svg", {"Date": None})):
            path = folder / f"{name}.{suffix}"
            with written_whole(path) as file:
                figure.savefig(file, format=suffix, dpi=_DOTS, metadata=facts)
            figure.set_layout_engine("none")  # laying the figure out again would be slow
            paths.append(path)
    return paths
