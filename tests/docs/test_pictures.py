"""The pictures in the documents match the output of their scripts."""

from __future__ import annotations

import re
import runpy
from typing import TYPE_CHECKING

import pytest
from generate import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install '.[plot]'")


def test_the_first_picture_shows_the_waits_that_the_readme_states(tmp_path: Path) -> None:
    drawn = runpy.run_path(str(ROOT / "docs" / "pictures" / "first.py"))
    waits = drawn["draw"](tmp_path / "first.svg")
    assert (tmp_path / "first.svg").stat().st_size > 10_000
    stated = re.search(
        r"wait is ([\d.]+) hours if jobs start in order of arrival, "
        r"and ([\d.]+) hours with backfilling\]",
        (ROOT / "README.md").read_text(encoding="utf-8"),
    )
    assert stated is not None
    assert [f"{waits[name] / 3600:.1f}" for name in ("none", "easy")] == list(stated.groups())


def test_the_chart_of_the_benchmark_has_every_ratio_of_its_tables(tmp_path: Path) -> None:
    plots = runpy.run_path(str(ROOT / "benchmarks" / "plots.py"))
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    tables = plots["ratios"](text)
    easy, priority, conservative = tables
    # docs/benchmarks.md has rows for 22 workloads under EASY backfill, for 11 with the priority
    # formula, and for 9 under conservative backfill.
    assert (len(easy), len(priority), len(conservative)) == (22, 11, 9)
    assert easy["KTH-SP2-1996-2.1-cln"] == 2.58
    assert conservative["RICC-2010-2"] == 815
    plots["draw"](tables, tmp_path / "ratios.svg")
    markers = re.findall(r"<use ", (tmp_path / "ratios.svg").read_text(encoding="utf-8"))
    assert len(markers) >= 22 + 11 + 9


def test_the_pictures_of_the_documents_show_the_data_of_their_scripts() -> None:
    # Different versions of matplotlib write different bytes, so the test compares the hash of the
    # data that each file contains.
    first = runpy.run_path(str(ROOT / "docs" / "pictures" / "first.py"))
    plots = runpy.run_path(str(ROOT / "benchmarks" / "plots.py"))
    learning = runpy.run_path(str(ROOT / "docs" / "pictures" / "learning.py"))
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    expected = {
        "first": first["data_of"](first["replays"]()),
        "learning": learning["data_of"](learning["curves"]()),
        "ratios": plots["data_of"](plots["ratios"](page)),
    }
    files = sorted((ROOT / "docs" / "pictures").glob("*.svg"))
    assert [file.stem for file in files] == sorted(expected)
    for file in files:
        described = re.search(
            r"<dc:description>\s*(.*?)\s*</dc:description>", file.read_text("utf-8")
        )
        assert described is not None
        assert described[1] == expected[file.stem]
