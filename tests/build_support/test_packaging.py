"""Metadata of the package: extras, and extension modules without the GIL."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import slotwise
from slotwise.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
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
