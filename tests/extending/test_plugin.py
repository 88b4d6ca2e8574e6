"""A package that adds a model, a format and a study by entry points: `examples/plugin`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).resolve().parents[2] / "examples" / "plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example into a folder of its own."""
    folder = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(PLUGIN, folder / "source")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation",
         "--disable-pip-version-check", "--target", str(folder / "site"), str(source)],
        check=True,
    )  # fmt: skip
    return folder / "site"


def slotwise(site: Path, *arguments: str, where: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    ended = subprocess.run(
        [sys.executable, "-m", "slotwise", *arguments],
        env=environment, cwd=where, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return ended.stdout


def test_a_package_adds_a_model(installed: Path, tmp_path: Path) -> None:
    slotwise(installed, "generate", "metronome", "log.swf", "--run-time", "240", where=tmp_path)
    found = json.loads(slotwise(installed, "run", "log.swf", "--json", where=tmp_path))
    # Two jobs of 240 s at a time, and one more every 60 s: two starts every 240 s. Jobs 2i and
    # 2i + 1, submitted at 120 i and 120 i + 60, start at 240 i and 240 i + 60, so that both wait
    # 120 i. The mean over i from 0 to 49 is 120 * 24.5 = 2940 s.
    assert found["metrics"]["mean_wait"] == 2940


def test_a_package_adds_a_format(installed: Path, tmp_path: Path) -> None:
    assert "harbour" in slotwise(installed, "formats", where=tmp_path)
    times = "2026-01-01T00:00:00;2026-01-01T00:01:00;2026-01-01T00:03:00"
    log = f"berth_job;arrived;docked;left;cranes\n7;{times};2\n"
    (tmp_path / "log.txt").write_text(log)
    found = json.loads(slotwise(installed, "run", "log.txt", "--processors", "4", "--json",
                                where=tmp_path))  # fmt: skip
    assert found["metrics"]["mean_response"] == 120  # it ran from 0:01 to 0:03


def test_a_package_adds_a_study(installed: Path, tmp_path: Path) -> None:
    found = json.loads(slotwise(installed, "study", "beats", "--fresh", "--json", where=tmp_path))
    # Below 120 s the machine keeps up; at 240 s as above.
    assert [row["ours"] for row in found["rows"]] == [0, 0, 2940]


def test_without_the_package_nothing_is_added(tmp_path: Path) -> None:
    assert "harbour" not in slotwise(tmp_path, "formats", where=tmp_path)
