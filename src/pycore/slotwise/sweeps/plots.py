"""``sweep.plot``: charts of many sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slotwise.pictures.plots.pareto import plot_pareto
from slotwise.site.policy.backfill_facts import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from slotwise.site import Site


class SweepPlots:
    """Charts of a sweep; each method returns the matplotlib Axes it draws on.

    Parameters
    ----------
    sweep : Sweep
    """

    def __init__(self, sweep: Any) -> None:
        self._sweep = sweep

    def pareto(
        self,
        x: str = "mean_wait",
        y: str = "utilisation",
        ax: Axes | None = None,
        *,
        names: Sequence[str] | None = None,
    ) -> Axes:
        """Plot each site by two metrics, and connect the sites that no other site beats in both.

        Parameters
        ----------
        x, y : str
            Metrics that are either better when lower or better when higher.
        ax : Axes, optional
            Default: new Axes.
        names : sequence of str, optional
            Names of the sites, in their order. Default: order, backfill and number of the site.

        Raises
        ------
        KeyError, ValueError
            For an unknown metric, for a metric that is neither better when lower nor better when
            higher, and for a wrong number of names.
        """
        sites = self._sweep.sites
        if names is not None and len(names) != len(sites):
            raise ValueError(
                f"names has {len(names)} values for {len(sites)} sites; pass one per site"
            )
        chosen = [_name(i, site) for i, site in enumerate(sites)] if names is None else names
        values = [self._sweep[metric].astype(np.float64) for metric in (x, y)]
        return plot_pareto(values[0], values[1], (x, y), chosen, ax)


def _name(number: int, site: Site) -> str:
    return f"{site.policy.order} {name_of(site.policy.backfill)} ({number})"
