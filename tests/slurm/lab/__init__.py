"""The lab: a real Slurm on emulated nodes, and its recorder."""
