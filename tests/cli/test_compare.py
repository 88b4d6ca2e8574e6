"""``slotwise compare``: columns, marks for the best value, differences, bounds."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from slotwise.cli.fail_if import Bound
from slotwise.replay.metric_format import best_of
from slotwise.terminal.tables import print_comparison

if TYPE_CHECKING:
    from pathlib import Path


def test_lists_of_backfills_and_orders_give_every_pair(slotwise: Any, log: Path) -> None:
    ended = slotwise("compare", log, "--order", "fcfs,sjf", "--backfill", "none,easy", "--json")
    columns = json.loads(ended.out)["columns"]
    assert [column["name"] for column in columns] == [
        "fcfs + none", "fcfs + easy", "sjf + none", "sjf + easy",
    ]  # fmt: skip
    assert columns[3]["site"]["policy"] == {"order": "sjf", "backfill": "easy"}


def test_site_files_presets_and_policies_are_columns_in_that_order(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    (tmp_path / "now.toml").write_text('[policy]\norder = "ljf"\n')
    ended = slotwise(
        "compare", log, "now.toml", "--preset", "pyss", "--policy", "order=sjf,backfill=none",
        "--json",
    )  # fmt: skip
    columns = json.loads(ended.out)["columns"]
    assert [c["name"] for c in columns] == ["now", "pyss", "order=sjf,backfill=none"]
    assert columns[1]["site"]["policy"]["passes"] == "per-event"


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("--preset as-logged --backfill easy", ["as-logged", "easy"]),
        ("--backfill easy --preset as-logged", ["easy", "as-logged"]),
        (
            "--policy order=saf --backfill easy --preset pyss,cqsim --order fcfs,sjf",
            ["order=saf", "fcfs + easy", "sjf + easy", "pyss", "cqsim"],
        ),
        ("--policy order=saf now.toml --preset pyss", ["now", "order=saf", "pyss"]),
    ],
)
def test_columns_keep_the_typed_order_and_the_first_is_the_baseline(
    slotwise: Any, log: Path, tmp_path: Path, typed: str, names: list[str]
) -> None:
    (tmp_path / "now.toml").write_text('[policy]\norder = "ljf"\n')
    log.write_text(log.read_text().replace(" -1 ", " 0 "))  # now the log states every wait
    ended = slotwise("compare", log, *typed.split(), "--json")
    assert ended.code == 0
    columns = json.loads(ended.out)["columns"]
    assert [column["name"] for column in columns] == names
    assert [column["wait_against_first"] is None for column in columns] == [
        name == names[0] for name in names
    ]


def test_a_policy_without_the_machine_of_a_site_file_has_its_remedy(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    log.write_text(re.sub("(?m)^; *Max.*\n", "", log.read_text()))
    (tmp_path / "centre.toml").write_text("[machine]\nprocessors = 8\n")
    ended = slotwise("compare", log, "centre.toml", "--order", "sjf")
    assert ended.code == 2
    told = " ".join(ended.err.split())
    assert "A policy's column does not use centre.toml; to compare policies on its machine" in told


def test_a_single_column_is_refused_with_the_remedy(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    (tmp_path / "centre.toml").write_text('[policy]\norder = "ljf"\n')
    alone = slotwise("compare", log, "centre.toml")
    assert alone.code == 2
    assert "'centre' is the only column, and a comparison needs at least two" in alone.err
    assert "add a site file, or a policy such as --policy" in alone.err
    assert "nothing to compare; add at least two sites or policies" in slotwise("compare", log).err


def test_differences_are_over_the_same_jobs(slotwise: Any, log: Path) -> None:
    ended = slotwise("compare", log, "--backfill", "none,first-fit", "--json")
    first, second = json.loads(ended.out)["columns"]
    assert first["wait_against_first"] is None
    paired = second["wait_against_first"]
    assert paired["n_jobs"] == 9
    # Both replays start the same nine jobs, so the mean of the differences is the difference of the
    # means.
    difference = second["metrics"]["mean_wait"] - first["metrics"]["mean_wait"]
    assert paired["mean"] == pytest.approx(difference)
    assert paired["low"] is None  # fewer than four weeks give no confidence interval


def test_the_best_value_of_a_row_is_marked(slotwise: Any, log: Path) -> None:
    out = slotwise("compare", log, "--backfill", "none,first-fit").out
    row = next(line for line in out.splitlines() if line.startswith(" mean wait  "))
    assert row.count("*") == 1
    assert row.rstrip().endswith("*")


def test_ties_as_shown_carry_no_best_mark() -> None:
    # 10.001 and 10.002 are both shown as 10.00.
    assert best_of("mean_slowdown", [10.001, 10.002, 11.0]) is None
    assert best_of("mean_slowdown", [10.001, 10.002]) is None
    assert best_of("mean_slowdown", [10.001, 11.0, 11.0]) == 0
    assert best_of("utilisation", [0.5, 0.7, float("nan")]) == 1
    assert best_of("n_jobs", [1.0, 2.0]) is None


def first_cells(out: str) -> list[str]:
    """List the labels with which the lines begin."""
    return [line.strip().split("  ")[0] for line in out.splitlines() if line.strip()]


def test_the_difference_and_its_interval_come_first(slotwise: Any, log: Path) -> None:
    out = slotwise("compare", log, "--backfill", "none,first-fit").out
    rows = first_cells(out)
    table = rows[next(i for i, row in enumerate(rows) if row.startswith("──")) + 1 :]
    assert table[:3] == ["mean wait minus none's", "95 % interval, from", "95 % interval, to"]
    assert table.index("mean wait") < table.index("utilisation")
    assert table.index("utilisation") < table.index("mean bounded slowdown")


def test_wide_shows_every_metric_in_one_table(
    slotwise: Any, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    typed = ("compare", log, "--order", "fcfs,lifo,sjf,ljf,smallest,largest,saf")
    out = slotwise(*typed, "--wide").out
    headings = [line.split() for line in out.splitlines() if line.split()[:1] == ["fcfs"]]
    assert headings == [["fcfs", "lifo", "sjf", "ljf", "smallest", "largest", "saf"]]
    assert "median bounded slowdown floor" in out
    assert "Bounded slowdown floor = 1 + wait / max(run, 10 s)" in out
    assert "median bounded slowdown floor" not in slotwise(*typed).out


def test_columns_chooses_the_metrics_and_their_order(slotwise: Any, log: Path) -> None:
    chosen = ("--columns", "utilisation,max_wait")
    out = slotwise("compare", log, "--backfill", "none,first-fit", *chosen).out
    rows = first_cells(out)
    at = rows.index("utilisation")
    assert rows[at : at + 2] == ["utilisation", "max wait"]
    assert "mean response" not in out


def test_many_columns_are_divided_among_tables_that_repeat_the_first(
    slotwise: Any, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = slotwise("compare", log, "--order", "fcfs,lifo,sjf,ljf,smallest,largest,saf").out
    headings = [line for line in out.splitlines() if line.split()[:1] == ["fcfs"]]
    assert len(headings) > 1
    assert sum(len(line.split()) - 1 for line in headings) == 6


def test_no_value_is_cut_however_wide_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.console import Console

    columns = {name: {"makespan": 3e7} for name in ("none", "easy", "conservative")}
    extra = {"mean wait minus none's": ["", "-27d 04:41:07", "-27d 06:16:35"]}
    for width in range(60, 100):
        print_comparison(Console(width=width), columns, extra, mark_best=False)
        assert "…" not in capsys.readouterr().out


def test_a_regression_ends_with_4_after_the_table_is_printed(slotwise: Any, log: Path) -> None:
    ended = slotwise("compare", log, "--backfill", "easy,none", "--fail-if", "mean_wait:+5%")
    assert ended.code == 4
    assert "mean wait" in ended.out
    assert "none: mean_wait" in ended.err
    assert "breaks mean_wait:+5%" in ended.err


def test_no_regression_ends_with_0(slotwise: Any, log: Path) -> None:
    ended = slotwise("compare", log, "--backfill", "none,easy", "--fail-if", "mean_wait:+5%")
    assert ended.code == 0


@pytest.mark.parametrize(
    ("bound", "first", "other", "broken"),
    [
        ("mean_wait:+5%", 100.0, 105.0, False),
        ("mean_wait:+5%", 100.0, 105.1, True),
        ("mean_wait:+5%", 0.0, 0.1, True),
        ("utilisation:-2%", 0.5, 0.49, False),
        ("utilisation:-2%", 0.5, 0.489, True),
        ("utilisation:-2%", 0.5, 0.9, False),
        ("max_wait:+3600", 10.0, 3611.0, True),
        ("max_wait:+3600", 10.0, 3610.0, False),
        ("mean_wait:+5%", 1.0, float("nan"), True),
        ("mean_wait:+5%", float("nan"), 1.0, False),
    ],
)
def test_a_bound_is_broken_only_beyond_it(
    bound: str, first: float, other: float, broken: bool
) -> None:
    assert Bound.parse(bound).broken(first, other) is broken


def test_report_shows_all_columns(slotwise: Any, log: Path, tmp_path: Path) -> None:
    ended = slotwise("compare", log, "--backfill", "none,easy", "--report", "both.html")
    assert ended.code == 0
    assert (tmp_path / "both.html").stat().st_size > 1000
