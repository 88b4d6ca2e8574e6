"""Time and peak memory of a sweep of a million points into Parquet files.

Replays logs of 100 generated jobs on 500 sites. Each log has its own seed. The sites combine five
orders, two backfill rules, and 50 machines of 64 to 162 processors.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time

import slotwise as sw

ORDERS = ("fcfs", "sjf", "ljf", "smallest", "wfp3")
MACHINES = range(64, 164, 2)


def drawn(seed: int) -> sw.Trace:
    return sw.generate("lublin", n_jobs=100, processors=64, load=0.9, seed=seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="a multiple of 500")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    sites = [
        sw.Site(machine=machine, policy=sw.Policy(order=order, backfill=backfill))
        for machine in MACHINES
        for order in ORDERS
        for backfill in ("none", "easy")
    ]
    seeds = range(options.rows // len(sites))
    with tempfile.TemporaryDirectory() as folder:
        before, began = time.process_time(), time.perf_counter()
        shards = sw.sweep_shards(drawn, sites, folder, options.workers, seeds=seeds)
        seconds, cpu = time.perf_counter() - began, time.process_time() - before
        best = shards.best("mean_wait")
        size = sum(path.stat().st_size for path in shards.paths)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(shards):,} rows in {len(shards.paths)} files of {size / 1e6:.0f} MB together: "
        f"{seconds:.0f} s, {cpu:.0f} CPU s, peak memory {peak:.0f} MB; "
        f"least mean wait {best['mean_wait']:.1f} s"
    )


if __name__ == "__main__":
    main()
