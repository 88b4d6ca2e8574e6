from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

import slotwise as sw
from slotwise import extras

_PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def _brought_by(extra: str) -> set[str]:
    listed = tomllib.loads(_PYPROJECT.read_text())["project"]["optional-dependencies"][extra]
    names = {re.split(r"[^A-Za-z0-9_-]", requirement)[0] for requirement in listed}
    return {name.replace("-", "_") for name in names}  # the names that Python imports


@pytest.mark.parametrize(("library", "extra"), extras.EXTRAS.items())
def test_the_extra_named_for_a_library_installs_it(library: str, extra: str) -> None:
    assert library in _brought_by(extra)


@pytest.mark.parametrize(
    ("module", "remedy"),
    [("scipy.stats", "pip install 'slotwise[study]'"), ("polars", "pip install polars")],
)
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    module: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # the import then raises ModuleNotFoundError
    with pytest.raises(sw.MissingExtraError, match=re.escape(remedy)):
        extras.load(module)
