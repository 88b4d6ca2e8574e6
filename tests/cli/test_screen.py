"""Screen output: text from logs never controls the terminal; a closed pipe is not an error."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from conftest import ROOT
from slotwise.terminal import screen

if TYPE_CHECKING:
    from pathlib import Path

# Sequences that set the title, set colours and clear the screen; U+009B and the byte 9B begin a
# sequence as ESC [ does.
EVIL = "\x1b]0;evil\x07 \x1b[31mred\x9b2J\x7f\r\u202e"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udc9f]")


@pytest.fixture
def evil(log: Path) -> Path:
    """Write a log of ten jobs and a site that contain terminal control sequences."""
    comments = f"; Computer: {EVIL}\n; Installation: {EVIL}\n; Queue: 1 {EVIL}\n"
    text = (comments + log.read_text()).encode()
    path = log.with_name("evil\x1b[31m.swf")
    path.write_bytes(text)
    site = f"[machine]\nprocessors = 8\n[[queue]]\nname = {json.dumps('q ' + EVIL)}\n"
    log.with_name("site.toml").write_text(site)
    grid = '[site]\n[grid]\n"policy.backfill" = ["none", "easy"]\n'
    log.with_name("grid.toml").write_text(f"trace = {json.dumps(path.name)}\n" + grid)
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        "info LOG",
        "info LOG --json",
        "info LOG --strict",
        "run LOG",
        "run LOG --site site.toml --jobs jobs.csv",
        "run LOG --site site.toml --json",
        "run nowhere-LOG",
        "run LOG --jobs LOG",
        "run LOG --set policy.EVIL=3",
        "run LOG --order EVIL",
        "EVIL",
        "compare LOG --backfill none,easy",
        "compare LOG site.toml --order fcfs",
        "explain LOG 2",
        "convert LOG clean.swf",
        "site check site.toml --trace LOG",
        "site check site.toml --json",
        "site show site.toml",
        "site show site.toml --set queue.EVIL=3",
        "sweep grid.toml",
    ],
)
def test_no_control_character_reaches_the_screen(slotwise: Any, evil: Path, arguments: str) -> None:
    given = [a.replace("LOG", evil.name).replace("EVIL", "x" + EVIL) for a in arguments.split()]
    ended = slotwise(*given)
    assert ended.out + ended.err
    assert CONTROL.findall(ended.out + ended.err) == []


def test_escaped_characters_are_shown(slotwise: Any, evil: Path) -> None:
    assert r"\x1b]0;evil\x07 \x1b[31mred\x9b2J\x7f" in slotwise("info", evil).out
    assert slotwise("run", "a\x1b[1m.swf").err.startswith(r"slotwise: error: a\x1b[1m.swf: cannot")


def test_columns_keep_their_width_with_escaped_controls(slotwise: Any, evil: Path) -> None:
    lines = slotwise("site", "check", "site.toml").out.splitlines()
    row = next(number for number, line in enumerate(lines) if "evil" in line)
    head = lines[row - 2]
    assert head.split()[0] == "queue"
    assert lines[row].index("machine") == head.index("pools")


def test_a_site_with_controls_reads_back(slotwise: Any, evil: Path) -> None:
    shown = slotwise("site", "show", "site.toml").out
    evil.with_name("again.toml").write_text(shown)
    assert slotwise("site", "show", "again.toml").out == shown
    again = json.loads(slotwise("site", "check", "again.toml", "--json").out)
    assert again["site"]["queue"][0]["name"] == "q " + EVIL


def test_on_a_terminal_styles_are_the_only_sequences(evil: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "slotwise", "info", evil.name],
        cwd=evil.parent, env={**os.environ, "TERM": "xterm"}, stdout=theirs,
    )  # fmt: skip
    os.close(theirs)
    text = b""
    while piece := read_terminal(ours):
        text += piece
    assert process.wait(timeout=30) == 0
    plain = re.sub(rb"\x1b\[[0-9;]*m|\r\n", b"", text).decode()
    assert b"\x1b[1m" in text  # the heading is bold
    assert b"\x1b[31m" not in text
    assert CONTROL.findall(plain.replace("\n", "")) == []


def read_terminal(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux reports the end of a terminal's output as an error
        return b""


def test_progress_shows_no_control(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    clock = iter([0.0, 31.0])
    monkeypatch.setattr(screen.time, "monotonic", lambda: next(clock))
    with screen.progress("replaying a\x1b[31m.swf") as advance:
        advance(0.5)
    assert capsys.readouterr().err == "slotwise: replaying a\\x1b[31m.swf: 50.0% done after 31 s\n"


def test_all_text_for_the_screen_passes_through_one_module() -> None:
    package = ROOT / "src" / "pycore" / "slotwise"
    ways = ("terminal/screen.py", "terminal/console.py", "cli/__init__.py")
    direct = re.compile(r"std(out|err)\.(write|buffer)|\bprint\(|\becho\(|Console\(")
    others = [
        path.relative_to(package).as_posix()
        for path in sorted(package.rglob("*.py"))
        if path.relative_to(package).as_posix() not in ways
        for line in path.read_text().splitlines()
        if direct.search(re.sub(r"\w+(\(\))?\.print\(", "", line))
    ]
    assert others == []


def without_reader(folder: Path, *arguments: str, both: bool = False) -> tuple[int, bytes]:
    """Run a command whose stdout is closed; return its code, and stderr if that is still open."""
    ours, theirs = os.pipe()
    os.close(ours)
    ended = subprocess.run(
        [sys.executable, "-m", "slotwise", *arguments],
        cwd=folder, stdout=theirs, stderr=theirs if both else subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(theirs)
    return ended.returncode, ended.stderr or b""


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("run log.swf --jobs out.csv --report out.html", 0),
        ("run log.swf --json", 0),
        ("info log.swf", 0),
        ("policies", 0),
        ("--help", 0),
        ("compare log.swf --backfill easy,none --fail-if mean_wait:+5%", 4),
    ],
)
def test_a_reader_that_leaves_is_not_an_error(log: Path, arguments: str, code: int) -> None:
    ended = without_reader(log.parent, *arguments.split())
    assert ended[0] == code
    assert ended[1].startswith(b"slotwise: error: regression") if code else ended[1] == b""
    if "--jobs" in arguments:  # the files are still written
        assert (log.parent / "out.csv").read_text().count("\n") == 11
        assert (log.parent / "out.html").stat().st_size > 1000


def test_an_unread_error_keeps_its_code(log: Path) -> None:
    assert without_reader(log.parent, "run", "nowhere.swf", both=True) == (3, b"")
