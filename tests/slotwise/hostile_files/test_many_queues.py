"""Sites with thousands of queues: the check does not compare all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.site import queue_coverage
from slotwise.site.queue_coverage import hidden_queues

if TYPE_CHECKING:
    from collections.abc import Callable

N = 2000


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Count how often a queue is converted into a rectangle."""
    calls = []
    original = queue_coverage._rectangle

    def noted(queue: Any) -> Any:
        calls.append(queue)
        return original(queue)

    monkeypatch.setattr(queue_coverage, "_rectangle", noted)
    return lambda: len(calls)


def test_the_check_of_many_queues_does_not_compare_all_pairs(counted: Callable[[], int]) -> None:
    queues = [sw.Queue(f"q{i}", processors=(i + 1, i + 1)) for i in range(N)]
    assert hidden_queues(queues, [None] * N) == {}
    assert counted() == N


def test_ten_of_many_queues_that_hide_one_are_named() -> None:
    queues = [sw.Queue(f"q{i}", processors=(i + 1, i + 1)) for i in range(12)]
    with pytest.raises(sw.SiteError) as raised:
        sw.Site(12, queues=[*queues, sw.Queue("last", processors=(1, 12))])
    assert str(raised.value).startswith(
        "queue[12]: no job reaches 'last': 'q0', 'q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8', "
        "'q9' and 2 more, which come before it, accept all jobs within its ranges"
    )


@pytest.mark.parametrize("words", [1, 3, 1 << 22])
def test_cells_checked_in_parts_give_the_same_faults(
    monkeypatch: pytest.MonkeyPatch, words: int
) -> None:
    monkeypatch.setattr(queue_coverage, "_WORDS", words)
    # Queue i accepts sizes and times from 1 to 150 - i, a part of those that queue i - 1 accepts.
    nested = [sw.Queue(f"q{i}", processors=(1, 150 - i), walltime=(0, 150 - i)) for i in range(150)]
    found = hidden_queues(nested, [None] * 150)
    assert found == {i: [*range(i)] for i in range(1, 150)}
    # In reverse order, each queue takes some jobs that no earlier queue takes.
    assert hidden_queues(nested[::-1], [None] * 150) == {}
    rows = hidden_queues(nested[::-1], [1] * 150)
    assert rows == {}  # with one processor, the queues still differ in requested times
    # Jobs on more than 100 processors cannot start.
    same = [sw.Queue(f"q{i}", processors=(1, i + 1)) for i in range(150)]
    assert hidden_queues(same, [100] * 150) == {i: [*range(i)] for i in range(100, 150)}


def test_random_queues_are_hidden_if_no_job_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        ends = np.sort(random.integers(1, 90, (40, 2, 2)), axis=2)
        queues = [
            sw.Queue(f"q{i}", processors=sizes, walltime=(times[0] - 1, times[1]))
            for i, (sizes, times) in enumerate(ends.tolist())
        ]
        owner = np.full((91, 91), -1)
        hidden = []
        for i, ((low, high), (first, last)) in enumerate(ends.tolist()):
            part = owner[low : high + 1, first : last + 1]
            hidden += [] if (part == -1).any() else [i]
            part[part == -1] = i
        assert list(hidden_queues(queues, [None] * 40)) == hidden
