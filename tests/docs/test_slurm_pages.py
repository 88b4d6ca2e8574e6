"""Statements of the pages about Slurm that the program can confirm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from generate import ROOT

from slotwise.formats.slurm_site import describe_site
from slotwise.site.policy.backfill_facts import backfill_facts

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs" / "slurm.md").read_text(encoding="utf-8")
SITES = (ROOT / "docs" / "sites.md").read_text(encoding="utf-8")


def test_the_page_names_every_parameter_whose_unit_is_not_the_second() -> None:
    sentence = re.search(r"Durations have the units[^.]*\.conf`: seconds, (.*?)\.\n\n", PAGE, re.S)
    assert sentence is not None
    minutes, microseconds = sentence[1].split("in minutes")
    parameters = backfill_facts()["slurm"].parameters.values()
    for told, unit in ((minutes, "minutes"), (microseconds, "microseconds")):
        assert set(re.findall(r"`(\w+)`", told)) == {
            each.name for each in parameters if each.unit == unit
        }


@pytest.mark.parametrize(
    ("setting", "preset", "none"),
    [
        ("PriorityTier=7", "tier", "priority"),
        ("PriorityJobFactor=7", "priority", None),
        ("OverSubscribe=EXCLUSIVE", "exclusive", None),
    ],
)
def test_the_table_of_sites_names_the_key_of_a_partition_setting(
    tmp_path: Path, setting: str, preset: str, none: str | None
) -> None:
    # A tier that all partitions share is left out without the preset.
    nodes = "NodeName=n1 CPUs=4\nPartitionName=b Nodes=n1 PriorityTier=2\n"
    (tmp_path / "slurm.conf").write_text(f"{nodes}PartitionName=a Nodes=n1 {setting}\n")
    name = setting.removesuffix("=7")
    row = f"| `{name}` | `{preset}`. With `--slurm-version none`: "
    assert row + ("left out" if none is None else f"`{none}`") + ". |" in SITES
    for version, key in (("25.11", preset), (None, none)):
        site = describe_site(tmp_path / "slurm.conf", version=version).site
        (queue,) = (each.to_dict() for each in site.queues if each.name == "a")
        given = {each for each, value in queue.items() if value is True or value == 7}
        assert given == ({key} if key else set())
