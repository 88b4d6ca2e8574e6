"""Names at the top level of the package, and their older names."""

from __future__ import annotations

import csv
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

TRACE = sw.Trace.from_columns([0, 10], [60, 60], [4, 4], max_processors=4)


@pytest.mark.parametrize(
    ("name", "older"),
    [
        ("list_orders", "orders"),
        ("list_backfills", "backfills"),
        ("list_models", "models"),
        ("list_node_orders", "node_orders"),
        ("order_scores", "scores"),
        ("Dispatcher", "External"),
    ],
)
def test_a_name_and_its_older_name_are_the_same_object(name: str, older: str) -> None:
    assert getattr(sw, name) is getattr(sw, older)
    assert {name, older} <= set(sw.__all__)


def test_counts_and_timeline_equal_their_older_names() -> None:
    result = sw.simulate(TRACE)
    assert result.state_counts() == result.states()
    assert result.state_counts()[sw.State.COMPLETED] == 2
    assert result.reject_counts() == result.rejections() == {}
    for name, column in result.timeline().items():
        assert column.tolist() == result.series()[name].tolist()


def test_a_result_writes_its_jobs_and_its_report(tmp_path: Path) -> None:
    result = sw.simulate(TRACE)
    result.to_csv(tmp_path / "jobs.txt")
    with (tmp_path / "jobs.txt").open(newline="") as file:
        rows = list(csv.DictReader(file))
    # The second job needs all processors, so it starts when the first ends, at 60.
    assert [row["starting_time"] for row in rows] == ["0", "60"]
    result.to_report(tmp_path / "report.html", title="Two jobs")
    assert "Two jobs" in (tmp_path / "report.html").read_text()


def test_a_trace_is_read_from_csv(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("submit,run_time,processors\n0,60,4\n10,60,4\n")
    assert sw.read_csv(tmp_path / "log").run_time.tolist() == [60, 60]


def test_two_results_are_compared() -> None:
    first = sw.simulate(TRACE)
    second = sw.simulate(TRACE, sw.Site(machine=8))
    # The second job waits 50 s on 4 processors and not at all on 8: 25 s less on average.
    assert sw.compare(first, second).mean == pytest.approx(-25)


def test_the_package_loads_no_library_larger_than_numpy() -> None:
    heavy = "{'scipy', 'pyarrow', 'matplotlib', 'typer', 'rich', 'optuna', 'ortools'}"
    code = f"import sys, slotwise; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_machine_is_read_from_a_slurm_conf(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("NodeName=n[1-2] CPUs=4 RealMemory=1024\n")
    machine = sw.Nodes.from_slurm_conf(tmp_path / "slurm.conf")
    assert machine == sw.read_slurm_nodes(tmp_path / "slurm.conf")
    assert machine.count == 8


def test_the_knapsack_is_a_module_of_the_package() -> None:
    from slotwise.knapsack import fill_slots

    assert fill_slots is sw.fill_slots


@pytest.mark.parametrize("order", ["sorted", "reversed"])
def test_every_public_name_is_found_in_a_fresh_interpreter(order: str) -> None:
    code = f"import slotwise\nfor name in {order}(slotwise.__all__):\n    getattr(slotwise, name)"
    subprocess.run([sys.executable, "-c", code], check=True)
