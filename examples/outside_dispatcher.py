"""A dispatcher in Python, shortest job first, compared with the equivalent built-in policy."""

from __future__ import annotations

import slotwise as sw


def shortest_first(queue: sw.JobView, machine: sw.MachineView) -> list[int]:
    """Start the waiting jobs that fit, shortest requested time first."""
    free, chosen = machine.free, []
    processors, job_id = queue.processors, queue.job_id
    for row in queue.requested_time.argsort(kind="stable"):
        if processors[row] <= free:
            free -= int(processors[row])
            chosen.append(int(job_id[row]))
    return chosen


def main() -> None:
    """Replay a generated log with the dispatcher and with the built-in policy."""
    trace = sw.generate("lublin", n_jobs=5000, processors=128, load=0.9, seed=7)
    outside = sw.simulate(trace, sw.Site(policy=sw.External(shortest_first)))
    built_in = sw.simulate(trace, sw.Site(policy=sw.Policy(order="sjf", backfill="first-fit")))
    for name, result in (("outside", outside), ("built in", built_in)):
        print(f"{name:<8}  mean wait {result.metrics()['mean_wait']:,.0f} s")
    print("the same schedule:", bool((outside.start == built_in.start).all()))


if __name__ == "__main__":
    main()
