"""One random site with a single pool, replayed in every way."""

from __future__ import annotations

from reference.sites.one_pool_checks import check as case

__all__ = ["case"]
