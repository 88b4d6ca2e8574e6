"""``slotwise study``."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
import typer

from slotwise.cli import main
from slotwise.cli.commands.study_tables import study_tables
from slotwise.cli.signatures import main as cli_app
from slotwise.cli.signatures.study import add_study
from slotwise.studies import Row, registry
from slotwise.studies.result import StudyResult
from slotwise.studies.study import StudyInfo

if TYPE_CHECKING:
    from pathlib import Path

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def slotwise(
    coins: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    """Run one command line while the study of coins is registered."""
    group = typer.Typer(name="study")
    add_study(group, registry.study_named(coins))
    groups = [g for g in cli_app.app.registered_groups if g.name != "study"]
    monkeypatch.setattr(cli_app.app, "registered_groups", groups)
    cli_app.app.add_typer(group, name="study")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["study", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_our_figures_appear_beside_the_papers(slotwise: Command) -> None:
    code, out, _ = slotwise("coins")
    assert code == 0
    assert "Table I: what coins pay; ours ± SD (paper)" in out
    # Coin 1 pays 1 + 1·(1, 2, 3): mean 3, deviation 1; the paper has 2.
    assert "3.00 ±1.00 (2.00)" in out
    assert "Paper: A. Mint, Of Coins, 1850." in out
    assert "Coins are of copper." in out
    assert out.endswith("\nVerdict\nCoins pay as the paper says.\n")


def test_a_terminal_shows_long_tables_in_part() -> None:
    rows = [Row("I", {"size": size}, float(size)) for size in range(7)]
    rows += [Row("II", {"day": day, "coin": "cent"}, float(day)) for day in range(7)]
    info = StudyInfo(
        "long", "", "", lambda _run: [], across={"II": "coin"}, every={"I": 3, "II": 4}
    )
    listed, laid_out = study_tables(StudyResult(info, tuple(rows), 1.0, (), (), {}))
    assert list(listed.columns[0].cells) == ["0", "3", "6"]
    assert list(laid_out.columns[0].cells) == ["0", "4"]
    assert (
        listed.caption == "one line in 3 is shown; the files written with --out contain all lines"
    )


def test_a_column_without_an_entry_is_left_out() -> None:
    info = StudyInfo("some", "", "", lambda _run: [])
    rows = [
        Row("I", {"coin": "cent"}, 1.0),
        Row("I", {"coin": "mite", "year": 1850}, None, more={"weight": None, "worth": 2.0}),
        Row("II", {"coin": "cent"}, 1.0, 0.5, 2.0, {"weight": 3.0}),
    ]
    few, every = study_tables(StudyResult(info, tuple(rows), 1.0, (), (), {}))
    assert [column.header for column in few.columns] == ["coin", "year", "ours", "worth"]
    assert [list(column.cells) for column in few.columns] == [
        ["cent", "mite"], ["", "1850"], ["1.00", ""], ["", "2.00"],
    ]  # fmt: skip
    assert [column.header for column in every.columns] == ["coin", "ours", "±", "paper", "weight"]


def test_json_is_one_object_with_study_rows_and_seconds(slotwise: Command) -> None:
    _, out, err = slotwise("coins", "--quick", "--json", "--seeds", "1", "--base", "3")
    given = json.loads(out)
    assert set(given) == {"study", "rows", "seconds", "notes", "verdict"}
    assert given["study"] == "coins"
    assert given["rows"][1] == {
        "table": "I", "coin": 2, "ours": 5.0, "spread": None, "paper": None,
    }  # fmt: skip
    assert given["rows"][-1]["ours"] is None
    assert err == ""


def test_a_text_option_remains_a_text(slotwise: Command) -> None:
    assert "Coins are of 24." in slotwise("coins", "--metal", "24")[1]


def test_out_receives_rows_and_pictures(slotwise: Command, tmp_path: Path) -> None:
    code, out, _ = slotwise("coins", "--out", "found")
    assert code == 0
    assert "4 files written to found: 1 json, 1 csv, 1 png, 1 svg." in out
    found = sorted(path.name for path in (tmp_path / "found").iterdir())
    assert found == ["coins.png", "coins.svg", "rows.csv", "rows.json"]


def test_cells_are_kept_in_the_cache_by_default(
    slotwise: Command, computed: list[Any], tmp_path: Path
) -> None:
    slotwise("coins", "--fresh")
    assert not (tmp_path / "cache").exists()
    slotwise("coins")
    assert (tmp_path / "cache" / "slotwise" / "studies" / "coins.jsonl").exists()
    slotwise("coins")
    assert len(computed) == 18
    slotwise("coins", "--cache", "mine")
    assert (tmp_path / "mine" / "coins.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seeds", "none"], "--seeds none must be a whole number from 1 to 4096"),
        (["--workers", "0"], "--workers 0 must be a whole number from 1 to 4096"),
        (["--out", "no/folder"], "there is no folder 'no'; create it first"),
        (["--out", "file"], "--out file is a file; choose a folder"),
        (["--fresh", "--cache", "mine"], "--fresh stores nothing, but --cache sets"),
        (["--base", "-1"], "--base -1: a coin pays something; give 0 or more"),
        (["--colour"], "No such option: --colour"),
    ],
)
def test_impossible_options_are_refused_before_the_work(
    slotwise: Command, computed: list[Any], tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "file").touch()
    code, out, err = slotwise("coins", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert computed == []


def test_without_a_folder_for_cells_the_study_runs_with_a_warning(
    slotwise: Command, tmp_path: Path
) -> None:
    (tmp_path / "cache").touch()
    code, out, err = slotwise("coins", "--json")
    assert (code, json.loads(out)["study"]) == (0, "coins")
    assert err.startswith("slotwise: cannot store finished results in ")
    code, out, err = slotwise("coins", "--cache", "cache/cells")
    assert (code, out) == (2, "")
    assert "Not a directory; choose another folder, or use --fresh" in err


def test_an_unknown_study_is_a_fault_of_usage(slotwise: Command) -> None:
    code, _, err = slotwise("colns")
    assert code == 2
    assert "unknown command 'colns'" in err


def test_a_full_disk_names_the_file_of_the_cells_and_the_study_resumes_later(
    slotwise: Command, computed: list[Any], tmp_path: Path
) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The limit simulates a full disk; one cell takes about 140 bytes.
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, before[1]))
    try:
        code, out, err = slotwise("coins", "--cache", "mine", "--workers", "1")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (code, out) == (1, "")
    assert err == "slotwise: error: mine/coins.jsonl: File too large\n"
    computed.clear()
    assert slotwise("coins", "--cache", "mine")[0] == 0
    assert len(computed) == 8  # the first of nine cells had been stored
