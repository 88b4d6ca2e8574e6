"""The table that a sweep returns: one row per trace and site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.result import Result
    from slotwise.site import Site
    from slotwise.sweeps.plots import SweepPlots
    from slotwise.sweeps.rows import Row
    from slotwise.sweeps.sources import Source


class Sweep(Table):
    """Metrics of every site, in the order of the sites.

    ``sweep["mean_wait"]`` is one metric as an (n_sites,) float64 array; ``polars.DataFrame(sweep)``
    and ``pandas.DataFrame(sweep)`` read the whole table. A metric that a site lacks is NaN.

    Columns
    -------
    trace, seed : int64
        Position in `traces`, or the seed; only with several traces, or with seeds.
    site : int64
        Position in `sites`.
    seconds : float64
        Wall time of the replay in its process.
    mean_wait, ... : float64
        Every metric, named and defined as in `Result.metrics`.

    Attributes
    ----------
    sites : tuple of Site
        The sites, in order.
    traces : tuple of str
        Names of the traces; empty for a single trace and for seeds.
    results : tuple of Result
        Replays, with ``keep_results``.
    """

    def __init__(
        self,
        sites: Sequence[Site],
        rows: Sequence[Row],
        results: Sequence[Result] = (),
        sources: Sequence[Source] = (),
    ) -> None:
        names = list(dict.fromkeys(name for row in rows for name in row.metrics))
        number = np.arange(len(rows), dtype=np.int64)
        n_sites = max(len(sites), 1)
        columns: dict[str, NDArray[np.int64 | np.float64]] = {}
        if any(source.name for source in sources):
            columns["trace"] = number // n_sites
        elif any(source.seed >= 0 for source in sources):
            seeds = np.array([source.seed for source in sources], dtype=np.int64)
            columns["seed"] = seeds[number // n_sites]
        columns["site"] = number % n_sites
        columns["seconds"] = np.array([row.seconds for row in rows], dtype=np.float64)
        for name in names:
            values = [row.metrics.get(name, float("nan")) for row in rows]
            columns[name] = np.array(values, dtype=np.float64)
        super().__init__(columns)
        self.sites = tuple(sites)
        self.traces = tuple(source.name for source in sources if source.name)
        self.results = tuple(results)
        self._rows = tuple(rows)

    @property
    def plot(self) -> SweepPlots:
        """Charts of the sweep: ``pareto``."""
        from slotwise.sweeps.plots import SweepPlots

        return SweepPlots(self)

    def row(self, site: int) -> dict[str, float]:
        """Return the metrics of one site, by name; with several traces, `site` is a row number.

        Raises
        ------
        IndexError
            For an unknown site.
        """
        return dict(self._rows[site].metrics)

    def best(self, metric: str, *, largest: bool = False) -> int:
        """Return the position of the first site with the smallest (or largest) value of a metric.

        With several traces, the position is that of the row.

        Raises
        ------
        KeyError
            For an unknown metric.
        ValueError
            If no site has a value.
        """
        values = self[metric].astype(np.float64)
        if np.isnan(values).all():
            raise ValueError(
                f"no site of the sweep has a value for {metric}; n_started shows whether any "
                "job started"
            )
        return int(np.nanargmax(values) if largest else np.nanargmin(values))
