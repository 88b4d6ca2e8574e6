"""``--by`` of ``run`` and ``compare``: waits by group of jobs, winners and losers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Submit, run, processors, request. User 2 has jobs 1 and 3, user 1 has jobs 2 and 4. On 4
# processors, job 1 runs until 100, job 2 until 150, then jobs 3 and 4 start: the waits are 0, 90,
# 130 and 120 s. On 8 processors, job 2 starts at 10 and ends at 60, when jobs 3 and 4 start: the
# waits are 0, 0, 40 and 30 s.
_JOBS = [(0, 100, 4, 100), (10, 50, 4, 50), (20, 10, 2, 10), (30, 10, 1, 10)]


@pytest.fixture
def four(tmp_path: Path) -> Path:
    """A log of four jobs on 4 processors."""
    path = tmp_path / "four.swf"
    lines = [
        f"{i} {submit} -1 {run} {size} -1 -1 {size} {asked} -1 1 {i % 2 + 1} 1 -1 1 -1 -1 -1\n"
        for i, (submit, run, size, asked) in enumerate(_JOBS, 1)
    ]
    path.write_text("; MaxProcs: 4\n" + "".join(lines))
    return path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A site of 4 processors with two queues."""
    path = tmp_path / "small.toml"
    path.write_text(
        "[machine]\nprocessors = 4\n"
        '[[queue]]\nname = "narrow"\nprocessors = [1, 2]\n[[queue]]\nname = "wide"\n'
    )
    return path


def test_run_has_waits_by_user(slotwise: Any, four: Path) -> None:
    found = json.loads(slotwise("run", four, "--by", "user", "--json").out)["by"]
    assert found["by"] == "user"
    one, two = found["groups"]
    assert (one["label"], two["label"]) == (1, 2)
    assert one["wait_against_first"] is None
    figures = ("n_started", "mean_wait", "p95_wait", "max_wait")
    # User 1 waits 90 and 120 s: p95 is 90 + 0.95 * 30. User 2 waits 0 and 130 s.
    assert [one["metrics"][name] for name in figures] == [2, 105, 118.5, 120]
    assert [two["metrics"][name] for name in figures] == [2, 65, 123.5, 130]


def test_chosen_columns_narrow_the_waits_of_groups(slotwise: Any, four: Path) -> None:
    # Groups have no mean queue length, so only the mean wait is shown.
    chosen = ("--by", "user", "--columns", "mean_wait,mean_queue_length")
    table = slotwise("run", four, *chosen).out.partition("Waits by user")[2]
    heading, _, first, second = [line.split() for line in table.splitlines() if line.strip()][:4]
    assert heading == ["user", "jobs", "started", "mean", "wait"]
    assert first == ["1", "2", "0:01:45"]
    assert second == ["2", "2", "0:01:05"]


def test_json_without_by_has_no_new_key(slotwise: Any, four: Path) -> None:
    assert set(json.loads(slotwise("run", four, "--json").out)) == {
        "metrics", "site", "trace", "seconds",
    }  # fmt: skip
    compared = json.loads(slotwise("compare", four, "--backfill", "none,easy", "--json").out)
    assert set(compared["columns"][0]) == {
        "name", "site", "metrics", "wait_against_first", "seconds",
    }  # fmt: skip


def test_compare_has_the_difference_of_each_group(slotwise: Any, four: Path, small: Path) -> None:
    typed = ("compare", four, small, "--with", "machine.processors=*2", "--by", "user")
    first, second = json.loads(slotwise(*typed, "--json").out)["columns"]
    assert [group["wait_against_first"] for group in first["by"]["groups"]] == [None, None]
    one, two = (group["wait_against_first"] for group in second["by"]["groups"])
    # Both jobs of user 1 wait 90 s less, and so does one of the two jobs of user 2.
    assert (one["n_jobs"], one["mean"], one["sooner"]) == (2, -90, 1)
    assert (two["n_jobs"], two["mean"], two["sooner"]) == (2, -45, 0.5)
    # A single week of jobs gives no confidence interval, so it is not certain that either user
    # gains.
    assert one["outcome"] is two["outcome"] is None
    printed = slotwise(*typed).out
    assert "Waits by user: processors *2 minus small" in printed
    words = " ".join(printed.split())
    assert "From, to and outcome are empty, because no user has jobs in four or more weeks" in words
    assert "it has no 95 % interval, because jobs were submitted in fewer than four weeks" in words
    rows = [line.split() for line in printed.splitlines()]
    changed = [row for row in rows if "-0:01:30" in row or "-0:00:45" in row]
    assert [row[0] for row in changed] == ["1", "2"]  # the largest gain first


@pytest.mark.parametrize(
    ("by", "labels"),
    [
        ("queue", ["narrow", "wide"]),
        ("group", [1]),
        ("account", [None]),  # an SWF log has no accounts
        ("qos", [None]),
        ("executable", [None]),
        ("partition", [None]),  # field 16 of SWF, which is -1 here
        ("class", ["up to 8 processors, up to 1 h"]),
    ],
)
def test_every_grouping(slotwise: Any, four: Path, small: Path, by: str, labels: list[Any]) -> None:
    ended = slotwise("run", four, "--site", small, "--by", by, "--json")
    assert [group["label"] for group in json.loads(ended.out)["by"]["groups"]] == labels
    assert f"Waits by {by}" in slotwise("run", four, "--site", small, "--by", by).out


def test_queues_are_those_of_the_first_column(slotwise: Any, four: Path, small: Path) -> None:
    change = "queue.narrow.processors=[1, 1]"
    ended = slotwise("compare", four, small, "--with", change, "--by", "queue", "--json")
    for column in json.loads(ended.out)["columns"]:
        assert [group["metrics"]["n_jobs"] for group in column["by"]["groups"]] == [2, 2]


def test_a_narrow_screen_keeps_labels_and_says_which_columns_are_left_out(
    slotwise: Any, four: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    narrow = slotwise("run", four, "--by", "user").out.partition("Waits by user")[2]
    assert [line.split()[0] for line in narrow.splitlines()[4:6]] == ["1", "2"]
    assert "Columns left out: mean bounded slowdown, utilisation" in " ".join(narrow.split())
    wide = slotwise("run", four, "--by", "user", "--wide").out.partition("Waits by user")[2]
    assert "mean bounded slowdown" in wide
    assert "left out:" not in wide.partition("p95 is")[0]


def test_twenty_groups_are_shown(slotwise: Any, tmp_path: Path) -> None:
    lines = [
        f"{i} {i} -1 5 1 -1 -1 1 5 -1 1 {user} 1 -1 1 -1 -1 -1\n"
        for i, user in enumerate([7, *range(1, 24)], 1)
    ]
    (tmp_path / "users.swf").write_text("; MaxProcs: 4\n" + "".join(lines))
    printed = slotwise("run", "users.swf", "--by", "user").out
    assert "Not shown: 3 users with the fewest jobs" in printed
    rows = printed.partition("Waits by user")[2].splitlines()[4:]
    assert rows[0].split()[:2] == ["7", "2"]  # user 7 has the most jobs
    assert "Not shown" not in slotwise("run", "users.swf", "--by", "user", "--wide").out


def test_the_report_has_the_groups(slotwise: Any, four: Path, small: Path, tmp_path: Path) -> None:
    typed = ("compare", four, small, "--with", "machine.processors=*2", "--report", "page.html")
    assert slotwise(*typed, "--by", "user").code == 0
    page = (tmp_path / "page.html").read_text()
    assert '<h2 id="groups-title">Groups of jobs</h2>' in page
    assert "<h3>Waits by user: processors *2 minus small</h3>" in page
    assert '<th scope="row">1</th><td>2</td><td>0:01:45</td><td>-0:01:30</td>' in page
    assert slotwise("run", four, "--report", "run.html", "--by", "class").code == 0
    assert "<h3>Waits by class</h3>" in (tmp_path / "run.html").read_text()
    assert slotwise(*typed).code == 0
    assert "groups-title" not in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("verb", ["run", "compare"])
def test_an_unknown_grouping_is_refused(slotwise: Any, four: Path, small: Path, verb: str) -> None:
    ended = slotwise(verb, four, "--by", "usr")
    assert ended.code == 2
    assert "--by: unknown grouping 'usr'; did you mean 'user'?" in ended.err
