"""Alias of `slotwise.site.knapsack`, for ``import slotwise.knapsack``."""

import importlib
import sys

sys.modules[__name__] = importlib.import_module("slotwise.site.knapsack")
