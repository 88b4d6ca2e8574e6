"""Compare policies by their effect on the users in a log, one line per policy.

Run: python examples/what_if.py LOG.swf.gz (without a log, it generates a month of jobs).
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import slotwise as sw

POLICIES = {
    "easy": sw.Policy(),
    "easy, backfilled by sjf": sw.Policy(backfill_order="sjf"),
    "easy, wfp3": sw.Policy(order="wfp3"),
    "easy, exact estimates": sw.Policy(estimates="exact"),
    "conservative": sw.Policy(backfill="conservative"),
}


def main() -> None:
    """Replay the log under every policy, on threads that share the trace."""
    if len(sys.argv) > 1:
        trace = sw.read_swf(sys.argv[1])
    else:
        trace = sw.generate("lublin", n_jobs=5_000, processors=1_024, load=0.8, seed=7)

    with ThreadPoolExecutor() as pool:
        results = pool.map(
            lambda policy: sw.simulate(trace, sw.Site(policy=policy)), POLICIES.values()
        )

    print(f"{'':28}{'mean wait':>12}{'95 %':>12}{'slowdown':>10}{'used':>8}")
    for name, result in zip(POLICIES, results, strict=True):
        m = result.metrics()
        print(
            f"{name:28}{m['mean_wait'] / 3600:>10.2f} h{m['p95_wait'] / 3600:>10.2f} h"
            f"{m['mean_bounded_slowdown']:>10.1f}{m['utilisation']:>8.1%}"
        )


if __name__ == "__main__":
    main()
