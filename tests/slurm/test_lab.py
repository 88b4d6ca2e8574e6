"""The lab can repeat each recording: it has the same configuration, and draws the same jobs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from slurm.lab.workload import Workload
from slurm.recording import Recording

RECORDINGS = Path(__file__).parent / "recordings"
LAB = Path(__file__).parent / "lab"
NAMES = sorted(path.stem for path in RECORDINGS.glob("*.csv"))
SCENARIOS = tomllib.loads((LAB / "scenarios.toml").read_text())


def settings(text: str) -> list[str]:
    """Return the lines of a slurm.conf without comments and ports, in alphabetical order."""
    lines = (re.sub(r" Port=\S+", "", line) for line in text.splitlines())
    return sorted(line for line in lines if line and not line.startswith("#"))


def test_every_recording_has_a_scenario() -> None:
    assert sorted(SCENARIOS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_has_the_configuration_of_its_recording(name: str) -> None:
    recorded = (RECORDINGS / f"{name}.conf").read_text()
    text = (LAB / f"conf/{name}.conf").read_text()
    if (LAB / f"conf/{name}.epilog").exists():  # the recorder adds this line
        text += f"Epilog={name}.epilog\n"
    assert settings(text) == settings(recorded)
    accounts = RECORDINGS / f"{name}.accounts"
    in_lab = LAB / f"conf/{name}.accounts"
    assert accounts.exists() == in_lab.exists()
    if accounts.exists():
        assert in_lab.read_text() == accounts.read_text()


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_draws_the_jobs_of_its_recording(name: str) -> None:
    drawn = Workload(**SCENARIOS[name]["workload"]).draw()
    recording = Recording(RECORDINGS / f"{name}.csv")
    refused = {job.number for job in recording.refused}
    drawn = [asked for asked in drawn if asked.job not in refused]
    recorded = [each.job for each in recording.jobs.values()]
    for asked, job in zip(drawn, recorded, strict=True):
        assert (asked.job, asked.run, asked.limit) == (job.number, job.run, job.limit)
        assert (asked.nodes, asked.cpus, asked.partition) == (job.nodes, job.cpus, job.partition)
        assert (asked.memory, asked.gpus, asked.feature) == (job.memory, job.gpus, job.feature)
        assert (bool(asked.exclusive), str(asked.user)) == (job.exclusive, job.user)
        assert (asked.qos, asked.nice, asked.site) == (job.qos, job.nice, job.site_factor)
