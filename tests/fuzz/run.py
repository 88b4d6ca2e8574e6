"""Run every fuzz target in this folder, within a total time limit.

A target `fuzz_NAME.cpp` is built here with ASan and UBSan. If clang++ and libFuzzer are found, they
are used; otherwise, any C++ compiler and a plain mutation loop are used. A target `fuzz_NAME.py`
needs the package; `--preload` names the run-time libraries of a package compiled with sanitizers.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import warnings
from hashlib import sha256
from pathlib import Path

import harness
import native

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "tests"))  # some targets import tests/reference
KEPT = ROOT / "build" / "fuzz"
MOST_MEGABYTES = 3000


def main() -> int:
    """Run the targets; return 1 if any found a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="targets to run (default: all)")
    parser.add_argument("--seconds", type=float, default=60, help="for all targets (default 60)")
    parser.add_argument("--seed", type=int, help="of the random inputs (default: from the clock)")
    parser.add_argument("--preload", default="", help="run-time libraries of a sanitized package")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    seed = int(time.time()) if given.seed is None else given.seed
    if given.child:
        return _run_here(given.child, given.seconds, seed)
    if given.preload and not os.environ.get("LD_PRELOAD"):
        # The seeds of the C++ targets come from the package, so this process needs the sanitizer
        # libraries too.
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | _sanitizing(given))
    known = [*harness.names(".cpp"), *harness.names()]
    for name in given.names:
        if name not in known:
            parser.error(f"unknown target '{name}'; known names are: {', '.join(known)}")
    chosen = given.names or known
    share = given.seconds / len(chosen)
    print(f"{len(chosen)} targets of {share:.1f} s each, seed {seed}", flush=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    codes = [
        native.run(name, KEPT, share, seed)
        if name in harness.names(".cpp")
        else _in_child(name, share, seed)
        for name in chosen
    ]
    wrong = [name for name, code in zip(chosen, codes, strict=True) if code]
    print(f"faults in: {', '.join(wrong)}" if wrong else "no fault")
    return int(bool(wrong))


def _sanitizing(given: argparse.Namespace) -> dict[str, str]:
    """Return the environment variables that a package compiled with sanitizers needs."""
    return {
        "LD_PRELOAD": given.preload,
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:"
        f"hard_rss_limit_mb={MOST_MEGABYTES}",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def _in_child(name: str, seconds: float, seed: int) -> int:
    """Run a target in its own process, which a fault in the core may crash."""
    folder = KEPT / name
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, __file__, "--child", name, f"--seconds={seconds}", f"--seed={seed}"]
    code = subprocess.run(command, check=False).returncode
    if code not in (0, 1):
        print(f"{name}: ended with {code}; the input is {folder / 'input'}", flush=True)
    return code


def _run_here(name: str, seconds: float, seed: int) -> int:
    (KEPT / name).mkdir(parents=True, exist_ok=True)
    if not os.environ.get("LD_PRELOAD"):
        _bound_memory()
    warnings.simplefilter("error")
    start = time.monotonic()
    count, findings = harness.timed_run(harness.target(name), KEPT / name, seconds, seed)
    print(f"{name}: {count} inputs in {time.monotonic() - start:.0f} s, {len(findings)} faults")
    for finding in findings:
        path = KEPT / name / f"finding-{sha256(finding.data).hexdigest()[:12]}"
        path.write_bytes(finding.data)
        print(f"  {finding.place} {finding.error}\n    {path.relative_to(ROOT)}")
    return int(bool(findings))


def _bound_memory() -> None:
    """Limit the memory, so that large inputs raise MemoryError; a sanitizer has its own limit."""
    import resource

    most = MOST_MEGABYTES << 20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    raise SystemExit(main())
