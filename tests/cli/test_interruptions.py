"""Commands that are interrupted, or whose output is no longer read."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from signals_of_children import started
from slotwise.cli import main
from slotwise.errors import MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path


def test_control_c_ends_a_replay_under_way_with_130(tmp_path: Path) -> None:
    script = tmp_path / "long.py"
    # The queue only grows, and each arriving job is promised a start after all others, so this
    # replay takes minutes.
    script.write_text(
        "import sys, numpy as np, slotwise as sw\n"
        "import slotwise.terminal.trace_argument as traces\n"
        "n = 1_000_000\n"
        "t = sw.Trace.from_columns(np.arange(n), np.full(n, 1000), np.arange(n) % 3 + 1,\n"
        "    np.arange(n) % 997 + 1000, max_processors=3)\n"
        "import slotwise.cli.commands.run as run\n"
        "run.open_trace = lambda *_, **__: t\n"
        "import slotwise.cli.replays as replays\n"
        "real = replays.simulate\n"
        "def simulate(*a, **k):\n"
        "    print('replaying', flush=True)\n"
        "    return real(*a, **k)\n"
        "replays.simulate = simulate\n"
        "from slotwise.cli import main\n"
        "sys.exit(main(['run', 'log.swf', '--order', 'wfp3', '--backfill', 'conservative',\n"
        "    '--jobs', 'jobs.csv']))\n"
    )
    process = started(script)
    assert process.stdout is not None
    assert process.stdout.readline() == "replaying\n"
    time.sleep(0.3)
    assert process.poll() is None, "the replay was over before it could be interrupted"
    process.send_signal(signal.SIGINT)
    # If the replay did not notice the signal, it would exceed the timeout.
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert "Traceback" not in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["long.py"]


@pytest.mark.parametrize("load", ["core", "library"])
def test_control_c_within_the_import_of_a_compiled_module_ends_with_130(
    load: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The loader of a compiled module turns the interruption into an ImportError.
    def interrupted_import(*_: Any, **__: Any) -> None:
        try:
            raise ImportError("initialization failed") from KeyboardInterrupt()
        except ImportError as fault:
            if load == "core":
                raise
            raise MissingExtraError("this needs pyarrow, which is not installed") from fault

    monkeypatch.setattr("slotwise.cli.commands.run.open_trace", interrupted_import)
    assert main(["run", "log.swf"]) == 130
    assert capsys.readouterr().err == "slotwise: error: interrupted\n"


def test_a_reader_that_leaves_causes_no_traceback(log: Path) -> None:
    ended = subprocess.run(
        f"{sys.executable} -m slotwise policies | true",
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
