"""Slurm's schedulers as docs/slurm_rules.md describes them, in plain Python, without the core."""
