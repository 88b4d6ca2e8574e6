"""Fixtures: a small study named `coins`, and a list of its computed cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from slotwise.studies import Row, registry, study

if TYPE_CHECKING:
    from pathlib import Path

    from slotwise.studies import StudyRun


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the cells of tests out of the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def computed() -> list[tuple[int, int]]:
    """List the computed cells of `coins`, as (coin, seed)."""
    return []


@pytest.fixture
def coins(computed: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> str:
    """Register a study with two tables (a coin pays its value times the seed); return its name."""
    registry.studies()  # loads the package's own studies before the registry is replaced
    monkeypatch.setattr(registry, "_studies", {})

    def pay(coin: int, seed: int) -> dict[str, Any]:
        computed.append((coin, seed))
        return {"pay": coin * seed, "pair": (coin, seed)}

    @study(
        "coins",
        paper="A. Mint, Of Coins, 1850",
        seeds=3,
        titles={"I": "what coins pay"},
        across={"I": "coin"},
    )
    def coins(run: StudyRun, *, base: int = 1, metal: str | None = None) -> list[Row]:
        """Pay of coins.

        Parameters
        ----------
        base : int
            Pay of every coin in addition to its own.
        metal : str, optional
            Metal of the coins.
        """
        if base < 0:
            raise ValueError(f"base={base}: a coin pays something; give 0 or more")
        chosen = [1, 2] if run.quick else [1, 2, 5]
        cells = [{"coin": coin, "seed": seed} for coin in chosen for seed in run.seeds]
        found = run.map("pays of coins", pay, cells, inputs=f"base {base}")
        run.note(f"Coins are of {metal or 'copper'}.")
        run.conclude("Coins pay as the paper says.")
        run.picture("coins", _figure)
        rows = []
        for at, coin in enumerate(chosen):
            values = found[at * len(run.seeds) : (at + 1) * len(run.seeds)]
            pays = [base + value["pay"] for value in values]
            rows.append(Row.of_seeds("I", {"coin": coin}, pays, paper=2.0 if coin == 1 else None))
        rows.append(Row("extra", {"pair": str(found[-1]["pair"])}, float("nan"), more={"n": 1}))
        return rows

    return "coins"


def _figure() -> Any:
    from slotwise.pictures.figure import new_figure

    figure = new_figure(2, 2)
    figure.add_subplot().plot([1, 2], [2, 1])
    return figure
