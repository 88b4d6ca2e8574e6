"""Shared parts of the benchmarks: workloads, measurement and expected results."""
