"""Format the benchmark figures as tables: text of at most 100 columns, or Markdown."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from yardstick import site_costs, study_tasks
from yardstick.rows import thanks
from yardstick.targets import BYTES_A_JOB, READING, SIX_QUEUES, bound_text

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 100
Columns = list[tuple[str, "Callable[[dict[str, Any]], str]"]]


def seconds(value: float) -> str:
    """Write a time with its unit, to three digits or to 0.01 ms."""
    milli = value * 1e3
    for unit, shown in (("s", value), ("ms", milli)):
        if shown >= 100:
            return f"{shown:.0f} {unit}"
        if shown >= 1:
            return f"{shown:.3g} {unit}"
    return f"{milli:.2f} ms"


def micro(value: float) -> str:
    return f"{value * 1e6:.1f} us"


def digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def figure(name: str, form: Callable[[Any], str]) -> Callable[[dict[str, Any]], str]:
    return lambda row: form(row[name]) if row.get(name) is not None else "-"


def replay_cell(row: dict[str, Any]) -> str:
    if "over_limit" in row:
        return f"> {row['over_limit']:g} s"
    return seconds(row["replay_seconds"])


REPLAYS: Columns = [
    ("workload", lambda r: r["name"]),
    ("jobs", figure("jobs", "{:,}".format)),
    ("queue", figure("queue_max", "{:,}".format)),
    ("bare", figure("bare_seconds", seconds)),
    ("replay", replay_cell),
    ("ratio", figure("ratio", digits)),
    ("Mjobs/s", figure("jobs_a_second", lambda v: digits(v / 1e6))),
    ("MB", figure("peak_bytes", lambda v: f"{v / 1e6:,.0f}")),
    ("B/job", figure("bytes_a_job", "{:.0f}".format)),
    ("target", lambda r: bound_text(r["target"])),
    ("", lambda r: r["verdict"]),
]
READS: Columns = [
    ("log", lambda r: r["name"]),
    ("jobs", figure("jobs", "{:,}".format)),
    ("text MB", figure("text_bytes", lambda v: f"{v / 1e6:.1f}")),
    ("parser MB/s", figure("parse", "{:.0f}".format)),
    ("read_swf MB/s", figure("plain", "{:.0f}".format)),
    (".gz MB/s", figure("packed", "{:.0f}".format)),
    ("target", lambda _: str(READING)),
    ("", lambda r: r["verdict"]),
]
QUEUES: Columns = [
    ("log", lambda r: r["name"]),
    ("jobs", figure("jobs", "{:,}".format)),
    ("one queue", figure("one_seconds", seconds)),
    ("six", figure("shared", digits)),
    ("a pool each", figure("own", digits)),
    ("and a limit", figure("ruled", digits)),
    ("target", lambda _: f"{SIX_QUEUES} x"),
    ("", lambda r: r["verdict"]),
]
SITES: Columns = [
    ("site and log", lambda r: r["name"]),
    ("jobs", figure("jobs", "{:,}".format)),
    ("plain", figure("plain_seconds", seconds)),
    ("replay", figure("replay_seconds", seconds)),
    ("ratio", figure("ratio", digits)),
    ("held", lambda r: f"{site_costs.held(r):g} x"),
    ("target", lambda r: f"{site_costs.target(r):g} x"),
    ("", lambda r: r["verdict"]),
]
WINDOWS: Columns = [
    ("policy", lambda r: r["name"]),
    ("jobs", figure("jobs", "{:,}".format)),
    ("queue", figure("queue_max", "{:,}".format)),
    ("bare", figure("bare_seconds", seconds)),
    ("replay", figure("replay_seconds", seconds)),
    ("ratio", figure("ratio", digits)),
    ("target", lambda r: f"{r['most']} x"),
    ("", lambda r: r["verdict"]),
]
SOLVERS: Columns = [
    ("one call", lambda r: r["name"]),
    ("instances", figure("instances", "{:,}".format)),
    ("median", figure("median_seconds", micro)),
    ("99 %", figure("p99_seconds", micro)),
    ("longest", figure("worst_seconds", micro)),
    ("empty call", figure("empty_seconds", micro)),
    ("target", lambda r: micro(r["most"])),
    ("", lambda r: r["verdict"]),
]
STUDIES: Columns = [
    ("what studies do", lambda r: r["name"]),
    ("jobs", figure("jobs", "{:,}".format)),
    ("CPU", figure("cpu", seconds)),
    ("on the wall", figure("wall", seconds)),
    ("speed-up", figure("speed_up", digits)),
    ("by CPU", figure("by_cpu", digits)),
    ("ratio", figure("ratio", digits)),
    ("held", lambda r: task_bound(r["name"], "bound")),
    ("target", lambda r: task_bound(r["name"], "target")),
    ("", lambda r: r["verdict"]),
]


def task_bound(name: str, which: str) -> str:
    task = study_tasks.TASKS[name]
    return task.text(getattr(task, which))


def cells(columns: Columns, rows: list[dict[str, Any]]) -> list[list[str]]:
    return [[head for head, _ in columns], *([f(row) for _, f in columns] for row in rows)]


def text_table(columns: Columns, rows: list[dict[str, Any]]) -> str:
    lines = cells(columns, rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    widths[0] = min(widths[0], WIDTH - sum(w + 1 for w in widths[1:]))
    shown = []
    for line in lines:
        first = line[0] if len(line[0]) <= widths[0] else line[0][: widths[0] - 1] + "~"
        rest = [c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True)]
        shown.append(" ".join([first.ljust(widths[0]), *rest]).rstrip())
    return "\n".join([shown[0], "-" * max(map(len, shown)), *shown[1:]])


def markdown_table(columns: Columns, rows: list[dict[str, Any]]) -> str:
    head, *lines = cells(columns, rows)
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *lines))


def machine_lines(facts: dict[str, Any]) -> list[str]:
    load = " ".join(f"{x:.2f}" for x in facts["load_average"])
    return [
        f"{facts['cpu']}, {facts['cores']} cores, load average {load}, {facts['system']}",
        f"Python {facts['python']}, {facts['compiler']}",
        f"slotwise {facts['slotwise']} at {facts['commit']}, {facts['date']}",
    ]


def summary_lines(report: dict[str, Any]) -> list[str]:
    out = []
    figures = report["summary"]
    for name, title in (("all", "all rows"), ("bounded", "bounded rows")):
        if name in figures:
            s = figures[name]
            out.append(
                f"{title} ({s['rows']}): geometric mean {digits(s['geometric_mean'])} x, "
                f"worst {digits(s['worst'])} x ({s['worst_row']})"
            )
    if "verdict" in figures:
        out.append(f"target of the geometric mean: {figures['target']} x: {figures['verdict']}")
    return out


def notes(report: dict[str, Any]) -> list[str]:
    """Return the notes on the table, beginning with the problems."""
    out = list(report["problems"])
    if report["absent"]:
        out.append("Skipped, not in the folder of logs: " + ", ".join(report["absent"]) + ".")
    if report["unrecorded"]:
        out.append("No recorded answer: " + ", ".join(report["unrecorded"]) + ".")
    out.append(
        "Times are CPU seconds of one thread; ratio is the median over alternating rounds of "
        "replay / bare loop; queue is the largest number of jobs waiting at once; MB is the "
        "peak memory of the process; B/job is what the first replay of a fresh process adds to its "
        f"resident memory, including the result (at most {BYTES_A_JOB}); one MB is 1e6 bytes."
    )
    return out + thanks([r["name"] for r in (*report["rows"], *report["reading"])])


def policy_text(policy: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in policy.items())


def render(report: dict[str, Any], *, markdown: bool) -> str:
    table = markdown_table if markdown else text_table
    head = machine_lines(report["machine"])
    blocks = ["  \n".join(head) if markdown else "\n".join(textwrap.fill(h, WIDTH) for h in head)]
    if report["rows"]:
        blocks.append(f"Replays, {policy_text(report['policy'])}:")
        blocks.append(table(REPLAYS, report["rows"]))
        lines = summary_lines(report)
        blocks += ["\n\n".join(lines) if markdown else "\n".join(lines)] if lines else []
    if report["reading"]:
        blocks += ["Reading SWF:", table(READS, report["reading"])]
    if report["queues"]:
        blocks += ["Six queues, in units of the one-queue replay:", table(QUEUES, report["queues"])]
    if report["sites"]:
        blocks += ["Sites, in units of the plain replay:", table(SITES, report["sites"])]
    if report["windows"]:
        blocks += ["Windows on a torus of 40,960 nodes:", table(WINDOWS, report["windows"])]
    if report["solvers"]:
        blocks += ["Branch and bound, one call from Python:", table(SOLVERS, report["solvers"])]
    if report["studies"]:
        blocks += ["Studies, two threads:", table(STUDIES, report["studies"])]
    wrapped = [n if markdown else textwrap.fill(n, WIDTH) for n in notes(report)]
    return "\n\n".join([*blocks, ("\n\n" if markdown else "\n").join(wrapped)])
