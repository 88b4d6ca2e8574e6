"""Files written by a study."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from slotwise.studies import run_study

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_are_written_as_json_and_csv_and_pictures_as_png_and_svg(
    coins: str, tmp_path: Path
) -> None:
    result = run_study(coins)
    written = result.write(tmp_path / "out")
    names = ["rows.json", "rows.csv", "coins.png", "coins.svg"]
    assert [path.name for path in written] == names
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(names)
    assert json.loads((tmp_path / "out" / "rows.json").read_text()) == result.to_dict()
    with (tmp_path / "out" / "rows.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {
        "table": "I", "coin": "1", "ours": "3.0", "spread": "1.0", "paper": "2.0",
        "pair": "", "n": "",
    }  # fmt: skip
    assert (tmp_path / "out" / "coins.png").read_bytes().startswith(b"\x89PNG")


def test_pictures_of_the_same_rows_are_the_same_bytes(coins: str, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run_study(coins).write(tmp_path / folder)
    for name in ("coins.png", "coins.svg"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_values_that_are_not_numbers_are_null(coins: str) -> None:
    assert run_study(coins).to_dict()["rows"][-1]["ours"] is None


def test_an_unknown_table_lists_the_known_ones(coins: str) -> None:
    with pytest.raises(KeyError, match="choose one of: I, extra"):
        run_study(coins).table("II")
