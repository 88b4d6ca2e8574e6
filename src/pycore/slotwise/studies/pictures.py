"""Pictures of a study: figures made without pyplot, and their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise._files import written_whole
from slotwise.errors import MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

_DOTS = 144
"""Pixels an inch of a PNG."""


def check_matplotlib() -> None:
    """Refuse to go on without matplotlib.

    Raises
    ------
    MissingExtraError
    """
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as missing:
        raise MissingExtraError(
            "pictures need matplotlib, which is not installed; install it with: "
            "pip install 'slotwise[plot]'"
        ) from missing


def new_figure(width: float, height: float) -> Figure:
    """Make an empty figure, its size in inches, whose parts are fitted into it.

    Raises
    ------
    MissingExtraError
        Without matplotlib.
    """
    check_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write NAME.png and NAME.svg, the same bytes for the same figure."""
    from matplotlib import rc_context

    paths = []
    with rc_context({"svg.hashsalt": "slotwise"}):
        for suffix, facts in (("png", {"Software": None}), ("svg", {"Date": None})):
            path = folder / f"{name}.{suffix}"
            with written_whole(path) as file:
                figure.savefig(file, format=suffix, dpi=_DOTS, metadata=facts)
            paths.append(path)
    return paths
