"""``slotwise sweep``: grids, shards, merging, resuming."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from cli.grids import GRID
from slotwise.cli.sweep_table import short_names

if TYPE_CHECKING:
    from pathlib import Path


def expected(log: Path) -> list[dict[str, float]]:
    trace = sw.read_swf(log)
    return [
        sw.simulate(trace, sw.Site(policy=sw.Policy(backfill=backfill, order=order))).metrics()
        for backfill in ("none", "easy", "first-fit")
        for order in ("fcfs", "sjf")
    ]


def test_every_combination_is_replayed_with_the_last_key_varying_fastest(
    slotwise: Any, grid: Path, log: Path
) -> None:
    rows = json.loads(slotwise("sweep", grid, "--json").out)["rows"]
    assert [row["set"] for row in rows[:3]] == [
        {"policy.backfill": "none", "policy.order": "fcfs"},
        {"policy.backfill": "none", "policy.order": "sjf"},
        {"policy.backfill": "easy", "policy.order": "fcfs"},
    ]
    assert [row["metrics"]["mean_wait"] for row in rows] == [m["mean_wait"] for m in expected(log)]


def test_a_grid_goes_through_a_limit_and_none(slotwise: Any, grid: Path) -> None:
    # A limit of "none" has the same effect as removing the limit from the site file.
    grid.with_name("site.toml").write_text("[limits]\nrunning = 2\n")
    grid.write_text(
        'trace = "log.swf"\nsite = "site.toml"\n[grid]\n"limits.running" = [1, 2, "none", ""]\n'
    )
    rows = json.loads(slotwise("sweep", grid, "--json").out)["rows"]
    one, two, none, out = (row["metrics"]["mean_wait"] for row in rows)
    assert one > two > none == out


def test_one_row_per_point_is_printed(slotwise: Any, grid: Path) -> None:
    ended = slotwise("sweep", grid)
    assert ended.code == 0
    assert sum("first-fit" in line for line in ended.out.splitlines()) == 2


def test_the_keys_of_a_point_are_shown_however_narrow_the_terminal(
    slotwise: Any, grid: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    more = '"policy.kill_at_limit" = [true, false]\n"limits.running" = [1, 10000]\n'
    grid.write_text(GRID + more)
    lines = slotwise("sweep", grid).out.splitlines()
    assert sum("first-fit" in line and "True" in line and "10000" in line for line in lines) == 2


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_table_is_written_whole_and_no_other_file_is_left(
    slotwise: Any, grid: Path, log: Path, suffix: str
) -> None:
    before = {path.name for path in grid.parent.iterdir()}
    assert slotwise("sweep", grid, "--out", f"table.{suffix}").code == 0
    assert {path.name for path in grid.parent.iterdir()} == before | {f"table.{suffix}"}
    if suffix == "csv":
        with (grid.parent / "table.csv").open() as file:
            rows = list(csv.DictReader(file))
    else:
        pq = pytest.importorskip("pyarrow.parquet")
        rows = pq.read_table(grid.parent / "table.parquet").to_pylist()
    assert [float(row["mean_wait"]) for row in rows] == [m["mean_wait"] for m in expected(log)]
    assert rows[1]["policy.order"] == "sjf"


def test_merged_shards_are_the_whole_sweep(slotwise: Any, grid: Path, log: Path) -> None:
    for shard in ("1/4", "2/4", "3/4", "4/4"):
        assert slotwise("sweep", grid, "--shard", shard).code == 0
    shards = sorted(grid.parent.glob("grid.*-of-4.jsonl"))
    assert len(shards) == 4
    rows = json.loads(slotwise("sweep", "merge", *shards, "--json").out)["rows"]
    assert [row["metrics"]["mean_wait"] for row in rows] == [m["mean_wait"] for m in expected(log)]
    assert rows[5]["set"] == {"policy.backfill": "first-fit", "policy.order": "sjf"}


def test_an_interrupted_shard_resumes(slotwise: Any, grid: Path) -> None:
    slotwise("sweep", grid, "--shard", "1/2")
    kept = grid.with_name("grid.1-of-2.jsonl")
    lines = kept.read_text().splitlines(keepends=True)
    assert len(lines) == 4
    kept.write_text("".join(lines[:2]) + lines[2][:20])
    slotwise("sweep", grid, "--shard", "2/2")
    unfinished = slotwise("sweep", "merge", kept, grid.with_name("grid.2-of-2.jsonl"))
    assert unfinished.code == 2
    assert (
        f"2 of 6 points are missing: {kept} (shard 1 of 2) lacks 2 of 3 points. Run the "
        "missing shards with --shard K/N"
    ) in unfinished.err
    assert slotwise("sweep", grid, "--shard", "1/2").code == 0
    again = kept.read_text().splitlines(keepends=True)
    assert again[:2] == lines[:2]
    assert [json.loads(line)["site"] for line in again[1:]] == [0, 2, 4]


def test_a_failing_point_is_reported_after_the_others_are_kept(slotwise: Any, grid: Path) -> None:
    bad = '{ name = "expression", key = "0/0*submit" }'
    grid.write_text(GRID.replace('["fcfs", "sjf"]', f'["fcfs", {bad}, "sjf"]'))
    whole = slotwise("sweep", grid, "--workers", "1")
    shard = slotwise("sweep", grid, "--shard", "2/3", "--workers", "1")
    again = slotwise("sweep", grid, "--shard", "1/1", "--workers", "1")
    for ended in (whole, shard, again):
        assert ended.code == 1
        assert "site 2 of the sweep: order expression" in ended.err
    kept = grid.with_name("grid.1-of-1.jsonl").read_text().splitlines()[1:]
    assert [json.loads(line)["site"] for line in kept] == [0, 2, 3, 5, 6, 8]


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("trace = 5\nsit = 1\n[grid]\na = 3\n", [], "unknown key 'sit'"),
        ('trace = "log.swf"\n', [], "the [grid] table is missing or empty"),
        (GRID.replace("log.swf", "none.swf"), [], "none.swf"),
        (GRID.replace("fcfs", "fifo"), [], "unknown order 'fifo'"),
        (GRID.replace("sjf", "lilo").replace('"easy"', '"esy"'), [], "unknown order 'lilo'"),
        (GRID.replace("sjf", "lilo").replace('"easy"', '"esy"'), [], "unknown backfill 'esy'"),
        (GRID.replace("policy.order", "policy..order"), [], 'grid."policy..order" is not a key'),
        (
            GRID.replace('"policy.order" = ["fcfs", "sjf"]', '"policy.order.cores" = [0, 1]'),
            [],
            "grid.toml: grid.policy.order.cores: this parameter needs a named order; also set "
            "policy.order.name, for example to priority",
        ),
        (GRID, ["--shard", "4/3"], "--shard 4/3 must be K/N"),
        (GRID, ["--workers", "0"], "--workers 0 must be a number"),
        (GRID, ["--out", "table.txt"], "must end in one of .csv, .parquet; change the name"),
        (GRID, ["--shard", "1/2", "--out", "t.csv"], "--out t.csv: the name must end in .jsonl;"),
        (
            GRID.replace('"policy.order"', "policy.order"),
            [],
            '"policy.backfill" = ["none", "easy"], with the key in quotes',
        ),
        (GRID.replace('trace = "log.swf"', ""), [], "has no trace"),
    ],
)
def test_an_impossible_grid_or_option_is_refused(
    slotwise: Any, grid: Path, text: str, arguments: list[str], message: str
) -> None:
    grid.write_text(text)
    ended = slotwise("sweep", grid, *arguments)
    assert ended.code in (2, 3)
    assert message in ended.err
    assert ended.out == ""


def test_shards_of_another_sweep_are_refused(slotwise: Any, grid: Path) -> None:
    slotwise("sweep", grid, "--shard", "1/2")
    grid.write_text(GRID.replace("first-fit", "replan"))
    ended = slotwise("sweep", grid, "--shard", "1/2")
    assert ended.code == 2
    assert (
        "grid.1-of-2.jsonl is the journal of another sweep, which differs in: sites, points;"
        in ended.err
    )
    slotwise("sweep", grid, "--shard", "2/2")
    merged = slotwise("sweep", "merge", "grid.1-of-2.jsonl", "grid.2-of-2.jsonl")
    assert merged.code == 2
    assert "shards of different sweeps, which differ in: sites, points;" in merged.err


def test_merging_names_the_missing_shards(slotwise: Any, grid: Path) -> None:
    # With six points in seven shards, the seventh shard is empty and does not count as missing.
    for shard in ("2/7", "6/7"):
        slotwise("sweep", grid, "--shard", shard)
    ended = slotwise("sweep", "merge", "grid.2-of-7.jsonl", "grid.6-of-7.jsonl")
    assert ended.code == 2
    assert "4 of 6 points are missing: shards 1,3-5 of 7 are not among these files" in ended.err
    for shard in ("1/7", "3/7", "4/7", "5/7"):
        slotwise("sweep", grid, "--shard", shard)
    whole = [f"grid.{part}-of-7.jsonl" for part in range(1, 7)]
    assert slotwise("sweep", "merge", *whole).code == 0


def test_a_repeated_shard_is_reported_and_counts_once(slotwise: Any, grid: Path) -> None:
    for shard in ("1/2", "2/2"):
        slotwise("sweep", grid, "--shard", shard)
    shards = ["grid.1-of-2.jsonl", "grid.2-of-2.jsonl"]
    once = slotwise("sweep", "merge", *shards)
    twice = slotwise("sweep", "merge", *shards, "grid.1-of-2.jsonl")
    assert (once.code, once.err) == (0, "")
    assert (twice.code, twice.out) == (0, once.out)
    assert twice.err == (
        "slotwise: warning: grid.1-of-2.jsonl (shard 1 of 2) repeats points of grid.1-of-2.jsonl; "
        "each point counts once\n"
    )


def test_headings_are_short_and_broken_between_words(
    slotwise: Any, grid: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid.write_text(
        'trace = "log.swf"\n[grid]\n"policy.backfill" = ["none", "easy"]\n'
        '"limits.processors_per_user" = ["none", 8]\n"policy.kill_at_limit" = [true]\n'
    )
    monkeypatch.setenv("COLUMNS", "80")
    out = slotwise("sweep", grid).out
    above = out[: out.index("───")].splitlines()
    assert [line.split() for line in above if line.strip()] == [
        ["processors_", "kill_at_", "mean", "bounded", "jobs"],
        ["backfill", "per_user", "limit", "mean", "wait", "p95", "wait", "utilisation",
         "slowdown", "rejected"],
    ]  # fmt: skip


def test_a_heading_has_as_many_parts_of_a_key_as_make_it_unique() -> None:
    keys = ["queue.small.running", "queue.wide.running", "policy.order", "limits.running"]
    assert short_names(keys) == ["small.running", "wide.running", "order", "limits.running"]


def test_columns_and_wide_choose_the_metrics_of_the_table(slotwise: Any, grid: Path) -> None:
    chosen = slotwise("sweep", grid, "--columns", "max_wait").out
    assert "max wait" in chosen
    assert "utilisation" not in chosen
    wide = slotwise("sweep", grid, "--wide").out
    assert "weighted" in wide
    assert "fragmentation" not in wide  # only a torus has this key
