"""Unity sources: how sources are grouped into them, and the effects of changing a source."""

from __future__ import annotations

from pathlib import Path

import pytest
from build_support.unity import (
    APART,
    LINES,
    OFTEN,
    SELDOM,
    grouped,
    runs_seldom,
    write_unity_sources,
)


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


def test_sources_of_two_rooms_stand_apart(project: Path) -> None:
    a, b = source("src/core/site/a.cpp"), source("src/core/queue/b.cpp")
    assert sorted(grouped([a, b])) == [[b], [a]]


def test_a_room_includes_its_folders(project: Path) -> None:
    a, b = source("src/core/planner/a.cpp"), source("src/core/planner/pools/b.cpp")
    assert grouped([b, a]) == [[a, b]]


def test_code_that_seldom_runs_is_not_mixed_with_code_that_often_runs(project: Path) -> None:
    often, seldom = (
        source(f"src/core/planner/{name}.cpp") for name in ("inside_places", "make_scheduler")
    )
    assert grouped([seldom, often]) == [[often], [seldom]]


def test_a_unity_source_of_code_that_seldom_runs_is_recognised(project: Path) -> None:
    (seldom,) = write_unity_sources(
        [source(f"src/core/site/{name}.cpp") for name in "ab"], project / "unity"
    )
    (often,) = write_unity_sources(
        [source(f"src/core/queue/{name}.cpp") for name in "ab"], project / "unity"
    )
    assert runs_seldom(seldom)
    assert not runs_seldom(often)


def test_a_unity_source_holds_at_most_the_bound_of_lines(project: Path) -> None:
    half = LINES // 2
    paths = [source(f"src/site/{name}.cpp", half) for name in "abc"]
    assert grouped(paths) == [paths[:2], paths[2:]]


def test_loops_over_all_jobs_are_compiled_file_by_file(project: Path) -> None:
    loops = [source(f"src/core/planner/easy/easy_{name}.cpp") for name in ("planner", "search")]
    others = [source(f"src/core/planner/easy/{name}.cpp") for name in ("easy", "none")]
    assert grouped([*loops, *others]) == [others, loops[:1], loops[1:]]


def test_bindings_that_each_pass_calls_are_not_code_that_seldom_runs() -> None:
    bindings = "src/pycore/bindings/simulation/"
    assert runs_seldom(f"{bindings}bind_simulation.cpp")
    assert not runs_seldom(f"{bindings}job_view.cpp")


def test_every_file_named_in_the_choice_of_flags_exists() -> None:
    root = Path(__file__).resolve().parents[2]
    named = (*APART, *SELDOM, *OFTEN)
    assert [path for path in named if not list(root.glob(f"{path.rstrip('/')}*"))] == []


def test_a_unity_source_that_stands_keeps_its_time(project: Path) -> None:
    paths = [source(f"src/site/{name}.cpp") for name in "ab"]
    (unity,) = write_unity_sources(paths, project / "unity")
    before = Path(unity).stat().st_mtime_ns
    source("src/site/a.cpp", 20)
    assert write_unity_sources(paths, project / "unity") == [unity]
    assert Path(unity).stat().st_mtime_ns == before
