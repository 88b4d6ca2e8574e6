"""Metadata of the package: extras, and extension modules that run without the GIL."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import slotwise
from slotwise.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
FACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = FACTS["project"]
OF_DEVELOPERS = {"test", "lint", "browser", "release", "site"}


def test_the_extra_all_has_every_extra_of_users_but_pytorch() -> None:
    extras = PROJECT["optional-dependencies"]
    (chosen,) = extras["all"]
    users = set(extras) - OF_DEVELOPERS - {"all", "sb3"}
    assert set(chosen.removeprefix("slotwise[").removesuffix("]").split(",")) == users
    assert set(EXTRAS.values()) <= users | {"sb3"}


@pytest.mark.parametrize("source", sorted(ROOT.glob("src/pycore/**/*.pyx")), ids=lambda p: p.name)
def test_a_cython_module_runs_without_the_gil(source: Path) -> None:
    assert "# cython: freethreading_compatible=True" in source.read_text().splitlines()


def test_the_core_runs_without_the_gil() -> None:
    module = (ROOT / "src/pycore/bindings/module.cpp").read_text()
    assert "PYBIND11_MODULE(_core, module, pybind11::mod_gil_not_used())" in module


def test_no_flag_binds_a_wheel_to_a_processor() -> None:
    for name in ("setup.py", "pyproject.toml"):
        lines = (ROOT / name).read_text().splitlines()
        assert not [line for line in lines if "-march" in line.partition("#")[0]]


def test_citations_name_the_version() -> None:
    version = slotwise.__version__
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"version = {{{version}}}" in (ROOT / "README.md").read_text()
    assert f"## {version} (" in (ROOT / "CHANGELOG.md").read_text()


def test_wheels_are_configured_for_every_platform_and_python() -> None:
    wheels = FACTS["tool"]["cibuildwheel"]
    assert wheels["build"] == "cp3*"  # cp3* includes free-threaded builds
    assert wheels["linux"]["archs"] == ["x86_64", "aarch64"]
    assert {v for k, v in wheels["linux"].items() if k.endswith("image")} == {"manylinux_2_28"}
    assert wheels["macos"]["archs"] == ["arm64"]
    smoke = wheels["test-command"].removeprefix("python {project}/")
    assert (ROOT / smoke).is_file()


def test_every_step_of_the_workflow_is_a_target_of_the_makefile() -> None:
    targets = set(re.findall(r"^([\w-]+(?: [\w-]+)*):", (ROOT / "Makefile").read_text(), re.M))
    known = {name for line in targets for name in line.split()}
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text()
    steps = re.findall(r"run: (.*)", workflow)
    assert "make wheel" in steps
    for step in steps:
        program, *names = step.replace("${{ matrix.bound }}", "lowest").split()
        assert program == "make"
        assert set(names) <= known
