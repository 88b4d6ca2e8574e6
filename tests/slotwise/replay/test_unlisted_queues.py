"""Warnings about queues and partitions of a log for which a site has no queue."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw
from slotwise.replay.warnings.unlisted_names import unlisted_queues

CPU = sw.Queue("cpu", trace_queues=["cpu"], walltime=(0, 3600))
GPU = sw.Queue("gpu", trace_queues=["gpu"], walltime=(0, 7200))


def log(hours: list[float] | None = None, **columns: Any) -> sw.Trace:
    (names,) = columns.values()
    asked = [int(3600 * hour) for hour in hours or [1] * len(names)]
    return sw.Trace.from_columns(
        [0] * len(names), [9] * len(names), [1] * len(names), requested_time=asked, **columns
    )


def told(trace: sw.Trace, *queues: sw.Queue) -> list[str]:
    return list(unlisted_queues(sw.Site(8, queues=queues or (CPU, GPU)), trace))


def test_jobs_of_an_unknown_partition_are_reported_with_their_queue() -> None:
    gone = log(partition=["cpu", "gpu", "gone"])
    warning = (
        "the log's partition 'gone' is in no trace_queues: 1 job goes to queue 'cpu', the first to "
        "accept it; add the name to the trace_queues of the right queue"
    )
    assert told(gone) == [warning]
    with pytest.warns(sw.SiteWarning, match="the log's partition 'gone'"):
        sw.simulate(gone, sw.Site(8, queues=(CPU, GPU)))
    # The second job of 'long' requests two hours, and only gpu accepts it.
    assert told(log([1, 2], queue=["long", "long"])) == [
        "the log's queue 'long' is in no trace_queues: 2 jobs go to queues 'cpu' and 'gpu', the "
        "first to accept them; add the name to the trace_queues of the right queue"
    ]


def test_jobs_of_an_unknown_partition_that_no_queue_accepts_are_reported() -> None:
    # The job requests nine hours, more than either queue allows.
    assert told(log([9, 1], queue=["gone", "cpu"])) == [
        "the log's queue 'gone' is in no trace_queues, and 1 job from it is accepted by no queue; "
        "add the name to the trace_queues of a queue"
    ]


def test_more_than_five_names_are_counted() -> None:
    many = told(log(queue=[f"q{number}" for number in range(7)]))
    assert len(many) == 6
    assert many[-1] == (
        "2 more queues of the log, with 2 jobs, are in no trace_queues; add the names to the "
        "trace_queues of the right queues"
    )


@pytest.mark.parametrize(
    ("trace", "queues"),
    [
        (log(queue=["cpu", "gpu"]), (CPU, GPU)),  # both have a queue
        (log(queue=[7]), (CPU, GPU)),  # the queue has no name
        (log(queue=[-1]), (CPU, GPU)),  # the log names no queue for the job
        (log(queue=["gone"]), (sw.Queue("all"),)),  # no queue has trace_queues
        (log(queue=["gone"]), (sw.Queue("all"), CPU)),  # the queue is meant for all jobs
    ],
)
def test_no_warning(trace: sw.Trace, queues: tuple[sw.Queue, ...]) -> None:
    assert told(trace, *queues) == []
