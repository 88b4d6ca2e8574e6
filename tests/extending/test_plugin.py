"""`examples/plugin`, a package that adds orders, a model, a format and a study by entry points."""

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
    # Two jobs of 240 s can run at a time, and one arrives every 60 s, so two start every 240 s.
    # Jobs 2i and 2i + 1, submitted at 120 i and 120 i + 60, start at 240 i and 240 i + 60; both
    # wait 120 i. The mean over i from 0 to 49 is 120 * 24.5 = 2940 s.
    assert found["metrics"]["mean_wait"] == 2940


def test_a_package_adds_a_format(installed: Path, tmp_path: Path) -> None:
    assert "harbour" in slotwise(installed, "formats", where=tmp_path)
    times = "2026-01-01T00:00:00;2026-01-01T00:01:00;2026-01-01T00:03:00"
    log = f"berth_job;arrived;docked;left;cranes\n7;{times};2\n"
    (tmp_path / "log.txt").write_text(log)
    found = json.loads(slotwise(installed, "run", "log.txt", "--processors", "4", "--json",
                                where=tmp_path))  # fmt: skip
    assert found["metrics"]["mean_response"] == 120  # the job ran from 0:01 to 0:03


def test_a_package_adds_a_study(installed: Path, tmp_path: Path) -> None:
    found = json.loads(slotwise(installed, "study", "beats", "--fresh", "--json", where=tmp_path))
    # With jobs shorter than 120 s, the machine keeps up; with jobs of 240 s, the mean wait is
    # 2940 s, as in the test of the model.
    assert [row["ours"] for row in found["rows"]] == [0, 0, 2940]


def test_a_package_adds_orders(installed: Path, tmp_path: Path) -> None:
    listed = json.loads(slotwise(installed, "policies", "--json", where=tmp_path))["orders"]
    facts = {each["name"]: (each["doc"], each["reference"]) for each in listed}
    package = "slotwise-plugin-example 1.0"
    said = "Put jobs that have waited at least twelve hours first, then the others, shortest first"
    assert facts["half-day"] == (said, package)
    key = "wait / max(requested_time, 60)"
    assert facts["patience"] == (f"name = expression, key = {key}", package)
    # There is one processor. Job 1 runs until 13 h. By then, job 2 (submitted at 1 h, requests
    # 10 h) has waited for twelve hours, and job 3 (submitted at 2 h, requests 1 h) for eleven, so
    # job 2 is first. Under sjf, job 3 is first.
    rows = ["submit,run_time,processors,requested_time", "0,46800,1,46800", "3600,36000,1,36000",
            "7200,3600,1,3600"]  # fmt: skip
    (tmp_path / "jobs.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "site.toml").write_text(
        '[machine]\nprocessors = 1\n[policy]\norder = "half-day"\nbackfill = "none"\n'
    )
    arguments = ["run", "jobs.csv", "--site", "site.toml", "--json"]
    found = json.loads(slotwise(installed, *arguments, where=tmp_path))
    # The jobs wait for 0, 12 and 21 h, 11 h on average.
    assert found["metrics"]["mean_wait"] == 39600
    assert found["site"]["policy"]["order"] == "half-day"
    sjf = json.loads(slotwise(installed, *arguments, "--order", "sjf", where=tmp_path))
    # The jobs wait for 0, 13 and 11 h, 8 h on average.
    assert sjf["metrics"]["mean_wait"] == 28800


@pytest.mark.parametrize(
    ("group", "named", "arguments", "fault"),
    [
        ("orders", "json:no_such", ["run", "log.swf", "--order", "x"], "cannot be loaded"),
        ("orders", "math:pi", ["run", "log.swf", "--order", "x"], "it must be a function of NumPy"),
        ("orders", "no_such_module", ["policies"], "ModuleNotFoundError: No module named"),
        ("formats", "math:pi", ["formats"], "or the path of a profile"),
        ("formats", "os:sep", ["formats"], "is a profile that cannot be read"),
        ("models", "math:pi", ["generate", "x", "out.swf"], "decorated with `model`"),
        ("studies", "math:pi", ["study", "x"], "decorated with `study`"),
    ],
)  # fmt: skip
def test_a_fault_of_a_package_names_it(
    tmp_path: Path, group: str, named: str, arguments: list[str], fault: str
) -> None:
    facts = tmp_path / "site" / "faulty-2.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 2.0\n")
    (facts / "entry_points.txt").write_text(f"[slotwise.{group}]\nx = {named}\n")
    (tmp_path / "log.swf").write_text(
        "; MaxProcs: 4\n1 0 -1 60 1 -1 -1 1 60 -1 1 1 1 1 -1 -1 -1 -1\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "slotwise", *arguments],
        cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site"), "COLUMNS": "1000"}, check=False,
    )  # fmt: skip
    assert ended.returncode == 2, ended.stderr
    assert f"entry point 'x' of slotwise.{group} (faulty 2.0)" in ended.stderr
    assert fault in ended.stderr
    assert "correct the package, or uninstall it" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_without_the_package_nothing_is_added(tmp_path: Path) -> None:
    assert "harbour" not in slotwise(tmp_path, "formats", where=tmp_path)
