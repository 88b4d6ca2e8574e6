"""Contents of the documentation site: every public name and every command has its page."""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from generate import ROOT, command_at, verbs_of

import slotwise as sw

sys.path.insert(0, str(ROOT / "docs" / "website"))  # its `build` hides PyPI's `build`
import api_pages
import build
import command_pages

if TYPE_CHECKING:
    from pathlib import Path

NAMES = api_pages.public_names() | api_pages.returned_types()


def members(value: type) -> dict[str, Any]:
    """Return the public methods and properties that a class defines."""
    return {
        name: member
        for name, member in vars(value).items()
        if not name.startswith("_")
        and (inspect.isfunction(member) or isinstance(member, (property, classmethod)))
    }


def test_every_package_that_lists_its_names_is_public_or_internal() -> None:
    packages = {
        each.name
        for each in pkgutil.walk_packages(sw.__path__, "slotwise.")
        if each.ispkg
        and "slotwise.cli" not in each.name
        and "__all__" in vars(import_module(each.name))
    }
    assert packages == {*api_pages.PACKAGES, *api_pages.INTERNAL}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_public_name_is_described(name: str) -> None:
    value = NAMES[name]
    assert api_pages.summary(name, value), f"{name} has no docstring"
    if inspect.isclass(value) and value.__module__ != "slotwise._core":
        bare = [own for own, member in members(value).items() if not inspect.getdoc(member)]
        assert bare == [], f"{name} has members without docstring"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_section_of_a_docstring_holds_no_sentence(name: str) -> None:
    """A sentence directly under ``Parameters`` would be shown as a parameter."""
    lines = (inspect.getdoc(NAMES[name]) or "").splitlines()
    for at, line in enumerate(lines[:-1]):
        if line in {"Parameters", "Attributes", "Raises"} and lines[at + 1].startswith("---"):
            rest = lines[at + 2 :]
            end = next((n for n, each in enumerate(rest) if each.startswith("---")), len(rest) + 1)
            entries = [each for each in rest[: end - 1] if each and not each.startswith(" ")]
            assert [each for each in entries if each.endswith(".") and " " in each] == []


def test_every_name_has_a_page_and_is_listed(tmp_path: Path) -> None:
    api_pages.write_pages(tmp_path)
    listed = (tmp_path / "index.rst").read_text(encoding="utf-8")
    for name in NAMES:
        assert (tmp_path / f"{name}.rst").exists()
        assert f"<{name}>`" in listed


def test_every_command_without_a_study_has_an_example_of_its_own() -> None:
    without = {
        verb
        for verb in verbs_of(command_at([]))
        if not verb.startswith(("study", "advise", "sweep merge", "sweep submit", "generate"))
    }
    assert without <= {*command_pages.EXAMPLES}
    for verb, line in command_pages.EXAMPLES.items():
        assert f"slotwise {verb.removesuffix(' grid')} " in f"{line} "


def test_the_page_of_a_command_shows_what_it_prints(tmp_path: Path) -> None:
    printed = command_pages.output_of("slotwise formats", tmp_path)
    page = command_pages.page_of("formats", printed)
    assert page.startswith("# slotwise formats\n")
    assert printed.rstrip() in page
    with pytest.raises(RuntimeError, match="ended with 2"):
        command_pages.output_of("slotwise formats --no-such-option", tmp_path)


def test_links_that_leave_the_documents_lead_to_copies(tmp_path: Path) -> None:
    page = ROOT / "docs" / "concepts" / "replay.md"
    text = "[a](../../README.md#cite), [b](../../src), [c](orders.md), [d](https://x.org/y)"
    assert build.with_staged_links(page, text, tmp_path) == (
        "[a](../files/README.md.txt), b, [c](orders.md), [d](https://x.org/y)"
    )
    assert (tmp_path / "files" / "README.md.txt").read_text() == (ROOT / "README.md").read_text()


def test_a_notebook_is_staged_with_its_outputs_and_its_links(tmp_path: Path) -> None:
    build.stage_notebooks(tmp_path)
    name = "gpu-centre.ipynb"
    staged = json.loads((tmp_path / "notebooks" / name).read_text(encoding="utf-8"))
    given = json.loads((ROOT / "examples" / "notebooks" / name).read_text(encoding="utf-8"))
    code = [cell for cell in staged["cells"] if cell["cell_type"] == "code"]
    assert code == [cell for cell in given["cells"] if cell["cell_type"] == "code"]
    prose = "".join(cell["source"] for cell in staged["cells"] if cell["cell_type"] == "markdown")
    assert "](../what-if.md)" in prose  # The link leads to a page of the site.
    link = "../files/examples/sites/gpu-centre.toml"  # The link leads to a copy of the file.
    assert f"]({link})" in prose
    assert (tmp_path / "notebooks" / link).is_file()
    text = "[own-log](../examples/notebooks/own-log.ipynb)"
    linked = build.with_staged_links(ROOT / "docs" / "notebooks.md", text, tmp_path)
    assert linked == "[own-log](notebooks/own-log.ipynb)"


def test_the_front_page_has_one_picture_and_five_doors() -> None:
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert len(re.findall(r"!\[[^\]]+\]\(pictures/first\.svg\)", text)) == 1
    assert len(re.findall(r"^- \*\*\[", text, re.MULTILINE)) == 5


def test_every_document_is_in_a_chapter() -> None:
    docs = ROOT / "docs"
    patterns = [f"{pattern}.md" for chapter in build.CHAPTERS.values() for pattern in chapter]
    named = {page for pattern in patterns for page in docs.glob(pattern)}
    assert {*docs.rglob("*.md")} - named == {docs / "index.md"}
