"""Units: which sources share one, and that they compile as if they stood alone."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest
from build_support.unity import LINES, local_names, write_units

COMPILER = (sysconfig.get_config_var("CXX") or "g++").split()[-1]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    header = "#pragma once\nint shared();\nstruct Held { int at; };\n"
    (tmp_path / "src/common.hpp").write_text(header)
    return tmp_path


def source(name: str, body: str) -> str:
    path = Path("src", name)
    text = f'#include "common.hpp"\nnamespace house {{\nnamespace {{\n{body}\n}} // namespace\n}}\n'
    path.write_text(text)
    return str(path)


def units(*paths: str) -> list[str]:
    return write_units(list(paths), ["src/common.hpp"], Path("units"))


def check(unit: str) -> None:
    command = [COMPILER, "-std=c++20", "-fsyntax-only", "-I.", "-Isrc", unit]
    subprocess.run(command, check=True, capture_output=True)


def test_local_names_are_those_of_unnamed_namespaces_and_aliases() -> None:
    text = (
        "using Row = int;\nint seen();\nnamespace {\nconst bool registered = true;\n"
        "[[noreturn]] void refuse(int why) {\n    int inner = why;\n}\nstruct Part {\n};\n"
        "template <class Value> Value half(Value of) {\n}\n} // namespace\nint outer() {\n"
    )
    assert local_names(text) == {"Row", "registered", "refuse", "Part", "half"}


def test_equal_names_of_two_sources_share_a_unit(project: Path) -> None:
    (unit,) = units(
        source("a.cpp", "const bool registered = shared() > 0;"),
        source("b.cpp", "const bool registered = shared() > 1;"),
    )
    check(unit)


def test_a_name_that_a_header_has_too_keeps_sources_apart(project: Path) -> None:
    # `at` is a member in the header: no suffix can be given to it, and both define it.
    a, b = source("a.cpp", "int at() { return 1; }"), source("b.cpp", "int at() { return 2; }")
    assert units(a, b) == [a, b]


def test_a_unit_is_not_written_again_and_an_edited_source_leaves_it(project: Path) -> None:
    a, b, c = (source(f"{name}.cpp", f"int of_{name}() {{ return 1; }}") for name in "abc")
    (unit,) = units(a, b, c)
    written = Path(unit).stat().st_mtime_ns
    assert units(a, b, c) == [unit]
    assert Path(unit).stat().st_mtime_ns == written
    later = Path("units/plan.json").stat().st_mtime + 10
    os.utime(b, (later, later))
    assert units(a, b, c) == [unit, b]
    assert "b.cpp" not in Path(unit).read_text()


def test_sources_of_more_lines_than_a_unit_has_are_divided(project: Path) -> None:
    half = "\n".join("// a line" for _ in range(LINES // 2 - 10))
    paths = [source(f"{name}.cpp", half) for name in "abc"]
    assert len(units(*paths)) == 2
