"""Pages of the commands: usage, options, and an example with its actual output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from generate import command_at, options_table, verbs_of

GRID = """\
trace = "log.swf"

[grid]
"policy.order" = ["fcfs", "sjf"]
"policy.backfill" = ["easy", "conservative"]
"""
SLURM = """\
ClusterName=own
NodeName=n[1-4] CPUs=16 RealMemory=64000
PartitionName=batch Nodes=n[1-4] Default=YES
PartitionName=debug Nodes=n1
"""
FILES = {"grid.toml": GRID, "slurm.conf": SLURM}
EXAMPLES = {
    "generate lublin": "slotwise generate lublin log.swf --jobs 2000 --processors 256 --seed 1",
    "generate centre": "slotwise generate centre --help",
    "run": "slotwise run log.swf --jobs schedule.csv",
    "compare": "slotwise compare log.swf --backfill none,easy,conservative",
    "info": "slotwise info log.swf",
    "explain": "slotwise explain log.swf 150",
    "convert": "slotwise convert log.swf jobs.csv",
    "formats": "slotwise formats",
    "policies": "slotwise policies",
    "sweep grid": "slotwise sweep grid.toml",
    "site from-slurm": "slotwise site from-slurm slurm.conf > centre.toml",
    "site check": "slotwise site check centre.toml",
    "site show": "slotwise site show centre.toml",
    "site from-log": "slotwise site from-log schedule.csv",
}
"""One example per command, run in this order in one folder that contains `FILES`."""


def output_of(line: str, folder: Path) -> str:
    """Run a command line and return its output; if it fails, so does the build."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
    }
    ended = subprocess.run(
        line, shell=True, cwd=folder, env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if ended.returncode:
        raise RuntimeError(f"$ {line} ended with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def outputs() -> dict[str, str]:
    """Run every example; return the output of each, by command."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        return {verb: output_of(line, folder) for verb, line in EXAMPLES.items()}


def page_of(verb: str, printed: str | None) -> str:
    """Write the page of a command in Markdown."""
    command = command_at(verb.split())
    text = f"# slotwise {verb}\n\n{' '.join((command.help or '').split())}\n"
    if printed is not None:
        text += f"\n```console\n$ {EXAMPLES[verb]}\n{printed.rstrip()}\n```\n"
    return text + f"\n## Arguments and options\n\n{options_table(verb.split())}"


def write_pages(folder: Path) -> None:
    """Write one page per command, and the list of all commands, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    printed = outputs()
    verbs = sorted(verbs_of(command_at([])))
    index = (
        "# Commands\n\nOne page per command, with its output. "
        "[The command line](../cli.md) explains how they work together.\n\n"
        "| command | |\n|---|---|\n"
    )
    entries = []
    for verb in verbs:
        name = verb.replace(" ", "-")
        (folder / f"{name}.md").write_text(page_of(verb, printed.get(verb)), encoding="utf-8")
        help_ = " ".join((command_at(verb.split()).help or "").split()).partition(". ")[0]
        index += f"| [{verb}]({name}.md) | {help_.replace('|', chr(92) + '|')} |\n"
        entries.append(name)
    listed = "\n".join(entries)
    index += f"\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    (folder / "index.md").write_text(index, encoding="utf-8")
