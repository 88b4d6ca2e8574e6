"""Orders that score jobs by a formula, against scores derived in comments."""

from __future__ import annotations

import numpy as np
import pytest

import slotwise as sw

Job = tuple[int, int, int]
"""Submit time, requested time and processors."""


def ranking(order: str, jobs: dict[str, Job]) -> str:
    """Return the names of the jobs in start order; the first starts at 100, the others follow.

    The machine of 16 processors is full from 0 to 100. Every job takes more than half of it and
    runs for 1 second, so each pass from 100 onwards starts the job with the best score.
    """
    rows = [(0, 100, 16), *jobs.values()]
    submit, requested, processors = (np.array(column) for column in zip(*rows, strict=True))
    run_time = np.array([100] + [1] * len(jobs))
    trace = sw.Trace.from_columns(submit, run_time, processors, requested, max_processors=16)
    site = sw.Site(policy=sw.Policy(order=order, backfill="none"))
    start = sw.simulate(trace, site).start[1:]
    assert sorted(start.tolist()) == list(range(100, 100 + len(jobs)))
    return " ".join(np.array(list(jobs))[np.argsort(start)])


def test_wfp3_takes_the_largest_cubed_relative_wait_times_processors() -> None:
    # (wait / request)^3 x processors at 100:
    #   a (80/40)^3 x 9 = 72    b (80/40)^3 x 16 = 128
    #   c (60/20)^3 x 10 = 270  d (50/50)^3 x 16 = 16
    # A second later every wait is 1 s longer: b 132.9, a 74.7, d 17.0; the ranking is the same.
    jobs = {"a": (20, 40, 9), "b": (20, 40, 16), "c": (40, 20, 10), "d": (50, 50, 16)}
    assert ranking("wfp3", jobs) == "c b a d"


def test_unicef_takes_the_largest_wait_over_log2_of_processors_times_request() -> None:
    # wait / (log2(processors) x request) at 100, log2(9) = 3.170:
    #   a 80/(4 x 10) = 2.00   b 60/(3.170 x 10) = 1.89   c 60/(4 x 10) = 1.50   d 40/(4 x 4) = 2.50
    # A second later: a 2.03, b 1.92, c 1.53; the ranking is the same.
    jobs = {"a": (20, 10, 16), "b": (40, 10, 9), "c": (40, 10, 16), "d": (60, 4, 16)}
    assert ranking("unicef", jobs) == "d a b c"


def test_the_weights_of_priority_decide_who_goes_first() -> None:
    # Kraken's weights, at minute 2: 5q + 100(1 + q/r) + c, for a wait q, request r and c processors
    #   a waits 2, requests 30: 10 + 106.7 + 9 = 125.7    b waits 1, requests 5: 5 + 120 + 16 = 141
    #   c waits 1, requests 0.5, counted as 1: 5 + 200 + 9 = 214
    trace = sw.Trace.from_columns([0, 60, 60], [9] * 3, [9, 16, 9], [1800, 300, 30])
    assert sw.scores(trace, "priority", 120).tolist() == [10 + 100 * (1 + 2 / 30) + 9, 141, 214]
    # With these weights, the score is 20 x (1 + q/r) - 0.5 x processors - 3 x queue priority.
    order = {"name": "priority", "queue_time": 0, "expansion": 10, "service": 2, "resource": -0.5,
             "qos": -3}  # fmt: skip
    found = sw.scores(trace, order, [120, 180], jobs=[2, 1], queue_priority=[0, 1, 4])
    assert found.tolist() == [[40 - 4.5 - 12, 24 - 8 - 3], [60 - 4.5 - 12, 28 - 8 - 3]]


def test_scores_name_what_is_wrong_with_their_arguments() -> None:
    trace = sw.Trace.from_columns([0, 60], [9, 9], [1, 1])
    with pytest.raises(
        ValueError, match="jobs has positions from 0 to 2; use positions from 0 to 1"
    ):
        sw.scores(trace, "fcfs", 0, jobs=[0, 2])
    with pytest.raises(ValueError, match="whole number of seconds"):
        sw.scores(trace, "fcfs", 0.5)
    with pytest.raises(ValueError, match=r"queue_priority has shape \(3,\); pass one value per"):
        sw.scores(trace, "priority", 0, queue_priority=[1, 2, 3])
    with pytest.raises(sw.SiteError, match="unknown order 'seniority'"):
        sw.scores(trace, "seniority", 0)


def test_saf_takes_the_smallest_area() -> None:
    # request x processors: a 40 x 9 = 360, b 20 x 10 = 200, c 25 x 16 = 400, d 50 x 9 = 450.
    jobs = {"a": (10, 40, 9), "b": (20, 20, 10), "c": (30, 25, 16), "d": (40, 50, 9)}
    assert ranking("saf", jobs) == "b a c d"


# In the formulas, r is the requested time, n the number of processors, and s the time from the
# first job of the trace to the submission. The values of s are 50, 51, 52 and 60; those of
# log10(s) are 1.698970, 1.707570, 1.716003 and 1.778151. The smallest score comes first.
@pytest.mark.parametrize(
    ("order", "jobs", "expected"),
    [
        # log10(r) n + 870 log10(s):
        #   a 64 + 1478.1 = 1542.1   b 9 + 1485.6 = 1494.6   c 48 + 1492.9 = 1540.9
        #   d 9 + 1547.0 = 1556.0
        (
            "f1",
            {"a": (50, 10_000, 16), "b": (51, 10, 9), "c": (52, 1_000, 16), "d": (60, 10, 9)},
            "b c a d",
        ),
        # sqrt(r) n + 25600 log10(s):
        #   a 1600 + 43493.6 = 45093.6   b 100 + 43713.8 = 43813.8   c 960 + 43929.7 = 44889.7
        #   d 90 + 45520.7 = 45610.7
        (
            "f2",
            {"a": (50, 10_000, 16), "b": (51, 100, 10), "c": (52, 3_600, 16), "d": (60, 100, 9)},
            "b c a d",
        ),
        # r n + 6860000 log10(s):
        #   a 320000 + 11654934 = 11974934   b 1000 + 11713930 = 11714930
        #   c 160000 + 11771783 = 11931783   d 900 + 12198118 = 12199018
        (
            "f3",
            {"a": (50, 20_000, 16), "b": (51, 100, 10), "c": (52, 10_000, 16), "d": (60, 100, 9)},
            "b c a d",
        ),
        # r sqrt(n) + 530000 log10(s):
        #   a 80000 + 900454 = 980454   b 300 + 905012 = 905312   c 40000 + 909482 = 949482
        #   d 300 + 942420 = 942720
        (
            "f4",
            {"a": (50, 20_000, 16), "b": (51, 100, 9), "c": (52, 10_000, 16), "d": (60, 100, 9)},
            "b d c a",
        ),
    ],
)
def test_learned_formulas_take_the_smallest_score(
    order: str, jobs: dict[str, Job], expected: str
) -> None:
    assert ranking(order, jobs) == expected
