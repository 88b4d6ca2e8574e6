"""Sites compare as equal only if their functions compute the same."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.site.function_values import site_values

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_factor = 1.0


def weighed(weight: Any) -> Callable[..., Any]:
    return lambda jobs, _now: weight * jobs.wait


def of_global(jobs: Any, _now: int) -> Any:
    return _factor * jobs.wait


class Weighed:
    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, jobs: Any, _now: int) -> Any:
        return self.weight * jobs.wait

    def score(self, jobs: Any, _now: int) -> Any:
        return self.weight * jobs.wait


def by_weight(weight: float, jobs: Any, _now: int) -> Any:
    return weight * jobs.wait


def values_of(function: Any) -> dict[str, Any]:
    return site_values(sw.Site(64, sw.Policy(order=sw.NumPyOrder(function, name="mine"))))


@pytest.mark.parametrize(
    "make",
    [
        weighed,
        lambda weight: weighed(np.array([weight])),
        lambda weight: weighed([weight]),
        Weighed,
        lambda weight: Weighed(weight).score,
        lambda weight: partial(by_weight, weight),
        lambda weight: lambda jobs, now: weighed(weight)(jobs, now),
    ],
)
def test_functions_that_read_other_values_differ(make: Callable[[float], Any]) -> None:
    assert values_of(make(1.0)) == values_of(make(1.0))
    assert values_of(make(1.0)) != values_of(make(2.0))


def test_a_function_that_reads_another_global_value_differs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = values_of(of_global)
    assert values_of(of_global) == before
    monkeypatch.setattr(f"{__name__}._factor", 2.0)
    assert values_of(of_global) != before


def test_functions_of_other_code_differ() -> None:
    assert values_of(lambda jobs, _now: jobs.wait) != values_of(lambda jobs, _now: -jobs.wait)
    assert values_of(lambda jobs, _now: jobs.wait) != values_of(lambda jobs, _now: jobs.submit)


def test_a_site_without_functions_has_the_values_of_its_file() -> None:
    site = sw.Site(64, sw.Policy(order="sjf"))
    assert site_values(site) == site.to_dict()


def test_a_journal_of_another_function_is_refused(tmp_path: Path) -> None:
    trace = sw.Trace.from_columns([0, 0, 0], [9, 5, 7], [1, 1, 1], max_processors=1)
    path = tmp_path / "sweep.jsonl"

    def site(sign: int) -> sw.Site:
        return sw.Site(policy=sw.Policy(order=lambda jobs, _now: sign * jobs.requested_time))

    # Longest first: waits of 0, 9 and 16 s. Shortest first: 0, 5 and 12 s.
    assert sw.sweep(trace, [site(1)], journal=path)["mean_wait"].tolist() == [25 / 3]
    with pytest.raises(ValueError, match="differs in: sites"):
        sw.sweep(trace, [site(-1)], journal=path)
    assert sw.sweep(trace, [site(-1)])["mean_wait"].tolist() == [17 / 3]
