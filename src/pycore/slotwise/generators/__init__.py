"""Workload models: seeded traces of any length, load and machine."""
