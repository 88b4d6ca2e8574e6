"""Shape of the images of the ``grid`` preset."""

from __future__ import annotations

from typing import NamedTuple


class GridShape(NamedTuple):
    """Shape of the images of the ``grid`` preset: time steps, cells, seconds per step."""

    rows: int = 24
    columns: int = 16
    seconds: int = 3600
