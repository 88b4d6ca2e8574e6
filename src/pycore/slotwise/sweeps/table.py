"""What a sweep gives back: a row a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slotwise.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slotwise.result import Result
    from slotwise.site import Site
    from slotwise.sweeps.rows import Row


class Sweep(Table):
    """The metrics of every site, in the order the sites were given.

    ``sweep["mean_wait"]`` is one metric as an (n_sites,) float64 array; ``polars.DataFrame(sweep)``
    and ``pandas.DataFrame(sweep)`` take the whole table. Metrics that not every
    site has are NaN where there is none.

    Columns
    -------
    site : int64
        Position in `sites`.
    seconds : float64
        Wall time of the replay, in the process that ran it.
    mean_wait, ... : float64
        Every metric, as `Result.metrics` names and defines it.

    Attributes
    ----------
    sites : tuple of Site
        As given.
    results : tuple of Result
        The whole replays; empty unless the sweep was to keep them.
    """

    def __init__(
        self, sites: Sequence[Site], rows: Sequence[Row], results: Sequence[Result] = ()
    ) -> None:
        names = list(dict.fromkeys(name for row in rows for name in row.metrics))
        columns: dict[str, NDArray[np.int64 | np.float64]] = {
            "site": np.arange(len(rows), dtype=np.int64),
            "seconds": np.array([row.seconds for row in rows], dtype=np.float64),
        }
        for name in names:
            values = [row.metrics.get(name, float("nan")) for row in rows]
            columns[name] = np.array(values, dtype=np.float64)
        super().__init__(columns)
        self.sites = tuple(sites)
        self.results = tuple(results)
        self._rows = tuple(rows)

    def row(self, site: int) -> dict[str, float]:
        """Return the metrics of one site by name.

        Raises
        ------
        IndexError
            For a site that is not there.
        """
        return dict(self._rows[site].metrics)

    def best(self, metric: str, *, largest: bool = False) -> int:
        """Return the position of the site with the least (or largest) value, the first of equals.

        Raises
        ------
        KeyError
            For an unknown metric.
        ValueError
            Where no site has a value.
        """
        values = self[metric].astype(np.float64)
        if np.isnan(values).all():
            raise ValueError(f"no site of the sweep has a {metric}; look at n_started")
        return int(np.nanargmax(values) if largest else np.nanargmin(values))
