"""Run every command and every piece of Python code that the documents show.

Each page is run as if pasted from top to bottom: its blocks in order, in an empty folder and an
empty namespace. A page must therefore import what it uses, and generate the log that it reads.

* a ``toml`` block whose first line is ``# NAME.toml`` is written as that file;
* ``console``: each line that begins with ``$ slotwise`` or ``$ python`` is run. Its exit code must
  be 0, or N if ``# exit N`` follows. The lines under it, if any, are the expected output. There
  ``...`` stands for any text, and several blanks count as one;
* ``python`` runs in one namespace per page, empty at first;
* after ``$ cd examples/NAME``, the page's commands and Python can use the files of that folder;
* a block marked ``notest`` is not run.

``<!-- options: slotwise COMMAND -->`` and ``<!-- end -->`` enclose a table of the command's
options; ``make docs`` (``python docs/generate.py``) regenerates these tables.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from generate import PAGES, ROOT, TABLE, command_at, verbs_of, with_tables

import slotwise as sw
from slotwise import studies
from slotwise.generators import registry

_BLOCK = re.compile(r"^```([a-z]+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s+# exit (\d+)$")
_RUN = ("slotwise ", "python ")
_FOLDER = re.compile(r"^\$ cd (examples/[a-z]+)$", re.MULTILINE)
_LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Command:
    """A command line on a page, its exit code, and its output (None if the page shows none)."""

    line: str
    code: int
    output: str | None


def commands_of(body: str) -> list[Command]:
    found = []
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        line, _, output = part.replace("\\\n", " ").partition("\n")
        expected = _EXIT.search(line)
        code = int(expected[1]) if expected else 0
        found.append(Command(_EXIT.sub("", line), code, output if output.strip() else None))
    return [command for command in found if command.line.startswith(_RUN)]


def run_command(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(folder),
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }
    return subprocess.run(
        line, shell=True, cwd=folder, env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def check_command(command: Command, folder: Path) -> None:
    ended = run_command(command.line, folder)
    assert ended.returncode == command.code, f"$ {command.line}\n{ended.stdout}"
    if command.output is not None:
        alike = doctest.OutputChecker().check_output(command.output, ended.stdout, _LIKE)
        assert alike, f"$ {command.line}\nprints\n{ended.stdout}\nand the page shows another text"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_page_work(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Models and studies that a page registers are removed once the page has run.
    monkeypatch.setattr(registry, "_models", {model.name: model for model in sw.models()})
    monkeypatch.setattr(
        studies.registry, "_studies", {each.name: each for each in studies.studies()}
    )
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    for language, marks, body in _BLOCK.findall(text):
        if "notest" in marks:
            continue
        if language == "toml" and (named := re.match(r"# (\S+\.toml)\n", body)):
            Path(named[1]).write_text(body)
        elif language == "console":
            for folder in _FOLDER.findall(body):
                shutil.copytree(ROOT / folder, tmp_path, dirs_exist_ok=True)
            for command in commands_of(body):
                check_command(command, tmp_path)
        elif language == "python":
            exec(compile(body, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_tables_of_options_are_those_of_the_program(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == with_tables(text), "the options have changed: run make docs"


def test_the_pages_have_a_table_for_every_verb_that_takes_options() -> None:
    shown = [found[2] for page in PAGES for found in TABLE.finditer(page.read_text("utf-8"))]
    assert sorted(shown) == sorted(verbs_of(command_at([])))
