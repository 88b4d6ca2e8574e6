"""Control-C, SIGTERM and SIGHUP during a command, from its very start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from conftest import ROOT
from signals_of_children import heed_signals, started

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are of Unix")
REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def installed_command() -> str:
    """Write the script that the installed ``slotwise`` command runs."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module, _, function = scripts["slotwise"].partition(":")
    return f"import sys; from {module} import {function}; sys.exit({function}())"


@pytest.mark.parametrize("number", REQUESTS)
@pytest.mark.parametrize(
    "how", [["-c", installed_command(), "policies"], ["-m", "slotwise", "policies"]]
)
def test_a_command_interrupted_during_its_imports_reports_it_in_one_line(
    tmp_path: Path, how: list[str], number: signal.Signals
) -> None:
    # A stand-in for NumPy, the first slow import.
    slow = tmp_path / "numpy" / "__init__.py"
    slow.parent.mkdir()
    slow.write_text("import time\nprint('importing', flush=True)\ntime.sleep(60)\n")
    process = subprocess.Popen(
        [sys.executable, *how],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "importing\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (128 + number, "slotwise: error: interrupted\n")


def test_an_ignored_signal_stays_ignored(tmp_path: Path) -> None:
    script = tmp_path / "ignoring.py"
    script.write_text(
        "import signal, slotwise_entry\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"  # as nohup does
        "slotwise_entry.heed_requests()\n"
        "assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN\n"
        "assert signal.getsignal(signal.SIGTERM) == slotwise_entry.end_at_once\n"
    )
    process = started(script)
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0


def test_a_request_after_the_end_of_a_command_changes_nothing(tmp_path: Path) -> None:
    script = tmp_path / "late.py"
    # Python destroys modules after all work is done; the destructor of `late` sends the signal.
    script.write_text(
        "import os, signal, sys, slotwise_entry\n"
        "class Late:\n"
        "    def __del__(self, kill=os.kill, number=signal.SIGTERM, pid=os.getpid()):\n"
        "        kill(pid, number)\n"
        "late = Late()\n"
        "sys.argv = ['slotwise', '--version']\n"
        "sys.exit(slotwise_entry.main())\n"
    )
    process = started(script)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("slotwise ")


def test_importing_the_package_changes_no_signal_handler() -> None:
    code = "import signal, slotwise; assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL"
    subprocess.run([sys.executable, "-c", code], check=True, preexec_fn=heed_signals)


# The first chunk has only one site, so one row is stored before the script waits for the signal.
SWEEP = """
import sys, time
from slotwise.cli.commands import sweep
real, calls = sweep.compute_rows, []
def compute_rows(*arguments, **options):
    calls.append(arguments)
    if len(calls) == 2:
        print("computing", flush=True)
        time.sleep(60)
    return real(*arguments, **options)
sweep.compute_rows = compute_rows
from slotwise.cli import main
sys.exit(main(["sweep", "grid.toml", "--workers", "1", "--out", "table.csv"]))
"""
GRID = 'trace = "log.swf"\n[grid]\n"policy.backfill" = ["none", "easy", "first-fit"]\n'


def test_an_interrupted_sweep_leaves_a_journal_to_resume_from(
    slotwise: Any, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    script = tmp_path / "sweep.py"
    script.write_text(SWEEP)
    before = {path.name for path in tmp_path.iterdir()}
    process = started(script)
    assert process.stdout is not None
    assert process.stdout.readline() == "computing\n"
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (143, "slotwise: error: interrupted\n")
    journal = ".table.csv.journal.jsonl"
    assert {path.name for path in tmp_path.iterdir()} == before | {journal}

    from slotwise.cli.commands import sweep as module

    sites: list[int] = []
    real = module.compute_rows

    def compute_rows(trace: Any, some: Any, *rest: Any, **options: Any) -> Any:
        sites.append(len(some))
        return real(trace, some, *rest, **options)

    monkeypatch.setattr(module, "compute_rows", compute_rows)
    assert slotwise("sweep", "grid.toml", "--workers", "1", "--out", "table.csv").code == 0
    assert sum(sites) == 2  # the other of the three rows was stored earlier
    assert {path.name for path in tmp_path.iterdir()} == before | {"table.csv"}
