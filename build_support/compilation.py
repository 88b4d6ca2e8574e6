"""Compile stale objects in parallel, and write a progress line now and then.

An object is up to date if it is newer than its source, the flags, and the headers that the source
includes (with ``-MMD``, the compiler lists them in a file beside the object).
"""

import os
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, TextIO

LINES = 12  # maximum number of progress lines


def interpreter() -> str:
    """Return the interpreter and its ABI, such as ``cpython-313t`` for a build without the GIL.

    Builds with and without the GIL cannot share objects, but have the same cache tag.
    """
    return f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"


def note_flags(text: str, path: Path) -> None:
    """Write the compiler flags of the objects to `path` if they have changed."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def included(obj: Path) -> list[str] | None:
    """List the project's files from which an object was compiled; None if they are unknown."""
    listed = obj.with_suffix(".d")
    if not obj.exists() or not listed.exists():
        return None
    _, _, files = listed.read_text(encoding="utf-8").replace("\\\n", " ").partition(": ")
    paths = (part.replace("\\ ", " ") for part in re.findall(r"(?:\\ |\S)+", files))
    return [path for path in paths if not Path(path).is_absolute()]


def is_stale(obj: Path, flags: Path) -> bool:
    """Return True if an object is missing or older than its sources or its flags."""
    files = included(obj)
    if files is None or not all(Path(path).exists() for path in files):
        return True
    return obj.stat().st_mtime < max(Path(path).stat().st_mtime for path in (*files, flags))


def workers() -> int:
    """Return the number of files to compile in parallel."""
    return int(os.environ.get("SLOTWISE_BUILD_JOBS") or 0) or os.cpu_count() or 1


class Progress:
    """Progress of a build, written to ``SLOTWISE_BUILD_PROGRESS`` or stderr."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.begun = 0
        self.began = time.monotonic()
        self.lock = Lock()

    def begin(self) -> None:
        """Count one file, and write a progress line every few files and for the last one."""
        with self.lock:
            self.begun += 1
            if (self.begun - 1) % -(-self.total // LINES) and self.begun < self.total:
                return
            seconds = time.monotonic() - self.began
            self._say(f"compiling: file {self.begun} of {self.total}, after {seconds:.0f} s")

    def _say(self, line: str) -> None:
        path = os.environ.get("SLOTWISE_BUILD_PROGRESS")
        if path:
            with Path(path).open("a", encoding="utf-8") as file:
                self._write(file, line)
        else:
            self._write(sys.stderr, line)

    @staticmethod
    def _write(file: TextIO, line: str) -> None:
        file.write(line + "\n")
        file.flush()


def compile_stale(
    compiler: Any, flags: Path, is_special: Callable[[str], bool], special: list[str]
) -> Callable[..., list[str]]:
    """Return a replacement for the method ``compile`` of a setuptools compiler.

    Parameters
    ----------
    compiler
        The compiler whose ``compile`` is replaced.
    flags
        The file that `note_flags` wrote.
    is_special
        Returns True for a source that needs additional flags.
    special
        The additional flags; they follow all others.
    """

    def compile_sources(
        sources: list[str], output_dir: str | None = None, macros: list[Any] | None = None,
        include_dirs: list[str] | None = None, debug: bool = False,
        extra_preargs: list[str] | None = None, extra_postargs: list[str] | None = None,
        depends: list[str] | None = None,
    ) -> list[str]:  # fmt: skip
        macros, objects, after, before, build = compiler._setup_compile(
            output_dir, macros, include_dirs, sources, depends, extra_postargs
        )
        options = compiler._get_cc_args(before, debug, extra_preargs)
        stale = [obj for obj in objects if is_stale(Path(obj), flags)]
        # The bindings take longest, so they are compiled first. Compiled last, they would delay the
        # end of the build.
        stale.sort(key=lambda obj: not is_special(build[obj][0]))
        progress = Progress(len(stale))

        def compile_one(obj: str) -> None:
            progress.begin()
            source, extension = build[obj]
            own = [*after, "-MMD", *(special if is_special(source) else [])]
            compiler._compile(obj, source, extension, options, own, before)

        with ThreadPoolExecutor(workers()) as pool:
            list(pool.map(compile_one, stale))
        return objects

    return compile_sources
