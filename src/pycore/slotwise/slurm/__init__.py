"""Single decisions of Slurm's schedulers on a given state, without a replay."""

from slotwise.slurm.cycle import CycleResult, cycle

__all__ = ["CycleResult", "cycle"]
