"""Journals of sweeps: each has one writer, and a broken line loses only its own row."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from reference.workloads import crowd
from slotwise.formats import json_lines
from slotwise.sweeps import rows as rows_module
from slotwise.sweeps.journal import FORMAT, Journal, read_journal
from slotwise.sweeps.rows import Row
from slotwise.sweeps.sweep import resume

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TRACE = crowd(5).trace()
SITES = [sw.Site(policy=sw.Policy(backfill=backfill)) for backfill in ("none", "easy", "first-fit")]
SUBJECT = {"slotwise sweep journal": FORMAT, "n_sites": 6}


def row(value: float) -> Row:
    return Row({"mean_wait": value}, 0.5)


def test_a_journal_has_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    with Journal.open(path, SUBJECT) as first:
        first.add({0: row(1)})
        with pytest.raises(ValueError, match=r"sweep\.jsonl is being written by another process"):
            Journal.open(path, SUBJECT)
        first.add({1: row(2)})
    with Journal.open(path, SUBJECT) as second:
        assert second.rows == {0: row(1), 1: row(2)}


def test_a_writer_that_is_killed_leaves_the_journal_to_others(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    script = (
        "import os, sys; from slotwise.sweeps.journal import Journal; "
        f"Journal.open(sys.argv[1], {SUBJECT!r}); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", script, path], check=False).returncode == -9
    with Journal.open(path, SUBJECT) as journal:
        assert journal.rows == {}


def test_a_child_with_the_journal_open_does_not_lock_it(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    ours, theirs = os.pipe()
    with Journal.open(path, SUBJECT):
        child = os.fork()
        if child == 0:
            os.close(theirs)
            os.read(ours, 1)  # blocks until the parent is done
            os._exit(0)
    with Journal.open(path, SUBJECT):
        pass
    os.close(theirs)
    os.waitpid(child, 0)


def test_lines_of_two_writers_survive_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "_lock", lambda _file: False)
    path = tmp_path / "sweep.jsonl"
    with Journal.open(path, SUBJECT) as first, Journal.open(path, SUBJECT) as second:
        for number in range(3):
            first.add({number: row(number)})
            second.add({5 - number: row(5 - number)})
    assert read_journal(path) == (SUBJECT, {number: row(number) for number in range(6)})


def test_two_writers_may_begin_one_journal_without_locks(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    line = json.dumps(SUBJECT) + "\n"
    path.write_text(line + '{"site": 1, "seconds": 0.5, "metrics": {"mean_wait": 2}}\n' + line)
    assert read_journal(path) == (SUBJECT, {1: row(2)})
    path.write_text(line + line.replace("6", "7"))
    with pytest.raises(ValueError, match="is not a sweep journal"):
        read_journal(path)


@pytest.mark.parametrize(
    "bad",
    [
        b'{"site": 1, "seco{"site": 2',
        b"\xff\x00",
        b"",
        b"[" * 100_000,
        b"3",
        b"null",
        b'"slotwise"',
        b'{"site": 1, "seconds": 0.5}',
        b'{"site": [1], "seconds": 0.5, "metrics": {}}',
        b'{"site": 1, "seconds": 0.5, "metrics": {"mean_wait": "long"}}',
        b'{"site": 99, "seconds": 0.5, "metrics": {}}',
    ],
)
def test_a_bad_line_loses_only_its_row(
    tmp_path: Path, bad: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sweep.jsonl"
    whole = sw.sweep(TRACE, SITES, journal=path)
    lines = path.read_bytes().splitlines()
    assert len(lines) == 4
    path.write_bytes(b"\n".join([*lines[:2], bad, *lines[3:]]) + b"\n")
    computed: list[Any] = []
    real = rows_module.compute_rows

    def compute_rows(trace: Any, some: Any, *rest: Any, **options: Any) -> Any:
        computed.extend(some)
        return real(trace, some, *rest, **options)

    monkeypatch.setattr(sys.modules["slotwise.sweeps.workers"], "compute_rows", compute_rows)
    again = sw.sweep(TRACE, SITES, journal=path)
    assert computed == [SITES[json.loads(lines[2])["site"]]]
    assert [again.row(n) for n in range(3)] == [whole.row(n) for n in range(3)]


def test_a_journal_that_ends_in_its_first_line_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    for text in ("", json.dumps(SUBJECT)[:20], json.dumps(SUBJECT)):
        path.write_text(text)
        with Journal.open(path, SUBJECT) as journal:
            journal.add({2: row(3)})
        assert read_journal(path) == (SUBJECT, {2: row(3)})


def test_a_journal_of_its_first_line_alone_is_not_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    for _ in range(2):  # neither run adds a row
        Journal.open(path, SUBJECT).__exit__()
    assert path.read_text() == json.dumps(SUBJECT) + "\n"


@pytest.mark.parametrize("text", ["mine", "job,start\n", '{"mine": 1}', "{}\n1"])
def test_a_file_that_is_not_a_journal_is_refused_and_unchanged(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match="is not a sweep journal"):
        Journal.open(path, SUBJECT)
    assert path.read_text() == text


def of_two_owners() -> tuple[list[sw.Trace], sw.Site]:
    """Return four jobs of one user, the same jobs of four users, and a site with a limit per user.

    All four jobs are submitted at 0 and fit together, but the site runs one job per user. The jobs
    of one user wait 0, 10, 20 and 30 s; those of four users do not wait.
    """
    columns = ([0] * 4, [10] * 4, [1] * 4)
    traces = [
        sw.Trace.from_columns(*columns, max_processors=4, user=users)
        for users in ([1] * 4, [1, 2, 3, 4])
    ]
    return traces, sw.Site(limits=sw.Limits(running_per_user=1))


def test_a_journal_of_the_same_jobs_of_other_users_is_refused(tmp_path: Path) -> None:
    (of_one, of_four), site = of_two_owners()
    path = tmp_path / "sweep.jsonl"
    assert sw.sweep(of_one, [site], journal=path)["mean_wait"].tolist() == [15]
    with pytest.raises(ValueError, match="journal of another sweep"):
        sw.sweep(of_four, [site], journal=path)
    assert sw.sweep(of_four, [site])["mean_wait"].tolist() == [0]


def test_a_journal_of_an_earlier_version_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    sw.sweep(TRACE, SITES, journal=path)
    path.write_text(path.read_text().replace(f'journal": {FORMAT}', 'journal": 1'))
    with pytest.raises(ValueError, match=r"an earlier version.*choose another name, or remove"):
        sw.sweep(TRACE, SITES, journal=path)


GRID = """
trace = "log.swf"
[grid]
"policy.backfill" = ["none", "easy", "first-fit", "depth", "conservative"]
"policy.order" = ["fcfs", "sjf", "saf", "ljf", "f1", "largest"]
"""


def test_a_shard_started_twice_at_once_is_whole(tmp_path: Path) -> None:
    sw.write_swf(sw.generate("lublin", n_jobs=1000, processors=64), tmp_path / "log.swf")
    (tmp_path / "grid.toml").write_text(GRID)
    command = [sys.executable, "-m", "slotwise", "sweep"]
    both = [
        subprocess.Popen(
            [*command, "grid.toml", "--shard", "1/1"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    ended = [(each.communicate(timeout=60)[1], each.returncode) for each in both]
    # The second process is refused, unless the first has ended by then.
    assert 0 in [code for _, code in ended]
    for err, code in ended:
        assert code == 0 or (code == 2 and "is being written by another process" in err)
    merged = subprocess.run(
        [*command, "merge", "grid.1-of-1.jsonl", "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert merged.returncode == 0, merged.stderr
    assert len(json.loads(merged.stdout)["rows"]) == 30


def test_slow_rows_are_computed_on_all_workers_at_once(tmp_path: Path) -> None:
    # A row takes 100 s, far longer than a chunk should. Each chunk still has a row per worker.
    chunks = []

    def compute(some: Sequence[int], _tell: object) -> list[Row]:
        chunks.append(list(some))
        return [Row({"mean_wait": float(site)}, 100.0) for site in some]

    with Journal.open(tmp_path / "sweep.jsonl", SUBJECT) as journal:
        resume(journal, range(8), range(8), compute, None, together=3)
    assert chunks == [[0, 1, 2], [3, 4, 5], [6, 7]]
