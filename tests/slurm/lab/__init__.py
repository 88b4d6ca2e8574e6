"""The lab: a real Slurm on emulated nodes, and what records it."""
