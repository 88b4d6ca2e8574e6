"""Another path to `slotwise.site.knapsack`: ``import slotwise.knapsack`` gives that module."""

import importlib
import sys

sys.modules[__name__] = importlib.import_module("slotwise.site.knapsack")
