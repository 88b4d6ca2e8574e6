"""One small case of every slow test, in the ordinary suite, to show that these tests run."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slow.children import TESTS, outcomes

if TYPE_CHECKING:
    from collections.abc import Callable

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
CASES = (
    "common_pools",
    "forged_snapshots",
    "node_sites",
    "one_pool",
    "random_replays",
    "slurm_decisions",
    "slurm_large_states",
    "slurm_priorities",
    "slurm_replays",
)


def of_slow(name: str) -> Any:
    return import_module(f"slow.{name}")


@pytest.fixture
def every_module(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(TESTS / "fuzz")
    return {name: of_slow(name) for name in MODULES if name != Path(__file__).stem}


def test_every_module_of_slow_tests_is_imported_and_its_cases_run_here(
    every_module: dict[str, Any],
) -> None:
    assert [name for name, module in every_module.items() if hasattr(module, "case")] == [*CASES]


@pytest.mark.parametrize("name", CASES)
def test_one_seed_of_the_random_cases_is_sound(name: str) -> None:
    found = outcomes(f"slow.{name}", range(1), slowest=60)
    assert not found.faults, "\n".join(found.faults)
    assert found.kinds.total() == 1


@pytest.mark.parametrize(("backfill", "most"), [("easy", 200), ("slurm", None)])
def test_a_small_centre_keeps_every_rule(backfill: str, most: int | None) -> None:
    keeps_rules: Callable[..., None] = of_slow("test_gpu_centre").test_the_centre_keeps_every_rule
    keeps_rules(backfill, most, sw.generate("centre", n_jobs=100, load=1.3, seed=7))


def test_one_interrupted_command_leaves_all_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interruptions = of_slow("test_interruptions")
    monkeypatch.setattr(interruptions, "TRIES", 1)
    logs, folder = tmp_path / "logs", tmp_path / "runs"
    logs.mkdir()
    folder.mkdir()
    log = sw.generate("lublin", n_jobs=100, processors=256, seed=1)
    sw.write_swf(log, logs / "log.swf")
    interruptions.test_a_command_ended_at_any_moment_leaves_all_or_nothing(
        "convert to csv", logs, folder
    )
