"""Runs of a study: computed cells, stored cells, and the result."""

from __future__ import annotations

import json
import sys
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.studies import Row, StudyInfo, StudyRun, run_study, studies
from slotwise.studies.cells import CellStore
from slotwise.studies.code import code_hash
from slotwise_workers import PlainExecutor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Cells = list[tuple[int, int]]


def a_run(store: CellStore, progress: Callable[[str, float], object] | None = None) -> StudyRun:
    return StudyRun(False, 1, 2, store, progress)


def info(package: str = __name__) -> StudyInfo:
    return StudyInfo("small", "", "", lambda run: [], package=package)


def test_rows_are_mean_and_spread_over_the_seeds(coins: str) -> None:
    # Coin 2 pays 1 + 2·(1, 2, 3) = 3, 5 and 7, with a mean of 5 and a sample deviation of 2.
    rows = run_study(coins).table("I")
    assert [row.keys["coin"] for row in rows] == [1, 2, 5]
    assert (rows[1].ours, rows[1].spread, rows[1].paper) == (5.0, 2.0, None)
    assert rows[0].paper == 2.0


def test_one_seed_has_no_spread(coins: str) -> None:
    assert run_study(coins, seeds=1).rows[0].spread is None


def test_quick_is_smaller(coins: str, computed: Cells) -> None:
    assert len(run_study(coins, quick=True).table("I")) == 2
    assert sorted(computed) == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_cells_in_a_cache_are_not_computed_again(
    coins: str, computed: Cells, tmp_path: Path
) -> None:
    first = run_study(coins, seeds=2, cache=tmp_path)
    assert len(computed) == 6
    second = run_study(coins, seeds=3, cache=tmp_path)
    # Only the cells of seed 3 are computed, one for each coin.
    assert sorted(computed[6:]) == [(1, 3), (2, 3), (5, 3)]
    assert second.table("I")[0].ours == 3.0
    assert run_study(coins, seeds=2, cache=tmp_path).table("I") == first.table("I")
    assert len(computed) == 9


def test_without_a_cache_nothing_is_kept(coins: str, computed: Cells) -> None:
    run_study(coins, seeds=1)
    run_study(coins, seeds=1)
    assert len(computed) == 6


def test_other_inputs_are_other_cells(coins: str, computed: Cells, tmp_path: Path) -> None:
    run_study(coins, seeds=1, cache=tmp_path)
    run_study(coins, seeds=1, cache=tmp_path, base=7)
    assert len(computed) == 6


def test_a_value_is_the_same_computed_and_read_back(tmp_path: Path) -> None:
    for _ in range(2):
        with CellStore.open(tmp_path, info()) as store:
            assert a_run(store).cell("a pair", lambda n: (n, {1: 0.1}), n=2) == [2, {"1": 0.1}]


def test_a_repeated_cell_is_computed_once(tmp_path: Path) -> None:
    seen = []
    with CellStore.open(None, info()) as store:
        assert (
            a_run(store).map("same", lambda n: seen.append(n), [{"n": 1}, {"n": 1}]) == [None] * 2
        )
    assert seen == [1]


def test_cells_of_changed_code_are_recomputed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    package = ModuleType("small")
    package.__path__ = [str(folder)]
    monkeypatch.setitem(sys.modules, "small", package)
    computed: list[int] = []
    for source in ("cost = 1", "cost = 2", "cost = 2"):
        (folder / "costs.py").write_text(source)
        code_hash.cache_clear()
        with CellStore.open(tmp_path, info("small")) as store:
            a_run(store).cell("cells", lambda n: computed.append(n), n=1)
    assert len(computed) == 2


def test_cells_finished_before_an_error_are_kept(tmp_path: Path) -> None:
    def odd(n: int) -> int:
        if n == 5:
            raise ValueError("five")
        return n

    cells = [{"n": n} for n in range(8)]
    with pytest.raises(ValueError, match="five"), CellStore.open(tmp_path, info()) as store:
        StudyRun(False, 1, 1, store).map("odd", odd, cells)
    lines = (tmp_path / "small.jsonl").read_text().splitlines()
    assert {0, 1, 2, 3, 4} <= {json.loads(line)["value"] for line in lines}


def test_a_truncated_line_loses_only_its_cell(tmp_path: Path) -> None:
    cells = [{"n": n} for n in range(3)]
    with CellStore.open(tmp_path, info()) as store:
        a_run(store).map("cells", lambda n: n, cells)
    file = tmp_path / "small.jsonl"
    file.write_bytes(file.read_bytes()[:-9])
    again: list[int] = []
    for _ in range(2):
        with CellStore.open(tmp_path, info()) as store:
            found = a_run(store).map("cells", lambda n: again.append(n) or n, cells)
        assert found == [0, 1, 2]
    assert len(again) == 1


def test_cells_can_be_computed_in_processes() -> None:
    with CellStore.open(None, info()) as store:
        cells = [{"real": n, "imag": 0} for n in (1, 2)]
        assert a_run(store).map("sums", _sum, cells, processes=True) == [1, 2]


def test_cells_can_be_computed_on_an_executor_which_gets_a_trace_once() -> None:
    trace = sw.generate("lublin", n_jobs=2000, processors=64, seed=3)
    executor = PlainExecutor()
    with CellStore.open(None, info()) as store:
        run = StudyRun(False, 1, 2, store, executor=executor)
        cells = [{"add": n} for n in range(5)]
        assert run.map("sizes", partial(_size, trace), cells) == [2000 + n for n in range(5)]
        with pytest.raises(ZeroDivisionError):
            run.map("faults", _divide, [{"by": 0}])
    assert len(executor.sizes) == 6
    assert max(executor.sizes) < 5_000  # a pickled trace of 2000 jobs is larger


def _size(trace: sw.Trace, add: int) -> int:
    return len(trace) + add


def _divide(by: int) -> float:
    return 1 / by


def _sum(real: int, imag: int) -> int:
    return real + imag


def test_progress_names_the_work_and_ends_at_one() -> None:
    told: list[tuple[str, float]] = []
    with CellStore.open(None, info()) as store:
        run = a_run(store, lambda what, part: told.append((what, part)))
        run.map("halves", lambda n: n, [{"n": 1}, {"n": 2}])
    assert told[0] == ("halves", 0.0)
    assert told[-1] == ("halves", 1.0)


def test_a_parameter_that_json_cannot_hold_is_refused() -> None:
    with CellStore.open(None, info()) as store, pytest.raises(TypeError, match="set"):
        a_run(store).cell("sets", len, obj={1})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seeds": 0}, "seeds is 0; use a whole number from 1 to 4096"),
        ({"workers": "two"}, "workers is 'two'"),
        ({"colour": 1}, "study 'coins' has no option colour; its options are: base, metal"),
    ],
)
def test_wrong_arguments_are_refused(coins: str, arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run_study(coins, **arguments)


def test_an_unknown_study_is_refused_with_the_known_ones(coins: str) -> None:
    with pytest.raises(ValueError, match="unknown study 'colns'; choose one of: coins"):
        run_study("colns")


def test_a_row_may_not_repeat_a_field() -> None:
    with pytest.raises(ValueError, match="ours is already a field"):
        Row("I", {"ours": 1}, 2.0)


def test_every_study_has_a_description_a_page_and_described_options() -> None:
    from pathlib import Path

    from slotwise.cli.keywords import parameter_help

    pages = Path(__file__).parents[2] / "docs" / "studies"
    for each in studies():
        assert each.doc.endswith("."), each.name
        assert len(each.paper) > 20, each.name
        assert (pages / f"{each.name}.md").exists(), each.name
        assert set(parameter_help(each.function)) >= set(each.parameters), each.name
