"""A scheduler in C at the other end of a pipe, compared with the equivalent built-in policy."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import slotwise as sw


def main() -> None:
    """Compile the scheduler, then replay a log with it and with the built-in policy."""
    trace = sw.generate("lublin", n_jobs=5000, processors=128, load=0.9, seed=7)
    source = Path(__file__).with_suffix(".c")
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder, "fcfs"))
        subprocess.run(["cc", "-O2", "-o", program, source], check=True)
        with sw.OutsideScheduler([program]) as scheduler:
            outside = sw.simulate(trace, sw.Site(policy=sw.External(scheduler)))
    built_in = sw.simulate(trace, sw.Site(policy=sw.Policy(order="fcfs", backfill="none")))
    for name, result in (("in C", outside), ("built in", built_in)):
        print(f"{name:<8}  mean wait {result.metrics()['mean_wait']:,.0f} s")
    print("the same schedule:", bool((outside.start == built_in.start).all()))


if __name__ == "__main__":
    main()
