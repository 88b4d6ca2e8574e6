"""Recordings of a real Slurm, and the strict test of its rules, one scheduling step at a time."""
