"""Colours of jobs, the same in every picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FREE = (240, 240, 240)
"""Red, green and blue of a free node."""

_GOLDEN = 0.6180339887498949
_SHADES = np.array([(0.62, 0.86), (0.80, 0.62), (0.38, 0.95), (0.55, 0.45)])
"""Pairs of saturation and value, used in turn, so that jobs of similar hues still differ."""


def job_colours(rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return one RGB colour per row of the trace, as an (n, 3) array.

    Hues advance by the golden ratio, so that neighbours in the trace get distant hues.
    """
    hue = rows * _GOLDEN % 1.0
    saturation, value = _SHADES[rows % len(_SHADES)].reshape(-1, 2).T
    # The conversion from hue, saturation and value to RGB follows Smith, Color gamut transform
    # pairs, SIGGRAPH 1978.
    channel = (np.array([5.0, 3.0, 1.0]) + 6 * hue[:, None]) % 6
    dip = np.clip(np.minimum(channel, 4 - channel), 0, 1)
    rgb: NDArray[np.uint8] = np.rint(255 * value[:, None] * (1 - saturation[:, None] * dip)).astype(
        np.uint8
    )
    return rgb
