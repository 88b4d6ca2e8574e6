"""Compilation: which objects are rebuilt, how progress is reported, and the size of setup.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from build_support.compilation import Progress, interpreter, is_stale, note_flags

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create an object of `a.cpp`, which includes `used.hpp` but not `other.hpp`."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.cpp", "used.hpp", "other.hpp", "flags"):
        Path(name).touch()
        os.utime(name, (100, 100))
    Path("a.d").write_text("a.o: a.cpp used.hpp \\\n /usr/include/gone.h\n")
    Path("a.o").touch()
    os.utime("a.o", (200, 200))
    return Path("a.o")


def test_an_object_is_stale_when_a_header_it_includes_has_changed(built: Path) -> None:
    os.utime("used.hpp", (300, 300))
    assert is_stale(built, Path("flags"))


def test_an_object_is_not_stale_when_another_header_has_changed(built: Path) -> None:
    os.utime("other.hpp", (300, 300))
    assert not is_stale(built, Path("flags"))


@pytest.mark.parametrize("missing", ["a.o", "a.d", "used.hpp"])
def test_an_object_is_stale_without_what_it_is_judged_by(built: Path, missing: str) -> None:
    Path(missing).unlink()
    assert is_stale(built, Path("flags"))


def test_flags_are_written_only_where_they_change(built: Path) -> None:
    note_flags("-O2", Path("flags"))
    assert is_stale(built, Path("flags"))
    os.utime("flags", (100, 100))
    note_flags("-O2", Path("flags"))
    assert not is_stale(built, Path("flags"))


def test_progress_is_some_lines_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOTWISE_BUILD_PROGRESS", str(tmp_path / "progress"))
    progress = Progress(30)
    for _ in range(30):
        progress.begin()
    lines = (tmp_path / "progress").read_text().splitlines()
    # The first of every three compilations is reported, and so is the last: 1, 4, ..., 28, 30.
    numbers = [int(line.split()[2]) for line in lines]
    assert numbers == [1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 30]


def test_setup_is_at_most_100_lines() -> None:
    assert (ROOT / "setup.py").read_text(encoding="utf-8").count("\n") <= 100


def test_a_python_without_the_gil_has_objects_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    # CPython 3.13 has the cache tag cpython-313, with and without the GIL.
    monkeypatch.setattr(sys, "abiflags", "")
    usual = interpreter()
    monkeypatch.setattr(sys, "abiflags", "t")
    assert interpreter() == usual + "t"
