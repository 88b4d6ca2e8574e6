"""Slurm's schedulers without a replay: one decision on a given state."""

from slotwise.slurm.cycle import CycleResult, cycle

__all__ = ["CycleResult", "cycle"]
