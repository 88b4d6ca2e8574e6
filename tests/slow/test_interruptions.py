"""Signals at random moments while a command writes: no partial file, no orphan process."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

import slotwise as sw

pytestmark = pytest.mark.slow
TRIES = 8
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
BEFORE = b"what was here before"
GRID = """\
trace = "small.swf"
[grid]
"policy.backfill" = ["none", "easy", "first-fit", "depth", "relaxed", "conservative"]
"policy.order" = ["fcfs", "sjf", "saf", "wfp3", "ljf", "unicef", "f1", "f2", "largest", "smallest"]
"""


@dataclass(frozen=True)
class Verb:
    """A command, the files it writes, and whether it can resume after an interruption."""

    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    resumes: bool = False


VERBS = {
    "generate": Verb(("generate", "lublin", "g.swf.gz", "--jobs", "100000"), ("g.swf.gz",)),
    "convert to parquet": Verb(("convert", "log.swf", "c.parquet"), ("c.parquet",)),
    "convert to csv": Verb(("convert", "log.swf", "c.csv"), ("c.csv",)),
    "convert to swf": Verb(("convert", "log.swf", "c.swf.gz"), ("c.swf.gz",)),
    "run": Verb(("run", "log.swf", "--jobs", "j.csv", "--report", "r.html"), ("j.csv", "r.html")),
    "sweep to a table": Verb(("sweep", "grid.toml", "--out", "table.csv"), ("table.csv",), True),
    "sweep of a shard": Verb(
        ("sweep", "grid.toml", "--shard", "1/1"), ("grid.1-of-1.jsonl",), resumes=True
    ),
}


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for name, count in (("log.swf", 60_000), ("small.swf", 3_000)):
        sw.write_swf(sw.generate("lublin", n_jobs=count, processors=256, seed=1), folder / name)
    return folder


def _prepared(folder: Path, logs: Path) -> Path:
    folder.mkdir()
    for log in logs.iterdir():
        (folder / log.name).symlink_to(log)
    (folder / "grid.toml").write_text(GRID)
    return folder


def _started(verb: Verb, folder: Path) -> subprocess.Popen[bytes]:
    def heed() -> None:
        for number in SIGNALS[1:]:
            signal.signal(number, signal.SIG_DFL)

    return subprocess.Popen(
        [Path(sys.executable).with_name("slotwise"), *verb.arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed,
    )


def _compared(name: str, data: bytes) -> object:
    """Return the parts of a run that must be equal in two runs; measured seconds are excluded."""
    if name.endswith(".html"):
        return data.startswith(b"<!doctype html>"), data.rstrip().endswith(b"</html>")
    if name.endswith(".jsonl"):
        lines = [json.loads(line) for line in data.splitlines()]
        return sorted(
            json.dumps({k: v for k, v in line.items() if k != "seconds"}, sort_keys=True)
            for line in lines
        )
    if name == "table.csv":
        rows = list(csv.DictReader(io.StringIO(data.decode())))
        return [{k: v for k, v in row.items() if k != "seconds"} for row in rows]
    return data


def _group_ends(group: int) -> bool:
    for _ in range(40):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    return False


def _whole_run(verb: Verb, folder: Path) -> tuple[float, dict[str, object]]:
    begun = time.monotonic()
    process = _started(verb, folder)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    told = {name: _compared(name, (folder / name).read_bytes()) for name in verb.outputs}
    return time.monotonic() - begun, told


def _check_end(process: subprocess.Popen[bytes], number: signal.Signals, alive: bool) -> None:
    _, err = process.communicate(timeout=60)
    codes = {0, 130, 128 + number, -number} if alive else {0}
    assert process.returncode in codes, err
    if number != signal.SIGKILL:
        # An interruption before the package is loaded gives Python's own traceback.
        assert b"/slotwise/" not in err, err
        assert b"Traceback" in err or err.count(b"\n") <= 1, err
    assert _group_ends(process.pid), "a process of the command lives on"


@pytest.mark.parametrize("name", VERBS)
def test_a_command_ended_at_any_moment_leaves_all_or_nothing(
    name: str, logs: Path, tmp_path: Path
) -> None:
    verb = VERBS[name]
    chance = random.Random(name)
    took, expected = _whole_run(verb, _prepared(tmp_path / "whole", logs))
    for attempt in range(TRIES):
        folder = _prepared(tmp_path / str(attempt), logs)
        there = {path.name for path in folder.iterdir()}
        if before := chance.random() < 0.5 and not verb.resumes:
            for output in verb.outputs:
                (folder / output).write_bytes(BEFORE)
        number = chance.choice(SIGNALS)
        process = _started(verb, folder)
        time.sleep(chance.uniform(0.05, 1.0) * took)
        if alive := process.poll() is None:
            process.send_signal(number)
        _check_end(process, number, alive)
        if verb.resumes:
            assert _whole_run(verb, folder)[1] == expected
            continue
        for output in verb.outputs:
            path = folder / output
            found = path.read_bytes() if path.exists() else None
            if found is None or found == BEFORE:
                assert (found is None) == (not before), "an earlier file was lost"
            else:
                assert _compared(output, found) == expected[output], "a file is partial"
        if number != signal.SIGKILL:
            assert {path.name for path in folder.iterdir()} <= there | {*verb.outputs}
