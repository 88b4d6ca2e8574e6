"""``-``: a log from standard input, in every format that is recognised by its first bytes."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path


def piped(data: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "slotwise", *arguments], input=data, capture_output=True, check=False
    )


@pytest.fixture
def trace() -> sw.Trace:
    # On 4 processors, the second job waits for 50 s, from 10 until the first job ends at 60.
    return sw.Trace.from_columns([0, 10], [60, 60], [4, 4], max_processors=4)


@pytest.mark.parametrize("name", ["log.swf", "log.csv", "log.parquet", "log.swf.gz"])
def test_a_log_is_read_from_standard_input(tmp_path: Path, trace: sw.Trace, name: str) -> None:
    from slotwise.formats.job_files import write_trace

    write_trace(trace, tmp_path / name)
    ended = piped((tmp_path / name).read_bytes(), "run", "-", "--processors", "4", "--json")
    assert ended.stderr == b""
    found = json.loads(ended.stdout)
    assert found["metrics"]["mean_wait"] == 25  # (0 + 50) / 2
    assert found["trace"]["source"] == "standard input"


def test_other_verbs_read_standard_input(tmp_path: Path, trace: sw.Trace) -> None:
    sw.write_swf(trace, tmp_path / "log.swf")
    data = gzip.compress((tmp_path / "log.swf").read_bytes())
    assert b"2 jobs" in piped(data, "run", "-").stdout
    assert json.loads(piped(data, "info", "-", "--json").stdout)["jobs"] == 2
    converted = piped(data, "convert", "-", str(tmp_path / "out.csv"))
    assert converted.returncode == 0
    assert len(sw.read_csv(tmp_path / "out.csv")) == 2
    compared = json.loads(piped(data, "compare", "-", "--order", "fcfs,sjf", "--json").stdout)
    assert [column["name"] for column in compared["columns"]] == ["fcfs", "sjf"]


def test_faults_of_a_log_name_standard_input() -> None:
    ended = piped(b"1 2 three\n", "run", "-")
    assert ended.returncode == 3
    assert ended.stderr.startswith(b"slotwise: error: standard input")
    assert b"tmp" not in ended.stderr


def test_a_closed_standard_input_is_refused() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import sys; sys.stdin = None; from slotwise.cli import main;"
         "sys.exit(main(['run', '-']))"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "pipe a log into the command, as in zcat log.gz | slotwise run -" in ended.stderr


def test_a_file_named_dash_is_read_by_its_path(
    tmp_path: Path, trace: sw.Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    sw.write_swf(trace, tmp_path / "-")
    monkeypatch.chdir(tmp_path)
    ended = piped(b"", "info", str(tmp_path / "-"), "--json")
    assert json.loads(ended.stdout)["jobs"] == 2
