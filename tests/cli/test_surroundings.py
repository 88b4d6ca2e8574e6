"""Commands with closed or full streams, odd file names or narrow terminals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from signals_of_children import started
from slotwise.terminal import screen

COMMAND = f"exec {sys.executable} -m slotwise"


def shell(line: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        line, shell=True, cwd=folder, env={**os.environ, **variables}, capture_output=True,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("redirected", "code"), [(">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 0), ("<&-", 0)]
)
def test_a_closed_stream_is_not_an_error(log: Path, redirected: str, code: int) -> None:
    ended = shell(f"{COMMAND} run {log} {redirected}", log.parent)
    assert (ended.returncode, ended.stderr) == (code, b"")


def test_an_error_keeps_its_code_with_stderr_closed(log: Path) -> None:
    assert shell(f"{COMMAND} run nowhere.swf 2>&-", log.parent).returncode == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", ["run {log}", "run {log} --json", "--help", "policies"])
def test_a_full_disk_behind_stdout_is_reported_once(log: Path, arguments: str) -> None:
    ended = shell(f"{COMMAND} {arguments.format(log=log)} > /dev/full", log.parent)
    assert ended.returncode == 1
    assert (
        ended.stderr.decode().strip() == "slotwise: error: standard output: No space left on device"
    )


@pytest.mark.parametrize("columns", ["0", "1", "40", "many"])
def test_no_figure_is_cut_short_in_a_narrow_terminal(log: Path, columns: str) -> None:
    line = f"{COMMAND} compare {log} --backfill none,easy,conservative"
    ended = shell(line, log.parent, COLUMNS=columns)
    assert ended.returncode == 0
    assert "conservative " in ended.stdout.decode()
    assert "…" not in ended.stdout.decode()


@pytest.mark.parametrize("name", ["[bold] a.swf", "日.swf", "a\udcff.swf"])
def test_any_file_name_can_be_read_and_shown(log: Path, name: str) -> None:
    path = log.parent / name
    try:
        log.rename(path)
    except (OSError, UnicodeError):
        pytest.skip("this file system has no such names")
    shown = shell(f'{COMMAND} run "$LOG"', log.parent, LOG=name)
    assert shown.returncode == 0, shown.stderr
    assert name.encode("utf-8", "surrogateescape") in shown.stdout
    page = f'{COMMAND} run "$LOG" --json --report page.html'
    ended = shell(page, log.parent, LOG=name, LC_ALL="C", PYTHONUTF8="0")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["metrics"]["n_jobs"] == 10
    assert (log.parent / "page.html").stat().st_size > 1000


def test_a_name_that_is_too_long_is_refused_before_the_replay(slotwise: Any, log: Path) -> None:
    ended = slotwise("run", log, "--jobs", "x" * 300 + ".csv")
    assert ended.code == 2
    assert "name too long" in ended.err


def test_a_value_of_set_is_one_line(slotwise: Any, log: Path) -> None:
    ended = slotwise("run", log, "--set", "machine.processors=4\nx = 3")
    assert ended.code == 2
    assert "must be a whole number" in ended.err


@pytest.mark.parametrize("size", ["1e400", "128K", "-1", "9" * 40])
def test_a_terminal_size_that_is_not_a_number_is_ignored(
    slotwise: Any, log: Path, size: str
) -> None:
    log.write_text(log.read_text().replace("MaxProcs: 8", f"MaxProcs: {size}"))
    ended = slotwise("run", log)
    assert ended.code == 2
    assert "--processors N" in ended.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of Unix")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_command_interrupted_while_writing_leaves_no_file(tmp_path: Path, name: str) -> None:
    script = tmp_path / "slow.py"
    # This script writes one byte, reports it, and sleeps until the signal.
    script.write_text(
        "import sys, time\n"
        "import slotwise.formats.job_files as output\n"
        "from slotwise._files import written_whole\n"
        "def write_trace(trace, path):\n"
        "    with written_whole(path) as file:\n"
        "        file.write(b';')\n"
        "        print('writing', flush=True)\n"
        "        time.sleep(60)\n"
        "output.write_trace = write_trace\n"
        "from slotwise.cli import main\n"
        "sys.exit(main(['generate', 'lublin', 'out.swf', '--jobs', '10']))\n"
    )
    process = started(script)
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(getattr(signal, name))
    _, err = process.communicate(timeout=30)  # the script sleeps for 60 s
    code = 128 + getattr(signal, name)
    assert (process.returncode, err) == (code, "slotwise: error: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["slow.py"]


def test_long_work_reports_progress_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 10.0, 30.0, 59.0, 61.0])
    monkeypatch.setattr(screen.time, "monotonic", lambda: next(clock))
    with screen.progress("replaying a.swf") as advance:
        for done in (0.01, 0.02, 0.04, 0.05):
            advance(done)
    assert capsys.readouterr().err.splitlines() == [
        "slotwise: replaying a.swf: 2.0% done after 30 s",
        "slotwise: replaying a.swf: 5.0% done after 61 s",
    ]
