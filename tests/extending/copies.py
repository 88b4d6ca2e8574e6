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
WRITTEN = {".py", ".pyi", ".toml", ".cpp", ".hpp", ".h", ".pyx"}


def copied_package(folder: Path) -> Path:
    """Copy the package into `folder`; compiled modules are linked."""
    package = folder / "slotwise"
    built = Path(slotwise.__file__).parent
    for path in sorted(built.rglob("*")):
        target = package / path.relative_to(built)
        if path.suffix == ".so":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(path)
        elif path.is_file() and "__pycache__" not in path.parts:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    shutil.copyfile(built.parent / "slotwise_entry.py", folder / "slotwise_entry.py")
    return package


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
    """List the sources that contain a word, except for tools and studies that merely use it."""
    users = {"advice", "studies"}
    return {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*")
        if path.suffix in WRITTEN
        and not users & set(path.parts)
        and word in path.read_text(encoding="utf-8")
    }


def run_slotwise(folder: Path, *arguments: str) -> str:
    """Run the command line of a copied package; return its output."""
    return run_python(folder, "-m", "slotwise", *arguments)


def run_python(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(folder)}, cwd=folder, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
