"""Additions in Python, made to a copy of the package and run; the files they touch are counted."""

from __future__ import annotations

import json
from pathlib import Path

import slotwise
from extending.copies import copied_package, run_slotwise, touched

PACKAGE = Path(slotwise.__file__).parent

STUDY = '''"""The study `echo`: a number said again."""

from __future__ import annotations

from slotwise.studies import Row, StudyRun, study


@study("echo", paper="N. Body, \\"Echoes\\", 2020", titles={"1": "what was said"})
def echo(run: StudyRun, *, said: int = 7) -> list[Row]:
    """Say a number again.

    Parameters
    ----------
    said : int
        The number.
    """
    return [Row("1", {"of": "said"}, said, None)]
'''


def test_a_study_is_one_folder(tmp_path: Path) -> None:
    copy = copied_package(tmp_path)
    folder = copy / "studies" / "echo"
    folder.mkdir()
    (folder / "__init__.py").write_text(STUDY)
    assert {Path(file).parent for file in touched(copy, PACKAGE)} == {Path("studies/echo")}
    said = json.loads(run_slotwise(tmp_path, "study", "echo", "--said", "9", "--json"))
    assert [row["ours"] for row in said["rows"]] == [9]


def test_a_subcommand_is_two_files(tmp_path: Path) -> None:
    copy = copied_package(tmp_path)
    (copy / "cli" / "commands" / "greet.py").write_text(
        '"""``slotwise greet``."""\n\nfrom slotwise.terminal import screen\n\n\n'
        "def show_greeting(name: str) -> None:\n"
        '    screen.stdout().print(f"Hello, {name}.")\n'
    )
    (copy / "cli" / "signatures" / "greet.py").write_text(
        '"""``slotwise greet``."""\n\n\ndef greet(name: str) -> None:\n    """Greet NAME."""\n'
        "    from slotwise.cli.commands.greet import show_greeting\n\n"
        "    show_greeting(name)\n"
    )
    assert touched(copy, PACKAGE) == {"cli/commands/greet.py", "cli/signatures/greet.py"}
    assert run_slotwise(tmp_path, "greet", "Ada") == "Hello, Ada.\n"
    assert "greet" in run_slotwise(tmp_path, "--help")


PROFILE = """
name = "own"
title = "Jobs of an own accounting"
evidence = "real files"

[text]
delimiter = ";"

[sniff]
header = ["ticket", "queued"]

[columns]
job_id = "ticket"
submit = "queued"
start = "began"
run_time = { from = "minutes", unit = "min" }
processors = "cores"
user = "who"
"""

OWN_LOG = """ticket;queued;began;minutes;cores;who
5;2024-01-01 00:00:00;2024-01-01 00:01:00;1.5;4;ann
6;2024-01-01 00:00:10;2024-01-01 00:01:00;2;8;bob
"""


def test_a_delimited_format_is_one_file(tmp_path: Path) -> None:
    copy = copied_package(tmp_path)
    (copy / "formats" / "profiles" / "own.toml").write_text(PROFILE)
    assert touched(copy, PACKAGE) == {"formats/profiles/own.toml"}
    (tmp_path / "log").write_text(OWN_LOG)
    told = json.loads(run_slotwise(tmp_path, "info", "log", "--json"))
    assert (told["jobs"], told["users"]) == (2, 2)
    assert told["run_time"]["max"] == 120
    assert "own" in run_slotwise(tmp_path, "formats")


def test_a_format_of_a_package_is_one_entry_point(tmp_path: Path) -> None:
    copied_package(tmp_path)
    (tmp_path / "own_formats_package.py").write_text(
        "from pathlib import Path\nPROFILE = str(Path(__file__).with_name('own.toml'))\n"
    )
    (tmp_path / "own.toml").write_text(PROFILE)
    folder = tmp_path / "own_formats_package-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: own-formats\nVersion: 1\n")
    (folder / "entry_points.txt").write_text(
        "[slotwise.formats]\nown = own_formats_package:PROFILE\n"
    )
    (tmp_path / "log").write_text(OWN_LOG)
    told = json.loads(run_slotwise(tmp_path, "info", "log", "--format", "own", "--json"))
    assert told["jobs"] == 2
