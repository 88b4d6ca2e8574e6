"""Results printed in the queue paper: the percentages of section IV.B.

The paper's figures are pictures without numbers.

V. Kondameedi, S. Vadhiyar: Adaptive hybrid queue configuration for supercomputer systems.
"""

from __future__ import annotations

from typing import NamedTuple


class Claim(NamedTuple):
    """A percentage in the paper: the gain of one strategy, `better`, over another, `than`.

    `sign` is −1 for a reduction, 1 for an increase. `mean` and `most` exclude January 2016; None if
    the paper does not state them.
    """

    figure: str
    better: str
    than: str
    sign: int
    mean: float | None
    most: float | None


CLAIMS = (
    Claim("wait", "nlp", "static", -1, 16.0, 44.0),
    Claim("wait", "nlp", "proportional", -1, 12.0, 26.0),
    Claim("wait", "reconfigure", "nlp", -1, 12.0, 59.0),
    Claim("wait", "reconfigure", "static", -1, 24.0, None),
    Claim("wait", "hybrid", "static", -1, 46.0, 74.0),
    Claim("wait", "hybrid", "nonpartitioned", -1, 55.0, 83.0),
    Claim("wait", "nlp", "mqb", -1, 50.0, None),
    Claim("wait", "nlp", "mqb adaptive", -1, 50.0, None),
    Claim("slowdown", "hybrid", "static", -1, 39.0, None),
    Claim("slowdown", "hybrid", "nonpartitioned", -1, 35.0, None),
    Claim("utilisation", "hybrid", "static", 1, 12.0, None),
    Claim("utilisation", "hybrid", "reconfigure", 1, 3.5, None),
    Claim("utilisation", "hybrid", "mqb", 1, None, 8.0),
    Claim("wait", "search", "hybrid", -1, None, None),
    Claim("wait", "search", "static", -1, None, None),
)
"""Gains in percent. The paper gives a range of 3 to 4 % instead of 3.5."""

FIGURES = {
    "figure 7": ("wait", ("static", "proportional", "nlp", "reconfigure")),
    "figure 8": ("utilisation", ("static", "proportional", "nlp", "reconfigure")),
    "figure 9": ("wait", ("static", "nonpartitioned", "hybrid")),
    "figure 10": ("slowdown", ("static", "nonpartitioned", "hybrid")),
    "figure 11": ("utilisation", ("static", "nonpartitioned", "hybrid")),
    "figure 12": ("wait", ("mqb", "mqb adaptive", "nlp")),
    "figure 13": ("utilisation", ("mqb", "mqb adaptive", "hybrid")),
}
"""Metric and strategies in each figure; waits are in hours, utilisation is from 0 to 1."""

LEFT_OUT = "2016-01"
"""The month that the paper omits from its averages of waits."""
