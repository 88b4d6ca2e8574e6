"""Find the users whose waits rise most after a change of policy, and the job delayed most.

Run: python examples/who_was_hurt.py LOG.swf.gz (without a log, it generates a month of jobs).
"""

from __future__ import annotations

import sys

import numpy as np

import slotwise as sw


def main() -> None:
    """Compare two replays job by job, with NumPy columns."""
    if len(sys.argv) > 1:
        trace = sw.read_swf(sys.argv[1])
    else:
        trace = sw.generate("lublin", n_jobs=5_000, processors=1_024, load=0.8, seed=7)

    before = sw.simulate(trace, sw.Site(policy=sw.Policy()))
    after = sw.simulate(trace, sw.Site(policy=sw.Policy(backfill_order="sjf")))

    started = (before.start >= 0) & (after.start >= 0)
    change = np.where(started, after.wait - before.wait, 0)
    users, of_job = np.unique(trace.user, return_inverse=True)
    jobs = np.bincount(of_job)
    mean = np.bincount(of_job, weights=change) / jobs

    print(f"waits fall by {-change[started].mean() / 60:.1f} min on average")
    print("but rise most for these users:")
    for i in np.argsort(mean)[::-1][:3]:
        if mean[i] > 0:
            print(f"  {users[i]:>6}: {mean[i] / 60:8.1f} min, {jobs[i]} jobs")
    worst = int(np.argmax(change))
    print(
        f"hurt most: job {trace.job_id[worst]}, {trace.processors[worst]} processors, "
        f"{change[worst] / 3600:.1f} h later"
    )


if __name__ == "__main__":
    main()
