"""Slurm's scheduler as docs/slurm_rules.md describes it, in plain Python and without the core."""
