"""The study ``beats``: the mean wait of ``metronome`` jobs for several run times."""

from slotwise import generate, simulate
from slotwise.studies import Row, StudyRun, study


@study("beats", paper="an example of a package that extends Slotwise", seeds=1, quick_seeds=1,
       titles={"I": "mean wait"})  # fmt: skip
def beats(run: StudyRun) -> list[Row]:
    """Compute the mean wait for each run time."""
    cells = [{"run_time": seconds} for seconds in (60, 120, 240)]

    def mean_wait(run_time: int) -> float:
        trace = generate("metronome", run_time=run_time)
        return simulate(trace).metrics()["mean_wait"]

    waits = run.map("mean wait", mean_wait, cells)
    return [Row.of_seeds("I", cell, [wait]) for cell, wait in zip(cells, waits, strict=True)]
