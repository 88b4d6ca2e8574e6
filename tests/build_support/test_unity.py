"""Unity sources: the sources that share one, and the effects of a change."""

from __future__ import annotations

from pathlib import Path

import pytest
from build_support.unity import LINES, grouped, write_unity_sources


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def source(path: str, lines: int = 10) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n" * lines)
    return path


def test_sources_of_one_folder_share_a_unity_source(project: Path) -> None:
    a, b = source("src/site/a.cpp"), source("src/site/b.cpp")
    (unity,) = write_unity_sources([b, a], project / "unity")
    assert Path(unity).read_text() == f'#include "{a}"\n#include "{b}"\n'


def test_sources_of_two_folders_stand_apart(project: Path) -> None:
    a, b = source("src/site/a.cpp"), source("src/queue/b.cpp")
    assert sorted(grouped([a, b])) == [[b], [a]]


def test_bindings_are_not_mixed_with_the_code_they_bind(project: Path) -> None:
    a, b = source("src/bindings/arrow.cpp"), source("src/bindings/bind_trace.cpp")
    assert grouped([a, b]) == [[a], [b]]


def test_a_unity_source_holds_at_most_the_bound_of_lines(project: Path) -> None:
    half = LINES // 2
    paths = [source(f"src/site/{name}.cpp", half) for name in "abc"]
    assert grouped(paths) == [paths[:2], paths[2:]]


def test_the_easy_planner_is_compiled_file_by_file(project: Path) -> None:
    paths = [source(f"src/core/planner/easy/{name}.cpp") for name in "ab"]
    assert grouped(paths) == [paths[:1], paths[1:]]


def test_a_unity_source_that_stands_keeps_its_time(project: Path) -> None:
    paths = [source(f"src/site/{name}.cpp") for name in "ab"]
    (unity,) = write_unity_sources(paths, project / "unity")
    before = Path(unity).stat().st_mtime_ns
    source("src/site/a.cpp", 20)
    assert write_unity_sources(paths, project / "unity") == [unity]
    assert Path(unity).stat().st_mtime_ns == before
