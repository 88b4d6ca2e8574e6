"""One random site with a single pool: all planners, a stepwise replay and the oracle agree."""

from __future__ import annotations

from reference.sites.one_pool_checks import check as case

__all__ = ["case"]
