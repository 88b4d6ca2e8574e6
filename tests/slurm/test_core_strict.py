"""The `slurm` preset decides each step of each recording from the recorded state alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from reference.slurm.conf import read_conf
from reference.slurm.rules import Rules
from slurm.core_cycle import CoreJudge
from slurm.recording import Recording
from slurm.strict import steps_of, strict

RECORDINGS = Path(__file__).parent / "recordings"

# Recordings that are not judged; docs/slurm.md names each.
LEFT_OUT = {
    "fairshare_small": "a QOS limits the running jobs per user; a decision takes no limits",
}
EXACT = sorted({path.stem for path in RECORDINGS.glob("*.conf")} - LEFT_OUT.keys())


@pytest.mark.parametrize("name", EXACT)
def test_the_core_starts_what_slurm_started(name: str) -> None:
    conf = RECORDINGS / f"{name}.conf"
    machine, parameters = read_conf(conf)
    steps = steps_of(
        Recording(RECORDINGS / f"{name}.csv"), machine, parameters, Rules(), only_changed=True
    )
    for score in strict(steps, CoreJudge.of_conf(conf, machine, parameters)).values():
        assert (score.missing, score.too_many, score.other_nodes) == ([], [], [])
        # In one cycle of `limits`, the clock advances by a second before a start.
        assert len(score.plans_differ) == (2 if name == "limits" and score.plans else 0)


def test_each_recording_left_out_is_named_with_its_reason_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "slurm.md").read_text(encoding="utf-8")
    for name in LEFT_OUT:
        assert f"`{name}`" in page
        assert (RECORDINGS / f"{name}.csv").exists()
