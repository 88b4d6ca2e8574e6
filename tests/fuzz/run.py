"""Build and run the fuzz target of the SWF reader for a bounded time.

With clang++ it is libFuzzer; where that is absent, the same target under the C++ compiler at hand
with a plain mutation loop; both with ASan and UBSan. Needs no Python package.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
JOB = "1 100 5 60 4 50 1000 8 120 2000 1 3 4 5 6 7 -1 -1"
SEEDS = {
    "plain": f"; MaxProcs: 8\n{JOB}\n",
    "padded": "   15   599850 192180   3477    4     -1    -1    4  53940    -1  1  12  12 "
    + " -1" * 5 + "\n",
    "decimals": JOB.replace("50", "0.03").replace("60", "1.5e3").replace("1000", "-2.51") + "\n",
    "extra": f"{JOB} 0.975\n{JOB} 1 gpu,fat 2\n",
    "short": f"{JOB}\n1 2 3 4 5\n1 2\n",
    "unsorted": JOB.replace("100", "900") + f"\n{JOB}\n{JOB}\n",
    "large": JOB.replace("100", str(2**53)).replace("1000", "9" * 19) + "\n",
    "dropped": JOB.replace("60", "-1") + "\n" + JOB.replace("8 120", "-1 120") + f"\n{JOB}\n",
    "odd": f"\xef\xbb\xbf;no blank\r\n\t{JOB}\r\n\n \n;\xe9\n{JOB}",
    "many": f"{JOB}\n" * 40,
}  # fmt: skip


def build(compiler: str, folder: Path, *extra: str) -> Path | None:
    """Return the target, or None where the compiler cannot build it."""
    target = folder / "fuzz_swf_reader"
    sources = [
        ROOT / "tests/fuzz/fuzz_swf_reader.cpp",
        *sorted(ROOT.glob("src/core/workload/*.cpp")),
    ]
    sanitizers = "address,undefined" + (",fuzzer" if not extra else "")
    command = [
        compiler, "-std=c++20", "-O1", "-g", f"-fsanitize={sanitizers}",
        "-fno-sanitize-recover=undefined", f"-I{ROOT / 'src/core'}", "-o", str(target),
        *map(str, sources), *extra,
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return target
    print(f"{compiler} cannot build the target:\n{done.stderr[-2000:]}", file=sys.stderr)
    return None


def main() -> int:
    """Run; the exit code is that of the fuzzer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="bound of the run (default 60)")
    seconds = parser.parse_args().seconds
    folder = ROOT / "build" / "fuzz"
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for name, text in SEEDS.items():
        (corpus / name).write_bytes(text.encode("latin-1"))

    target = None
    clang = shutil.which("clang++")
    if clang:
        target = build(clang, folder)
    if target is None:
        compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
        if compiler is None:
            print("no C++ compiler found: install g++ or clang", file=sys.stderr)
            return 1
        print(f"no libFuzzer here: a plain mutation loop under {compiler} instead")
        target = build(compiler, folder, str(ROOT / "tests/fuzz/mutate_main.cpp"))
    if target is None:
        return 1
    command = [str(target), f"-max_total_time={seconds}"]
    if clang:
        command += ["-max_len=4096", "-print_final_stats=1", "-verbosity=0"]
    return subprocess.run([*command, str(corpus)], cwd=folder, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
