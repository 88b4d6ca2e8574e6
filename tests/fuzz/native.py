"""Runner of the C++ fuzz targets: builds them, and runs each on the seeds of a Python target.

The first lines of such a target are `// sources: GLOB` and `// seeds: NAME`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import harness

ROOT = Path(__file__).resolve().parents[2]
LOOP = ROOT / "tests/fuzz/mutate_main.cpp"
SANITIZED = ["-O1", "-g", "-fno-sanitize-recover=undefined"]


def run(name: str, folder: Path, seconds: float, seed: int) -> int:
    """Build a target with sanitizers and run it for some seconds; return its exit code."""
    clang = shutil.which("clang++")
    target = None
    if clang:
        target = build(name, folder, [clang], *SANITIZED, "-fsanitize=address,undefined,fuzzer")
    options = ["-max_len=4096", "-print_final_stats=1", "-verbosity=0"] if target else []
    if target is None:
        print(f"no libFuzzer here: {name} has a plain mutation loop instead", flush=True)
        flags = [*SANITIZED, "-fsanitize=address,undefined", str(LOOP)]
        target = build(name, folder, compiler(), *flags)
    if target is None:
        return 1
    at_work = folder / name
    at_work.mkdir(exist_ok=True)
    bound = [f"-max_total_time={max(1, round(seconds))}", f"-seed={seed % 2**32}"]
    return start(target, at_work, *bound, *options, corpus=corpus(name, folder))


def build(name: str, folder: Path, command: list[str], *flags: str) -> Path | None:
    """Return the program, or None if the compiler cannot build it."""
    target = folder / f"fuzz_{name}"
    source = ROOT / f"tests/fuzz/fuzz_{name}.cpp"
    sources = [source, *sorted(ROOT.glob(_told(source, "sources")))]
    standard = ["-std=c++20", f"-I{ROOT / 'src/core'}", "-o", str(target)]
    done = subprocess.run(
        [*command, *standard, *map(str, sources), *flags],
        env=without_preload(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return target
    print(f"{command[0]} cannot build {name}:\n{done.stderr[-2000:]}", file=sys.stderr)
    return None


def compiler() -> list[str]:
    """Return the C++ compiler found on this machine."""
    given = os.environ.get("CXX", "").split()
    found = given or [path for path in map(shutil.which, ("g++", "c++")) if path][:1]
    if not found:
        sys.exit("no C++ compiler found: install g++ or clang")
    return found


def corpus(name: str, folder: Path) -> Path:
    """Write the seeds of a target into a folder."""
    seeds = folder / f"{name}-seeds"
    seeds.mkdir(parents=True, exist_ok=True)
    of = _told(ROOT / f"tests/fuzz/fuzz_{name}.cpp", "seeds")
    for number, data in enumerate(harness.target(of).seeds):
        (seeds / f"{number:02}").write_bytes(data)
    return seeds


def start(target: Path, folder: Path, *options: str, corpus: Path) -> int:
    """Run a program; an input that crashes it stays in `folder`."""
    command = [str(target), *options, str(corpus)]
    return subprocess.run(command, cwd=folder, env=without_preload(), check=False).returncode


def without_preload() -> dict[str, str]:
    """Return the environment without preloaded sanitizers, since each target links its own."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def _told(source: Path, key: str) -> str:
    match = re.search(rf"^// {key}: (\S+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        sys.exit(f"{source}: has no line '// {key}: …'; a target names its sources and seeds")
    return match[1]
