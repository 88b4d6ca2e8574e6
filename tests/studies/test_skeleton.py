"""Modules that every study has under the same names."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from slotwise.studies import studies

SKELETON = ("paper", "workloads", "sites", "replays", "rows", "figures", "findings")
WITHOUT_VERBS = {"torus"}
PUBLISHED = [info for info in studies() if info.package == f"slotwise.studies.{info.name}"]


@pytest.mark.parametrize("package", [info.package for info in PUBLISHED])
def test_a_study_has_the_modules_of_the_skeleton(package: str) -> None:
    assert [name for name in SKELETON if find_spec(f"{package}.{name}") is None] == []


def test_verbs_of_a_study_are_its_commands() -> None:
    without = {info.name for info in PUBLISHED if find_spec(f"{info.package}.commands") is None}
    assert without == WITHOUT_VERBS
