"""Modules that a command loads: only those that the subcommand needs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import slotwise as sw
from slotwise.cli.signatures import main

LOADED = "import sys; from slotwise.cli import main; main({arguments}); print(*sys.modules)"


def loaded_by(arguments: list[str]) -> set[str]:
    code = LOADED.format(arguments=arguments)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ended.stdout.splitlines()[-1].split())


def test_help_loads_neither_numpy_nor_the_engine_nor_a_verb() -> None:
    loaded = loaded_by(["--help"])
    absent = {
        "numpy", "pydantic", "pyarrow", "matplotlib", "scipy", "importlib.metadata", "tomllib",
        "slotwise._core", "slotwise.site", "slotwise.trace", "slotwise.formats.registry",
        "slotwise.report", "slotwise.studies",
        *(f"slotwise.cli.signatures.{verb}" for verb in main.verbs()),
        "markdown_it", "pygments", "rich.markdown", "rich.traceback", "rich.syntax",
    }  # fmt: skip
    assert loaded & absent == set()


def test_after_the_help_the_modules_that_it_spares_are_the_real_ones() -> None:
    code = (
        "from slotwise.cli import main; main(['--help'])\n"
        "from rich.markdown import Markdown; from rich.traceback import Traceback\n"
        "print(Markdown('*a*').markup, Traceback.__module__)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "*a* rich.traceback"


def test_a_run_loads_no_reader_of_other_formats_and_no_other_verb(log: Path) -> None:
    loaded = loaded_by(["run", str(log)])
    absent = {
        "pydantic", "pyarrow", "matplotlib", "hashlib", "numpy.ma", "importlib.metadata",
        "slotwise.explain", "slotwise.generators", "slotwise.report", "slotwise.studies",
        "slotwise.sweeps", "slotwise.formats.csv_parquet", "slotwise.formats.slurm_events",
        "slotwise.simulation.simulation", "slotwise.result.jobs", "slotwise.cli.grouped_waits",
        *(f"slotwise.cli.signatures.{verb}" for verb in main.verbs() if verb != "run"),
    }  # fmt: skip
    assert loaded & absent == set()


@pytest.mark.parametrize("verb", main.verbs())
def test_the_line_of_a_verb_in_the_help_is_the_first_of_its_own_help(verb: str) -> None:
    assert main.help_line(verb) == main.first_line(main.command_of(verb).help)


def test_the_help_imports_a_verb_whose_source_has_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "formats = load()\n")
    assert main.help_line("formats") == "List the formats of job logs that can be read."


def test_the_table_of_public_names_is_that_of_the_type_checker() -> None:
    source = Path(sw.__file__).read_text()
    (block,) = (
        n for n in ast.parse(source).body if isinstance(n, ast.If) and "TYPE" in ast.dump(n)
    )
    typed = {}
    for node in block.body:
        if isinstance(node, ast.ImportFrom) and node.module != "slotwise":  # skip submodules
            typed |= {alias.name: (node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Assign):
            (target,) = node.targets
            assert isinstance(target, ast.Name)
            assert isinstance(node.value, ast.Name)
            typed[target.id] = typed[node.value.id]
    assert typed == sw._HOME_OF
    assert set(sw.__all__) - set(typed) == {"__version__", "get_include", "knapsack"}


def test_public_names_are_imported_at_first_use() -> None:
    code = (
        "import sys, slotwise as sw; assert 'numpy' not in sys.modules;"
        "sw.Site; assert 'slotwise.site.site' in sys.modules;"
        "print(sw.text.plural(2, 'job'), hasattr(sw, 'no_such_name'), 'Trace' in dir(sw))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # `text` is a module; accessing it as an attribute imports it as well.
    assert ended.stdout.split() == ["2", "jobs", "False", "True"]
