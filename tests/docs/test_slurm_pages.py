"""Statements in the pages about Slurm, checked against the program."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from generate import ROOT

import slotwise as sw
from slotwise.formats.slurm_site import describe_site
from slotwise.site.policy.backfill_facts import backfill_facts

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs" / "slurm.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SITES = (ROOT / "docs" / "sites.md").read_text(encoding="utf-8")


def test_the_page_names_every_parameter_whose_unit_is_not_the_second() -> None:
    sentence = re.search(r"Durations\s+are\s+in\s+seconds, (.*?)\.\s", PAGE, re.S)
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
    # Partition b has a different tier from partition a. If both had the same tier,
    # --slurm-version none would leave the tier out of the site file.
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


def test_the_pages_name_what_the_preset_rejects_or_replaces(tmp_path: Path) -> None:
    machine = sw.Nodes([sw.NodeType(hosts="n1", cores=4)])
    policy = sw.Policy.preset("slurm", version="25.11")
    begin = datetime(2024, 3, 6, tzinfo=UTC)
    parts: dict[str, Any] = {
        "maintenance": {"maintenance": [sw.Maintenance(begin, 60)]},
        "outages": {"outages": [sw.Outage(begin, 60, processors=1)]},
        "reservations": {"reservations": [sw.Reservation("r", begin, 60, 1, users=["ann"])]},
    }
    sections = [README.split("## Known limitations")[1]]
    sections.append(PAGE.split("or left out\n\n")[1].split("The preset was compared")[0])
    for word, fields in parts.items():
        with pytest.raises(sw.SiteError, match="backfill 'slurm' does not support this yet"):
            sw.Site(machine=machine, policy=policy, **fields)
        assert all(word in section.lower() for section in sections)
    (tmp_path / "slurm.conf").write_text("PriorityWeightFairshare=1\nNodeName=n1 CPUs=4\n")
    comments = describe_site(tmp_path / "slurm.conf", version="25.11").comments
    assert any("Fair Tree is not supported" in comment for comment in comments)
    assert all("Fair Tree" in each and "reemption" in each for each in sections)
