"""Lowest and highest versions of the dependencies, as ``make test-lowest`` installs them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from build_support import bounds

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_lowest_versions_are_those_of_the_project() -> None:
    installed = {*map(bounds.lowest, bounds.requirements("", *bounds.TESTED))}
    for extra, written in {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}.items():
        if extra and extra not in bounds.TESTED:
            continue
        for requirement in written:
            if not requirement.startswith("slotwise["):
                name, _, version = requirement.partition(">=")
                assert f"{name}=={version}" in installed


def test_extras_that_name_extras_are_followed() -> None:
    # The dispatch extra includes the study extra, which includes the cli and plot extras.
    names = {each.partition(">=")[0] for each in bounds.requirements("dispatch")}
    assert {"ortools", "scipy", "typer", "matplotlib"} <= names
    assert not [each for each in names if each.startswith("slotwise")]


def test_every_dependency_of_users_is_tested_at_its_bounds() -> None:
    # The extras sb3 and onnx install PyTorch and an ONNX runtime. If these are missing, the tests
    # that need them are skipped.
    of_users = {"cli", "cluster", "dispatch", "parquet", "plot", "rl", "study"}
    extras = set(PROJECT["optional-dependencies"])
    others = {"all", "browser", "lint", "onnx", "release", "sb3", "site", "test"}
    assert extras - others == of_users
    assert {*bounds.TESTED} == of_users | {"test"}


def test_a_requirement_without_a_lowest_version_is_refused() -> None:
    assert bounds.lowest("numpy>=1.26") == "numpy==1.26"
    with pytest.raises(SystemExit, match=r"'numpy' has no lowest version; write it as NAME>="):
        bounds.lowest("numpy")


def test_the_target_and_the_workflow_run_both_bounds() -> None:
    assert "test-lowest test-highest: test-%: program" in (ROOT / "Makefile").read_text()
    workflow = (ROOT / ".github/workflows/wheels.yml").read_text()
    assert "bound: [lowest, highest]" in workflow
    assert "make test-${{ matrix.bound }}" in workflow


def test_the_tools_of_the_site_are_those_of_the_extra() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "build_support/bounds.py --of site" in makefile
    assert "sphinx" not in makefile
