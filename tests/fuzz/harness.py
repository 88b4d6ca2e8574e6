"""Harness of the fuzz targets in Python: finds them by name and runs them on mutated seeds.

A target is a module `fuzz_NAME.py` in this folder with

- `SEEDS`: valid and nearly valid inputs, as bytes; `TOKENS`: pieces to insert into them;
- `REFUSALS`: the exceptions documented for wrong input. Any other is a finding;
- `run(data, folder)`: passes one input to the readers, and may write files into `folder`;
- `BOUNDED`: the number of inputs that the test suite runs, which takes about half a second;
- `mutate(chance)`, optional: for formats in which random edits rarely get past the first check.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import random
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mutation import mutated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

FOLDER = Path(__file__).resolve().parent
SLOWEST = 30
"""Time limit for one input, in seconds."""


@dataclass(frozen=True)
class Target:
    name: str
    refusals: tuple[type[Exception], ...]
    run: Callable[[bytes, Path], object]
    make: Callable[[random.Random], bytes]
    seeds: tuple[bytes, ...]
    bounded: int


@dataclass(frozen=True)
class Finding:
    """An input that raised an undocumented exception."""

    target: str
    error: str
    place: str
    data: bytes

    @property
    def kind(self) -> tuple[str, str]:
        """The exception's type and location; findings of one kind are reported once."""
        return self.error.split(":")[0], self.place


def names(suffix: str = ".py") -> list[str]:
    """List the targets whose files end in `suffix`."""
    return sorted(path.stem.removeprefix("fuzz_") for path in FOLDER.glob(f"fuzz_*{suffix}"))


def target(name: str) -> Target:
    module = _module(FOLDER / f"fuzz_{name}.py")
    seeds, tokens = list(module.SEEDS), list(module.TOKENS)
    make = getattr(module, "mutate", lambda chance: mutated(seeds, tokens, chance))
    return Target(name, module.REFUSALS, module.run, make, tuple(seeds), module.BOUNDED)


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a module; a target is a file fuzz_NAME.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(folder: Path, name: str, data: bytes) -> Path:
    """Write a new file, because truncating an existing one causes a flush on some file systems."""
    path = folder / name
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    return path


def inputs(of: Target, seed: int) -> Iterator[bytes]:
    """Yield the seeds, then endless mutations, which are the same for the same random seed."""
    yield from of.seeds
    chance = random.Random(seed)
    while True:
        yield of.make(chance)


def attempt(of: Target, data: bytes, folder: Path) -> Finding | None:
    """Run a target on an input; return a finding, or None (also after a documented refusal)."""
    try:
        of.run(data, folder)
    except of.refusals:
        return None
    except Exception as fault:
        frames = traceback.extract_tb(fault.__traceback__)
        ours = [f for f in frames if "slotwise" in Path(f.filename).parts] or frames
        place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
        return Finding(of.name, f"{type(fault).__name__}: {fault}"[:300], place, data)
    return None


def bounded_run(of: Target, folder: Path, count: int, seed: int = 1) -> list[Finding]:
    """Run a target on `count` inputs; return one finding per kind."""
    kinds: dict[tuple[str, str], Finding] = {}
    for _, data in zip(range(count), inputs(of, seed), strict=False):
        if finding := attempt(of, data, folder):
            kinds.setdefault(finding.kind, finding)
    return list(kinds.values())


def timed_run(of: Target, folder: Path, seconds: float, seed: int) -> tuple[int, list[Finding]]:
    """Run a target for some seconds; return the number of inputs, and one finding per kind.

    The current input is stored in `folder`/input, in case it crashes the process. An input that
    takes longer than `SLOWEST` ends the process with a traceback.
    """
    kinds: dict[tuple[str, str], Finding] = {}
    end, count = time.monotonic() + seconds, 0
    for data in inputs(of, seed):
        if time.monotonic() >= end:
            break
        written(folder, "input", data)
        faulthandler.dump_traceback_later(SLOWEST, exit=True)
        if finding := attempt(of, data, folder):
            kinds.setdefault(finding.kind, finding)
        count += 1
    faulthandler.cancel_dump_traceback_later()
    return count, list(kinds.values())
