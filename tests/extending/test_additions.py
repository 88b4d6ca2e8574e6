"""Makes additions of each kind to a copy of the sources, and counts the files that they touch.

Tests that need a compiled core are in `test_compiled_kinds.py`; here the compiler only checks the
syntax.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from extending.additions import ADDITIONS, PROFILE
from extending.copies import ROOT, SOURCES, copied_sources, run_python, run_slotwise, touched


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make all additions in one copy of the sources."""
    sources = copied_sources(tmp_path_factory.mktemp("extended"))
    for addition in ADDITIONS.values():
        addition.apply(sources)
    return sources


@pytest.mark.parametrize("kind", ADDITIONS)
def test_an_addition_touches_at_most_the_promised_files(kind: str, tmp_path: Path) -> None:
    sources = copied_sources(tmp_path)
    ADDITIONS[kind].apply(sources)
    found = touched(sources, SOURCES)
    assert found == ADDITIONS[kind].files
    counted = {str(Path(file).parent) for file in found} if kind == "a study" else found
    assert len(counted) <= ADDITIONS[kind].most


def test_the_compiler_accepts_the_additions_to_the_core(extended: Path) -> None:
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    if shutil.which(compiler[0]) is None:
        pytest.skip("no C++ compiler is installed")
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-I", str(extended / "core")]

    def errors(file: str) -> str:
        path = str(extended / file)
        return subprocess.run([*command, path], capture_output=True, text=True, check=False).stderr

    files = {file for each in ADDITIONS.values() for file in each.files if file.endswith(".cpp")}
    with ThreadPoolExecutor(2) as threads:
        assert {*threads.map(errors, sorted(files))} == {""}


def test_the_limit_is_a_key_of_every_table_of_limits(tmp_path: Path) -> None:
    sources = copied_sources(tmp_path)
    ADDITIONS["a limit"].apply(sources)
    code = "import slotwise as sw; print(sw.Limits(running_pairs=3).running_pairs)"
    assert run_python(sources, "-c", code) == "3\n"
    page = "tests/slotwise/site/toml/test_toml_writer.py::test_the_page_of_defaults_names_every_key"
    run_python(sources, "-m", "pytest", str(ROOT / page), "-q", "-n", "0", "-p", "no:cacheprovider")


def test_the_metric_has_a_place_and_a_unit(extended: Path) -> None:
    code = (
        "from slotwise.replay.metric_format import format_of\n"
        "from slotwise.replay.metric_sections import KNOWN, sections_of\n"
        "(section,) = sections_of(['share_started'])\n"
        "print(section.title, format_of('share_started').write(0.5), 'share_started' in KNOWN)"
    )
    assert run_python(extended, "-c", code) == "Jobs 50.00 % True\n"


def test_the_subcommand_runs_and_the_help_does_not_import_it(extended: Path) -> None:
    assert run_slotwise(extended, "greet", "Ada") == "Hello, Ada.\n"
    code = "import sys; from slotwise.cli import main; main(['--help']); print(*sys.modules)"
    help_page, _, modules = run_python(extended, "-c", code).rstrip().rpartition("\n")
    assert "Greet NAME." in help_page
    assert "slotwise.cli.signatures.greet" not in modules.split()


def test_the_study_runs(extended: Path) -> None:
    said = json.loads(run_slotwise(extended, "study", "echo", "--said", "9", "--json"))
    assert [row["ours"] for row in said["rows"]] == [9]


OWN_LOG = """ticket;queued;began;minutes;cores;who
5;2024-01-01 00:00:00;2024-01-01 00:01:00;1.5;4;ann
6;2024-01-01 00:00:10;2024-01-01 00:01:00;2;8;bob
"""


def test_the_log_format_is_read(extended: Path) -> None:
    (extended.parent / "log").write_text(OWN_LOG)
    told = json.loads(run_slotwise(extended, "info", "log", "--json"))
    assert (told["jobs"], told["users"]) == (2, 2)
    assert told["run_time"]["max"] == 120
    assert "harvest" in run_slotwise(extended, "formats")


def test_a_format_of_a_package_is_one_entry_point(tmp_path: Path) -> None:
    sources = copied_sources(tmp_path)
    folder = sources / "pycore"
    (folder / "own_formats_package.py").write_text(
        "from pathlib import Path\nPROFILE = str(Path(__file__).with_name('own.toml'))\n"
    )
    (folder / "own.toml").write_text(PROFILE)
    facts = folder / "own_formats_package-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: own-formats\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(
        "[slotwise.formats]\nharvest = own_formats_package:PROFILE\n"
    )
    (tmp_path / "log").write_text(OWN_LOG)
    told = json.loads(run_slotwise(sources, "info", "log", "--format", "harvest", "--json"))
    assert told["jobs"] == 2
