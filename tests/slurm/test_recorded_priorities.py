"""`Result.priority_at` on the recorded schedule, compared with `sprio -l` and with Slurm's log."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slurm.case import Case
from slurm.priorities import renewal_instants
from slurm.recorded_site import site_of, trace_of
from slurm.test_priorities import ROUNDED, snapshots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

PERIOD = 300


@dataclass(frozen=True)
class RecordedSchedule:
    """Starts and ends from a recording, and queues from a replay."""

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    queue: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.start)


class OnRecord:
    """Priorities of recorded jobs under the preset, with the recorded starts and ends.

    Priorities are recalculated every 300 s from the first submission. An added job, which never
    starts, is submitted first, so that these recalculations are at the recorded times.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.case = Case.named(name)
        self.jobs = self.case.recording.jobs
        first = min(each.job.submit for each in self.jobs.values())
        instant = renewal_instants(self.case.recording.events)[0]
        self.first = instant - -((first - instant) // -PERIOD) * PERIOD - PERIOD
        trace = trace_of(name, first_submit=self.first)
        result = copy.copy(sw.simulate(trace, site_of(name)))
        numbers = trace.job_id.tolist()
        self.rows = {number: row for row, number in enumerate(numbers)}
        recorded = [self.jobs.get(number) for number in numbers]
        result.schedule = RecordedSchedule(
            np.array([each.start if each else -1 for each in recorded]),
            np.array([each.end if each else -1 for each in recorded]),
            result.schedule.queue,
        )
        self.result = result

    def at(self, job: int, time: int) -> sw.SlurmPriority:
        return self.result.priority_at(self.rows[job], time)

    def is_renewed(self, job: int, time: int) -> bool:
        """Return true if priorities were recalculated between the job's submission and `time`."""
        last = self.first + (time - self.first) // PERIOD * PERIOD
        return self.jobs[job].job.submit < last


def logged(on: OnRecord) -> Iterator[tuple[int, int, dict[str, float]]]:
    """Yield job, time and parts of each priority that Slurm recalculated at a renewal."""
    for line in on.case.recording.events:
        instant, kind, *fields = line.split()
        time = int(float(instant))
        if kind == "parts" and on.is_renewed(int(fields[0]), time):
            if (time - on.first) % PERIOD > 2:
                continue  # not a renewal: a site factor was set
            parts = dict(each.split("=") for each in fields[2:])
            yield int(fields[0]), time, {name: float(value) for name, value in parts.items()}


@pytest.mark.filterwarnings("ignore::slotwise.SiteWarning")  # some QOS have no jobs
def test_the_parts_that_sprio_prints() -> None:
    # sprio prints whole numbers. The snapshot after job N is taken a second after its submission.
    on = OnRecord("factors")
    errors = []
    for last, printed in snapshots():
        time = on.jobs[last].job.submit + 1
        for job, words in printed.items():
            at = on.at(job, time)
            parts = (at.site, at.age, at.association, at.job_size, at.partition, at.qos, at.nice)
            columns = [int(words[place]) for place in (4, 5, 6, 8, 9, 10, 11)]
            assert parts == pytest.approx(columns, abs=0.51), (last, job)
            # The rest of the priority, without the fair share, is as printed as well.
            others = at.priority - at.fairshare
            assert others == pytest.approx(int(words[3]) - int(words[7]), abs=1.51), (last, job)
            errors.append((at.fairshare - int(words[7])) / 1500)
    assert len(errors) == 42
    assert max(map(abs, errors)) * 1500 < 0.51


@pytest.mark.filterwarnings("ignore::slotwise.SiteWarning")
@pytest.mark.parametrize(
    ("name", "count", "weight", "largest"),
    # Some recalculations of `reset` are up to 2 s later than in the replay.
    [("factors", 171, 1500, 0.000004), ("reset", 440, 4000, 0.00019)],
)
def test_every_recalculated_age_and_fair_share(
    name: str, count: int, weight: float, largest: float
) -> None:
    on = OnRecord(name)
    errors = []
    for job, time, parts in logged(on):
        assert on.at(job, time).age == pytest.approx(parts.get("age", 0), abs=ROUNDED), (job, time)
        errors.append(abs(on.at(job, time).fairshare - parts["fairshare"]) / weight)
    assert len(errors) == count
    assert max(errors) < largest
