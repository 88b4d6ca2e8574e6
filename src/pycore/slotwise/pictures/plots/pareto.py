"""Chart of many sites by two metrics, with their Pareto front."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise import text
from slotwise.pictures.plots.style import COLOURS, PALE, axes_of, show_legend
from slotwise.replay.metric_format import format_of, label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_MOST_NAMES = 12
"""Maximum number of sites on the front labelled with their names; more would overlap."""


def is_front(x: Values, y: Values, better: tuple[int, int]) -> NDArray[np.bool_]:
    """Return which points are on the Pareto front.

    Parameters
    ----------
    better : (int, int)
        For each metric, -1 if less is better, 1 if more is better.

    Examples
    --------
    >>> is_front(np.array([1.0, 2.0, 2.0]), np.array([2.0, 1.0, 3.0]), (-1, -1)).tolist()
    [True, True, False]
    """
    a, b = -better[0] * x, -better[1] * y  # less is better in both
    order = np.lexsort((b, a))
    front = np.zeros(len(x), dtype=bool)
    lowest, at = np.inf, np.nan
    for point in order:
        if not np.isfinite(a[point] + b[point]):
            continue
        if b[point] < lowest or (b[point] == lowest and a[point] == at):
            front[point] = True
            lowest, at = b[point], a[point]
    return front


def plot_pareto(
    x: Values,
    y: Values,
    metrics: tuple[str, str],
    names: Sequence[str],
    axes: Axes | None = None,
) -> Axes:
    """Draw each site as a point, and connect the points on the front.

    Raises
    ------
    ValueError
        For a metric without a preferred direction.
    """
    better = (_better(metrics[0]), _better(metrics[1]))
    front = np.flatnonzero(is_front(x, y, better))
    if len(front) == 0:
        raise ValueError(
            f"no site has values for both {metrics[0]} and {metrics[1]}; n_started shows whether "
            "any job started"
        )
    front = front[np.argsort(x[front], kind="stable")]
    axes = axes_of(axes, width=6.4, height=4.4)
    x, y = x * _unit(metrics[0])[0], y * _unit(metrics[1])[0]
    axes.plot(x, y, "o", color=PALE, markeredgecolor="#8A949E", label="site")
    label = "no other site is better in both"
    axes.plot(x[front], y[front], "s-", color=COLOURS[0], linewidth=1.2, label=label)
    for place, site in enumerate(front[:_MOST_NAMES]):
        # Names are placed left and right alternately, because neighbouring points are close
        # together.
        offset, side = ((6, 5), "left") if place % 2 == 0 else ((-6, -11), "right")
        axes.annotate(
            names[site], (x[site], y[site]), xytext=offset, ha=side, fontsize=8,
            textcoords="offset points",
        )  # fmt: skip
    for along, values, name, sign in (
        ("x", x, metrics[0], better[0]),
        ("y", y, metrics[1], better[1]),
    ):
        axis = getattr(axes, f"{along}axis")
        _scale(axes, along, values)
        unit = _unit(name)[1]
        said = f"{label_of(name)}{unit}, {'less' if sign < 0 else 'more'} is better"
        axis.set_label_text(said)
    axes.margins(0.1)
    show_legend(axes, columns=2)
    return axes


def _unit(metric: str) -> tuple[float, str]:
    """Return the factor by which a metric is multiplied for the chart, and the resulting unit."""
    write = format_of(metric).write
    if write is text.clock:
        return 1 / 3600, " in hours"
    return (100.0, " in %") if write is text.percent else (1.0, "")


def _scale(axes: Axes, along: str, values: Values) -> None:
    """Choose plain tick labels, and a log scale for values that span more than a factor of ten."""
    known = values[np.isfinite(values)]
    if known.min() > 0 and known.max() > 10 * known.min():
        getattr(axes, f"set_{along}scale")("log")
    getattr(axes, f"{along}axis").set_major_formatter("{x:,.6g}")


def _better(metric: str) -> int:
    sign = format_of(metric).better
    if not sign:
        raise ValueError(
            f"{metric}: neither higher nor lower values are better; choose a metric such as "
            "mean_wait or utilisation"
        )
    return sign
