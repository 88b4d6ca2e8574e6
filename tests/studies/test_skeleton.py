"""Modules that every study has under the same names."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from slotwise.cli.signatures import main
from slotwise.studies import studies

SKELETON = ("paper", "workloads", "sites", "replays", "rows", "figures", "findings")
PUBLISHED = [info for info in studies() if info.package == f"slotwise.studies.{info.name}"]


@pytest.mark.parametrize("package", [info.package for info in PUBLISHED])
def test_a_study_has_the_modules_of_the_skeleton(package: str) -> None:
    assert [name for name in SKELETON if find_spec(f"{package}.{name}") is None] == []


def test_a_study_has_subcommands_exactly_if_it_has_the_module_commands() -> None:
    groups = main.command_of("study").commands
    for info in PUBLISHED:
        has_module = find_spec(f"{info.package}.commands") is not None
        assert bool(groups[info.name].commands) == has_module, info.name
