"""Shared parts of the benchmarks: workloads, measurement, and the required answers."""
