"""Copies of the sources for tests that extend them, and counts of changed files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import slotwise

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
PACKAGE = "pycore/slotwise"
WRITTEN = {".py", ".pyi", ".toml", ".cpp", ".hpp", ".h", ".pyx"}


def copied_sources(folder: Path) -> Path:
    """Copy ``src`` into `folder`, but link the compiled modules of the package."""
    copy = folder / "src"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    built = Path(slotwise.__file__).parent
    for path in built.rglob("*.so"):
        (copy / PACKAGE / path.relative_to(built)).symlink_to(path)
    return copy


def touched(copy: Path, original: Path) -> set[str]:
    """List the files in a copy that are new or differ from the original."""
    return {
        str(path.relative_to(copy))
        for path in copy.rglob("*")
        if path.suffix in WRITTEN
        and (
            not (original / path.relative_to(copy)).exists()
            or path.read_bytes() != (original / path.relative_to(copy)).read_bytes()
        )
    }


def files_that_name(word: str) -> set[str]:
    """List the sources that contain a word, except advice and studies, which only use the parts."""
    users = {"advice", "studies"}
    return {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*")
        if path.suffix in WRITTEN
        and not users & set(path.parts)
        and word in path.read_text(encoding="utf-8")
    }


def run_slotwise(sources: Path, *arguments: str) -> str:
    """Run the command line of a copy; return its output."""
    return run_python(sources, "-m", "slotwise", *arguments)


def run_python(sources: Path, *arguments: str) -> str:
    """Run Python with the package in a copy of the sources; return the output."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(sources / "pycore")}, cwd=sources.parent, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
