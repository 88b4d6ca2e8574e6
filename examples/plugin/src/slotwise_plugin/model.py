"""The workload model ``metronome``: equal jobs at equal intervals."""

from slotwise import Trace
from slotwise.generators.registry import model


@model("metronome", reference="an example of a package that extends Slotwise")
def metronome(
    *, n_jobs: int = 100, processors: int = 8, interval: int = 60, run_time: int = 120
) -> Trace:
    """Generate equal jobs at equal intervals.

    Parameters
    ----------
    n_jobs : int
        Number of jobs.
    processors : int
        Number of processors in the machine; each job takes half of them.
    interval : int
        Seconds between consecutive submissions.
    run_time : int
        Run time of each job in seconds.
    """
    submit = [interval * i for i in range(n_jobs)]
    half = [max(processors // 2, 1)] * n_jobs
    return Trace.from_columns(submit, [run_time] * n_jobs, half, max_processors=processors)
