"""Replays of traces under many sites."""

from slotwise.sweeps.shards import SweepShards, sweep_shards
from slotwise.sweeps.sweep import sweep
from slotwise.sweeps.table import Sweep

__all__ = ["Sweep", "SweepShards", "sweep", "sweep_shards"]
