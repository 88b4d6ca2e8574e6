"""One random site with a single pool: all planners, the oracle and single steps agree."""

from __future__ import annotations

from reference.sites.one_pool_checks import check as case

__all__ = ["case"]
