"""What the benchmarks share: their workloads, how one is measured, and the answers it must give."""
