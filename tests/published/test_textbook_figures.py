"""Metrics under textbook rules on real logs, compared digit by digit with those of a model.

The model was written before this engine, and was run on the same prepared logs; the README in the
folder of logs lists its figures.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import slotwise as sw

Log = Callable[[str], sw.Trace]

# Mean wait, mean bounded slowdown, utilisation, longest wait, last end.
EASY = {
    "KTH-SP2": ("6837.49", "92.7299", "0.697121", 262_194, 28_763_776),
    "SDSC-BLUE": ("7870.27", "37.4134", "0.765402", 428_774, 84_289_577),
}


@pytest.mark.parametrize("log", EASY)
def test_textbook_easy(log: str, normalised: Log) -> None:
    result = sw.simulate(normalised(log))
    metrics = result.metrics()
    found = (
        f"{metrics['mean_wait']:.2f}",
        f"{metrics['mean_bounded_slowdown']:.4f}",
        f"{metrics['utilisation']:.6f}",
        int(result.wait.max()),
        int(result.end.max()),
    )
    assert found == EASY[log]


@pytest.mark.parametrize(
    ("backfill", "mean_wait"), [("none", "353950"), ("conservative", "7319.37")]
)
def test_textbook_mean_wait_of_other_backfills_on_kth(
    backfill: str, mean_wait: str, normalised: Log
) -> None:
    site = sw.Site(policy=sw.Policy(backfill=backfill))
    found = sw.simulate(normalised("KTH-SP2"), site).metrics()["mean_wait"]
    digits = len(mean_wait.partition(".")[2])
    assert f"{found:.{digits}f}" == mean_wait


def test_a_pass_after_each_event_changes_many_starts(normalised: Log) -> None:
    """Unlike textbook EASY, pyss runs a pass after each event, and many starts differ."""
    trace = normalised("SDSC-BLUE")
    textbook = sw.simulate(trace)
    pyss = sw.simulate(trace, sw.Site(policy=sw.Policy.preset("pyss")))
    assert int(np.count_nonzero(textbook.start != pyss.start)) == 41_402
