"""Sites: a machine, a policy and rules, as Python values and as TOML."""

from slotwise._moved_modules import keep_old_paths
from slotwise.site.moved import MOVED
from slotwise.site.site import Site

__all__ = ["Site"]

keep_old_paths(MOVED)
