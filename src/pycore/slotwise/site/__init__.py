"""Machine, policy and rules as values and as TOML."""

from slotwise.site.site import Site

__all__ = ["Site"]
