"""Studies that are killed or interrupted, and resumed."""

from __future__ import annotations

import json
import signal
import time
from typing import TYPE_CHECKING

import pytest

from signals_of_children import started

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

# A study of 40 cells, two at a time; each cell records its start and takes some time.
SCRIPT = """
import sys, time
from pathlib import Path
from slotwise.studies import Row, study
from slotwise.cli import main

def slow(n):
    with Path("begun").open("a") as file:
        file.write(f"{n}\\n")
    time.sleep(0.02)
    return n

@study("slow", paper="none")
def slow_study(run):
    "Slow cells."
    found = run.map("slow cells", slow, [{"n": n} for n in range(40)])
    return [Row("I", {"n": n}, value) for n, value in enumerate(found)]

sys.exit(main(["study", "slow", "--workers", "2", "--cache", "cells", "--json"]))
"""


def wait_for_cells(kept: Path, count: int, child: subprocess.Popen[str]) -> None:
    """Wait until a study has stored this number of lines."""
    while not (kept.exists() and kept.read_bytes().count(b"\n") >= count):
        assert child.poll() is None, child.communicate()
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 130)]
)
def test_an_interrupted_study_resumes(tmp_path: Path, number: signal.Signals, code: int) -> None:
    script = tmp_path / "slow.py"
    script.write_text(SCRIPT)
    kept = tmp_path / "cells" / "slow.jsonl"
    child = started(script)
    wait_for_cells(kept, 6, child)
    child.send_signal(number)
    _, err = child.communicate(timeout=60)
    assert child.returncode == code, err
    if code > 0:
        assert err == "slotwise: error: interrupted\n"
    finished = kept.read_bytes().count(b"\n")
    begun = (tmp_path / "begun").read_text().count("\n")
    # SIGKILL loses at most the two cells in progress; other signals let them finish.
    assert begun - finished <= (2 if number == signal.SIGKILL else 0)
    assert finished < 40

    out, err = started(script).communicate(timeout=60)
    rows = json.loads(out)["rows"]
    assert [row["ours"] for row in rows] == list(range(40)), err
    again = (tmp_path / "begun").read_text().count("\n") - begun
    assert again == 40 - finished


DISPATCH = """
import sys
from slotwise.cli import main

if __name__ == "__main__":
    given = ["--quick", "--seeds", "1", "--workers", "1", "--cache", "cells", "--json"]
    sys.exit(main(["study", "dispatch", *given]))
"""


def test_worker_processes_end_when_the_study_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "dispatch.py"
    script.write_text(DISPATCH)
    child = started(script)
    wait_for_cells(tmp_path / "cells" / "dispatch.jsonl", 2, child)
    child.kill()
    child.communicate(timeout=60)  # waits until no process has the output open
    assert child.returncode == -signal.SIGKILL


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_study_with_worker_processes_ends_with_one_line(
    tmp_path: Path, number: signal.Signals
) -> None:
    script = tmp_path / "dispatch.py"
    script.write_text(DISPATCH)
    kept = tmp_path / "cells" / "dispatch.jsonl"
    child = started(script)
    wait_for_cells(kept, 2, child)
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (128 + number, "", "slotwise: error: interrupted\n")
    json.loads(kept.read_text().splitlines()[-1])  # stored cells are complete
