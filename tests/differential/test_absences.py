"""The core against the oracle, with overlapping outages, repairs and drains, and with checkpoints.

The cases are the same in every run. SLOTWISE_EXAMPLES=20000 compares 20,000 cases.
"""

from __future__ import annotations

import pytest

from reference.examples import GIVEN
from reference.sites.comparison import assert_core_agrees
from reference.sites.dense import BESIDE, dense_case

N_CASES = int(GIVEN or 96)


@pytest.mark.parametrize("first", range(len(BESIDE)), ids=["-".join(b) or "alone" for b in BESIDE])
def test_core_agrees_where_absences_overlap(first: int) -> None:
    for seed in range(first, N_CASES, len(BESIDE)):
        assert_core_agrees(dense_case(seed))


def test_core_agrees_where_a_starving_job_leaves_a_spanning_job_no_room() -> None:
    # The head requests 1 processor for 9 s, and starving jobs leave it only pool a, which has 1
    # processor. Pool a is unavailable on [16 + 12 k, 19 + 12 k), and passes run at 5 + 3 k. No gap
    # is long enough for the job: on [19, 28), for example, the first pass runs at 20, so the job
    # would run until 29. The search for its reservation once tried 100,000 gaps in order.
    assert_core_agrees(dense_case(18173))
