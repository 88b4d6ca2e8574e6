"""Cost of a replay in units of the bare event loop, and speed of reading SWF.

Run as ``python benchmarks/ratio.py [--quick]``; docs/benchmarks.md explains the table.
Each row is measured in a process of its own; its answer is compared with benchmarks/answers.json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from yardstick import answers, site_costs, solvers, study_tasks, windows
from yardstick.machine import facts
from yardstick.rows import LOADS, SEED, SIZES, Row, generated_rows, log_rows, traces_folder
from yardstick.tables import render
from yardstick.targets import READING, SIX_QUEUES, summary, target, verdict

HERE = Path(__file__).resolve().parent


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        epilog="Exit status 1: a wrong answer or a failed row; with --check, also a missed bound.",
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="the logs and 100,000 generated jobs only")
    add("--only", metavar="TEXT", nargs="+", help="rows whose name contains one of these strings")
    add("--jobs", type=int, nargs="+", help="sizes of the generated workloads")
    add("--loads", type=float, nargs="+", help="loads of the generated workloads")
    add("--seed", type=int, default=SEED, help="seed of the generator (answers are recorded for 1)")
    add("--order", default="fcfs", help="default fcfs")
    add("--backfill", default="easy", help="default easy")
    add(
        "--limit",
        type=float,
        default=120,
        help="stop a replay after this many seconds (default 120)",
    )
    add("--seconds", type=float, default=2, help="CPU seconds to spend on each row (default 2)")
    add("--no-reading", action="store_true", help="omit the table of reading speeds")
    add("--no-queues", action="store_true", help="omit the table of six queues")
    add("--no-sites", action="store_true", help="omit the table of sites")
    add("--no-windows", action="store_true", help="omit the tables of windows and their solver")
    add("--no-studies", action="store_true", help="omit the table of studies, as --quick does")
    add("--no-long", action="store_true", help="omit studies that take more than half a minute")
    add("--json", action="store_true", help="everything as JSON on stdout")
    add("--markdown", action="store_true", help="tables as Markdown, for the README")
    add("--check", action="store_true", help="exit with 1 if a bound is missed")
    add("--answers", type=Path, default=answers.RECORDED, help="file of the recorded answers")
    add(
        "--record-answers",
        action="store_true",
        help="write the answers of this run to the file of --answers",
    )
    return parser


def chosen_rows(arguments: argparse.Namespace) -> tuple[list[Row], list[str]]:
    logs, absent = log_rows(traces_folder())
    sizes = arguments.jobs or (SIZES[:1] if arguments.quick else SIZES)
    rows = logs + generated_rows(sizes, arguments.loads or LOADS, arguments.seed)
    rows = [row for row in rows if wanted(arguments, row.name)]
    return rows, [name for name in absent if wanted(arguments, name)]


def chosen_sites(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    if arguments.no_sites:
        return []
    cells = site_costs.cells(log_rows(traces_folder())[0])
    return [cell for cell in cells if wanted(arguments, cell["name"])]


def chosen_windows(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    if arguments.no_windows:
        return []
    return [cell for cell in windows.cells() if wanted(arguments, windows.name_of(cell))]


def chosen_solvers(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    if arguments.no_windows:
        return []
    return [cell for cell in solvers.cells() if wanted(arguments, solvers.name_of(cell))]


def chosen_studies(arguments: argparse.Namespace) -> list[str]:
    if arguments.no_studies or arguments.quick:
        return []
    present = study_tasks.present(long=not arguments.no_long)
    return [name for name in present if wanted(arguments, name)]


def wanted(arguments: argparse.Namespace, name: str) -> bool:
    """Return whether --only selects this row; without --only, every row is selected."""
    only = arguments.only
    return only is None or any(text.lower() in name.lower() for text in only)


def in_fresh_process(task: dict[str, Any]) -> dict[str, Any]:
    """Run one task and return its figures, or ``{"failed": reason}`` if its process failed."""
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "yardstick.measure", json.dumps(task)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]}
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def measured(kind: str, rows: list[Row], base: dict[str, Any], problems: list[str]) -> list[Any]:
    """Measure every row in turn; failures are added to `problems`."""
    out = []
    for number, row in enumerate(rows, 1):
        say(f"{kind} {number}/{len(rows)}: {row.name}")
        figures = in_fresh_process({"kind": kind, "row": row.to_dict(), **base})
        if "failed" in figures:
            problems.append(f"FAILED: {kind} of {row.name}: {figures['failed']}")
        else:
            out.append({"name": row.name, "row": row.to_dict(), **figures})
    say("")
    return out


def measured_sites(arguments: argparse.Namespace, problems: list[str]) -> list[Any]:
    """Measure every site and the plain replay, and compare starts with the recorded ones."""
    recorded = answers.load(arguments.answers)
    found, out = {}, []
    for cell in chosen_sites(arguments):
        say(cell["name"])
        figures = in_fresh_process({"kind": "site", "cell": cell, "seconds": arguments.seconds})
        if "failed" in figures:
            problems.append(f"FAILED: {cell['name']}: {figures['failed']}")
            continue
        found[cell["name"]] = figures["answer"]
        fault = answers.fault(cell["name"], recorded.get(cell["name"]), figures["answer"])
        if fault and not arguments.record_answers:
            problems.append(fault)
        out.append({**cell, **figures, "verdict": site_costs.verdict(cell, figures["ratio"])})
    say("")
    if arguments.record_answers:
        answers.save(arguments.answers, recorded | found)
    return out


def measured_windows(arguments: argparse.Namespace, problems: list[str]) -> list[Any]:
    """Measure every solver at every load, and compare each figure with its target."""
    base = {"limit": arguments.limit, "seconds": arguments.seconds}
    out = []
    for cell in chosen_windows(arguments):
        name = windows.name_of(cell)
        say(name)
        figures = in_fresh_process({"kind": "window", "cell": cell, **base})
        if "failed" in figures:
            problems.append(f"FAILED: {name}: {figures['failed']}")
            continue
        most = windows.MOST[cell["solver"]]
        word = "pass" if figures["ratio"] <= most else "fail"
        out.append({"name": name, "most": most, "verdict": word, **figures})
    say("")
    return out


def measured_solvers(arguments: argparse.Namespace, problems: list[str]) -> list[Any]:
    """Measure one call of the exact solver for each kind of instance."""
    out = []
    for cell in chosen_solvers(arguments):
        name = solvers.name_of(cell)
        say(name)
        figures = in_fresh_process({"kind": "solver", "cell": cell})
        if "failed" in figures:
            problems.append(f"FAILED: {name}: {figures['failed']}")
            continue
        word = "pass" if figures["median_seconds"] <= solvers.MOST else "fail"
        out.append({"name": name, "most": solvers.MOST, "verdict": word, **figures})
    say("")
    return out


def measured_studies(arguments: argparse.Namespace, problems: list[str]) -> list[Any]:
    """Time the study tasks, and compare each time with its target."""
    out = []
    for name in chosen_studies(arguments):
        say(name)
        figures = in_fresh_process({"kind": "study", "name": name})
        if "failed" in figures:
            problems.append(f"FAILED: {name}: {figures['failed']}")
        else:
            out.append({"name": name, **figures})
    say("")
    return out


def check_answers(
    arguments: argparse.Namespace, rows: list[Any], policy: dict[str, Any], problems: list[str]
) -> None:
    """Compare or record the answers of all rows except those that exceeded their time limits."""
    recorded = answers.load(arguments.answers)
    found = {answers.key(r["name"], policy): r for r in rows if "answer" in r}
    for name, row in found.items():
        row["answer_recorded"] = name in recorded or arguments.record_answers
        if not arguments.record_answers:
            fault = answers.fault(name, recorded.get(name), row["answer"])
            problems += [fault] if fault else []
    if arguments.record_answers:
        answers.save(arguments.answers, recorded | {n: r["answer"] for n, r in found.items()})


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure everything and return the report; its list of problems is empty if nothing failed."""
    rows, absent = chosen_rows(arguments)
    policy = {"order": arguments.order, "backfill": arguments.backfill}
    problems: list[str] = []
    machine = facts()
    base = {"policy": policy, "limit": arguments.limit, "seconds": arguments.seconds}
    replays = measured("replay", rows, base, problems)
    logs = [] if arguments.no_reading else [row for row in rows if row.path]
    reading = measured("reading", logs, {"seconds": min(arguments.seconds, 1)}, problems)
    queued = [] if arguments.no_queues else [row for row in rows if row.path]
    queues = measured("queues", queued, {"seconds": arguments.seconds}, problems)
    sites = measured_sites(arguments, problems)
    placed = measured_windows(arguments, problems)
    solved = measured_solvers(arguments, problems)
    studies = measured_studies(arguments, problems)
    check_answers(arguments, replays, policy, problems)
    for row in replays:
        row["target"] = target(policy, row)
        row["verdict"] = verdict(row["target"], row)
    for row in reading:
        row["verdict"] = "pass" if row["plain"] >= READING else "fail"
    for row in queues:
        row["verdict"] = "pass" if max(row["shared"], row["own"]) <= SIX_QUEUES else "fail"
    unknown = [r["name"] for r in replays if not r.get("answer_recorded", True)]
    return {
        "machine": machine, "policy": policy, "rows": replays, "reading": reading,
        "queues": queues, "sites": sites, "windows": placed, "solvers": solved, "studies": studies,
        "summary": summary(policy, replays), "absent": absent,
        "unrecorded": unknown, "problems": problems,
    }  # fmt: skip


def main() -> int:
    parser = options()
    arguments = parser.parse_args()
    chosen = (
        chosen_rows(arguments)[0], chosen_sites(arguments),
        chosen_windows(arguments), chosen_solvers(arguments),
    )  # fmt: skip
    if not (any(chosen) or chosen_studies(arguments)):
        parser.error(f"--only {' '.join(arguments.only or [])}: no row name contains any of these")
    report = measure(arguments)
    if arguments.json:
        print(json.dumps(report, indent=1))
    else:
        print(render(report, markdown=arguments.markdown))
    shown = ("rows", "reading", "queues", "sites", "windows", "solvers", "studies")
    verdicts = [row["verdict"] for table in shown for row in report[table]]
    missed = "fail" in [*verdicts, report["summary"].get("verdict")]
    return 1 if report["problems"] or (arguments.check and missed) else 0


if __name__ == "__main__":
    sys.exit(main())
