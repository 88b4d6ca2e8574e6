"""Check whether the current build is slower than the one kept by ``make bench``.

``--keep`` copies the built package to .benchmarks/base. Without it, two processes, one for each
build, take turns at replaying; docs/benchmarks.md explains the verdict.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardstick.machine import facts, fingerprint
from yardstick.rows import ROOT, generated_rows, log_rows, traces_folder

HERE = Path(__file__).resolve().parent
HEAD = ROOT / "src" / "pycore"
BASE = ROOT / ".benchmarks" / "base"
FLOOR = 0.05
SPREADS = 3


def keep(head: Path, base: Path) -> None:
    """Replace `base` with a copy of the package and its extensions."""
    fresh = base.with_name(base.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(
        head / "slotwise", fresh / "slotwise", ignore=shutil.ignore_patterns("__pycache__")
    )
    (fresh / "record.json").write_text(json.dumps(facts(), indent=1) + "\n")
    shutil.rmtree(base, ignore_errors=True)
    fresh.rename(base)


def kept(base: Path) -> dict[str, Any]:
    """Read the record of the baseline build; exit if there is none."""
    path = base / "record.json"
    if not path.is_file():
        sys.exit(
            f"no recorded run: {base} holds no build. "
            "Run `make bench` on the commit to compare with, then run this again."
        )
    record: dict[str, Any] = json.loads(path.read_text())
    if record["fingerprint"] != fingerprint():
        sys.exit(
            f"the recorded run comes from another machine or Python ({record['cpu']}, Python "
            f"{record['python']}): they cannot be compared. Run `make bench` here first."
        )
    return record


def default_cells() -> list[dict[str, Any]]:
    """List the cells: workloads to replay (with easy or conservative), and one log to read."""
    logs = {row.name.partition("-")[0]: row for row in log_rows(traces_folder())[0]}
    generated = generated_rows([100_000], [0.7, 0.85, 1.2])
    easy = [*generated, *(logs[n] for n in ("KTH", "SDSC", "RICC") if n in logs)]
    conservative = [generated_rows([20_000], [0.85])[0], *(logs[n] for n in ("KTH",) if n in logs)]
    read = [logs["KTH"]] if "KTH" in logs else []
    return [
        {"name": f"{backfill}: {row.name}", "backfill": backfill, "row": row.to_dict()}
        for backfill, rows in (("easy", easy), ("conservative", conservative), ("read", read))
        for row in rows
    ]


class Worker:
    """A child process that has loaded the package in `folder`."""

    def __init__(self, folder: Path, cells: list[dict[str, Any]]) -> None:
        paths = os.pathsep.join([str(folder), str(HERE)])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "yardstick.worker", json.dumps(cells)],
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.loaded = self._line()
        if not Path(self.loaded["file"]).is_relative_to(folder):
            sys.exit(f"the build in {folder} was requested, but {self.loaded['file']} was loaded")

    def _line(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"a measuring process ended with status {self.process.wait()}")
        return json.loads(line)

    def round(self, cell: int) -> tuple[float, float]:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{cell}\n")
        self.process.stdin.flush()
        bare, work = self._line()
        return bare, work

    def close(self) -> None:
        self.process.communicate()


@dataclass
class Change:
    """The current build's time divided by the baseline build's, for several pairs of processes."""

    values: list[float] = field(default_factory=list)

    @property
    def middle(self) -> float:
        return statistics.median(self.values)

    @property
    def spread(self) -> float:
        """Return the median absolute deviation of the ratios."""
        return statistics.median(abs(v - self.middle) for v in self.values)

    @property
    def bound(self) -> float:
        return 1 + max(FLOOR, SPREADS * self.spread)

    @property
    def slower(self) -> bool:
        return self.middle > self.bound


def run_pair(
    base: Path, head: Path, cells: list[dict[str, Any]], rounds: int
) -> dict[str, list[float]]:
    """Start both builds in fresh processes; return the ratios of their times by cell name.

    A cell has one ratio per round. Before the ratio is taken, each build's time is divided by the
    time of its own bare loop. The key ``bare loop`` holds the ratios of the bare loops themselves.
    """
    workers = (Worker(base, cells), Worker(head, cells))
    for name in ("traces", "answers"):
        for cell, old, new in zip(cells, *(w.loaded[name] for w in workers), strict=True):
            if old != new:
                sys.exit(
                    f"{cell['name']}: the {name} differ ({old}, now {new}): nothing to compare"
                )
    changes: dict[str, list[float]] = {"bare loop": []}
    for number, cell in enumerate(cells):
        values = changes.setdefault(cell["name"], [])
        for turn in range(rounds):
            order = (0, 1) if turn % 2 == 0 else (1, 0)
            got = {which: workers[which].round(number) for which in order}
            (base_bare, base_work), (head_bare, head_work) = got[0], got[1]
            values.append((head_work / head_bare) / (base_work / base_bare))
            changes["bare loop"].append(head_bare / base_bare)
    for worker in workers:
        worker.close()
    return changes


def measure(
    base: Path, head: Path, cells: list[dict[str, Any]], pairs: int, rounds: int
) -> dict[str, Change]:
    """Measure every cell, and repeat those in which the current build seems slower."""
    changes = {name: Change() for name in ("bare loop", *(c["name"] for c in cells))}

    def add(some: list[dict[str, Any]]) -> None:
        for _ in range(pairs):
            for name, values in run_pair(base, head, some, rounds).items():
                changes[name].values.append(statistics.median(values))

    add(cells)
    doubtful = [c for c in cells if changes[c["name"]].slower]
    if not doubtful and changes["bare loop"].slower:
        doubtful = cells[:1]
    if doubtful:
        add(doubtful)
    return changes


def table(record: dict[str, Any], changes: dict[str, Change]) -> str:
    width = max(map(len, changes))
    lines = [
        f"base {record['commit']} of {record['date']}, load average now {os.getloadavg()[0]:.2f}",
        f"{'ratio to the bare loop, now / base':{width}} change  spread   bound",
    ]
    for name, change in changes.items():
        figures = f"{change.middle - 1:+6.1%} {change.spread:7.1%} {change.bound - 1:+7.1%}"
        lines.append(f"{name:{width}} {figures}  {'SLOWER' if change.slower else 'ok'}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--keep", action="store_true", help="keep the current build as the base")
    parser.add_argument("--pairs", type=int, default=5, help="fresh pairs of processes (default 5)")
    parser.add_argument(
        "--rounds", type=int, default=9, help="rounds per pair and cell (default 9)"
    )
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="cells whose name contains this")
    parser.add_argument("--base", type=Path, default=BASE, help="folder of the kept build")
    parser.add_argument("--head", type=Path, default=HEAD, help="folder of the build to judge")
    arguments = parser.parse_args()
    if arguments.keep:
        keep(arguments.head, arguments.base)
        print(f"kept this build in {arguments.base}; `make bench-compare` compares with it")
        return 0
    record = kept(arguments.base)
    cells = default_cells()
    if arguments.only:
        cells = [c for c in cells if any(t.lower() in c["name"].lower() for t in arguments.only)]
    if not cells:
        parser.error(f"--only {' '.join(arguments.only)}: no cell name contains any of these")
    changes = measure(arguments.base, arguments.head, cells, arguments.pairs, arguments.rounds)
    print(table(record, changes))
    slower = [name for name, change in changes.items() if change.slower]
    print(f"slower beyond noise: {', '.join(slower)}" if slower else "no regression beyond noise")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
