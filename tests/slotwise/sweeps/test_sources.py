"""Sweeps over several traces, and over the seeds of a generated one."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise_workers import PlainExecutor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SITES = [sw.Site(policy=sw.Policy(backfill=backfill)) for backfill in ("none", "easy")]


def drawn(seed: int) -> sw.Trace:
    return sw.generate("lublin", n_jobs=300, processors=32, seed=seed)


TRACES = {"march": drawn(1), "april": drawn(2)}


def expected(traces: list[sw.Trace]) -> list[dict[str, float]]:
    return [sw.simulate(trace, site).metrics() for trace in traces for site in SITES]


def rows_of(sweep: sw.Sweep) -> list[dict[str, float]]:
    return [sweep.row(number) for number in range(len(sweep))]


@pytest.mark.parametrize("how", ["threads", "pool", "elsewhere"])
def test_each_trace_is_replayed_under_each_site(how: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        executor: Any = {"threads": None, "pool": pool, "elsewhere": PlainExecutor()}[how]
        sweep = sw.sweep(TRACES, SITES, executor=executor)
    assert rows_of(sweep) == expected([drawn(1), drawn(2)])
    assert sweep["trace"].tolist() == [0, 0, 1, 1]
    assert sweep["site"].tolist() == [0, 1, 0, 1]
    assert sweep.traces == ("march", "april")


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_function_gives_one_trace_per_seed(elsewhere: bool) -> None:
    executor = PlainExecutor() if elsewhere else None
    sweep = sw.sweep(drawn, SITES, seeds=[7, 3], executor=executor, keep_results=True)
    assert rows_of(sweep) == expected([drawn(7), drawn(3)])
    assert sweep["seed"].tolist() == [7, 7, 3, 3]
    assert sweep.column_names[:3] == ["seed", "site", "seconds"]
    assert [result.trace for result in sweep.results] == [drawn(7), drawn(7), drawn(3), drawn(3)]


def test_threads_generate_the_trace_of_a_seed_once() -> None:
    made: list[int] = []

    def slowly_drawn(seed: int) -> sw.Trace:
        made.append(seed)
        time.sleep(0.05)  # meanwhile, the other three threads need the trace
        return drawn(seed)

    sw.sweep(slowly_drawn, SITES * 2, workers=4, seeds=[7, 3])
    assert sorted(made) == [3, 7]


@dataclass
class Drawn:
    """Generates logs of `n_jobs` jobs; it is mutable, so it has no hash."""

    n_jobs: int

    def __call__(self, seed: int) -> sw.Trace:
        return drawn(seed)[: self.n_jobs]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_function_may_be_an_object_without_a_hash(elsewhere: bool) -> None:
    executor = PlainExecutor() if elsewhere else None
    sweep = sw.sweep(Drawn(200), SITES, seeds=[7, 3], executor=executor)
    assert rows_of(sweep) == expected([drawn(7)[:200], drawn(3)[:200]])


def test_a_sweep_does_not_take_the_traces_of_an_earlier_one() -> None:
    size = 200

    def sized(seed: int) -> sw.Trace:
        return drawn(seed)[:size]

    sw.sweep(sized, SITES, seeds=[7])
    size = 100
    assert rows_of(sw.sweep(sized, SITES, seeds=[7])) == expected([drawn(7)[:100]])


def test_one_trace_has_the_columns_of_before() -> None:
    assert sw.sweep(drawn(1), SITES).column_names[:2] == ["site", "seconds"]


def test_a_journal_keeps_the_rows_of_several_traces(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    for traces, seeds in ((TRACES, None), (drawn, [1, 2])):
        path.unlink(missing_ok=True)
        for _run in range(2):
            sweep = sw.sweep(traces, SITES, seeds=seeds, journal=path)
            assert rows_of(sweep) == expected([drawn(1), drawn(2)])
            assert path.read_text().count("\n") == 1 + 4
    with pytest.raises(ValueError, match="differs in: trace"):
        sw.sweep(drawn, SITES, seeds=[1, 3], journal=path)


def test_a_journal_of_another_function_with_the_same_first_trace_is_refused(
    tmp_path: Path,
) -> None:
    def growing(step: int) -> Callable[[int], sw.Trace]:
        return lambda seed: drawn(1)[: 100 + step * seed]

    path = tmp_path / "sweep.jsonl"
    sw.sweep(growing(10), SITES, seeds=[0, 1], journal=path)
    with pytest.raises(ValueError, match="differs in: trace"):
        sw.sweep(growing(20), SITES, seeds=[0, 1], journal=path)


@pytest.mark.parametrize("kept", [False, True])
def test_a_failure_names_its_site_and_its_trace(kept: bool, tmp_path: Path) -> None:
    bad = sw.Site(policy=sw.Policy(order={"name": "expression", "key": "0/0*(job_id + user)"}))
    journal = tmp_path / "sweep.jsonl" if kept else None
    with pytest.raises(sw.ReplayError, match=r"^site 3 of the sweep: order") as raised:
        sw.sweep(TRACES, [*SITES, bad], journal=journal)
    assert raised.value.__notes__ == ["on trace 'march' of the sweep"]


@pytest.mark.parametrize(
    ("traces", "seeds", "message"),
    [
        ({}, None, "at least one trace, but the mapping is empty"),
        ({"a": 3}, None, "trace 'a' of the sweep: 3 is not a Trace"),
        (drawn, None, r"needs seeds; pass, for example, seeds=range\(10\)"),
        (drawn, [1.5], "seeds contain 1.5; pass whole numbers"),
        (drawn, [-1], "seeds contain -1"),
        (drawn(1), [1], "seeds are for generated traces"),
        (str, [4], "returned '4' for seed 4; it must return a Trace"),
    ],
)
def test_impossible_sources_are_refused(traces: Any, seeds: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        sw.sweep(traces, SITES, seeds=seeds)
