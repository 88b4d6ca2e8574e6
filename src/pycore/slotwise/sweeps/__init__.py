"""Replays of traces for many sites."""

from slotwise.sweeps.sweep import sweep
from slotwise.sweeps.table import Sweep

__all__ = ["Sweep", "sweep"]
