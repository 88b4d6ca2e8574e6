"""The code keeps to the structure set out in docs/decisions (0001-floors, 0016-package-floors)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from house import core_structure, floors, package_structure
from house.report import BINDINGS, CORE, PACKAGE, ROOT, build_units, lines_per_file, report

KNOWN = package_structure.modules(PACKAGE)
IMPORTS = package_structure.imports(KNOWN)


TESTED_ELSEWHERE = {
    "admission": ("scenarios/test_limits.py", "scenarios/test_queues.py"),
    "containers": ("core/engine/test_event_queue.py", "core/availability/test_releases.py"),
    "decisions": ("slotwise/rl/test_decisions_equal_orders.py",),
    "estimates": ("scenarios/test_estimates.py",),
    "queue": ("differential/test_many_classes.py", "differential/test_crowds.py"),
    "sweep": ("slotwise/sweeps/test_sweep.py",),
}
"""Folders of the core that only whole replays exercise, and the tests that cover them."""


def test_every_folder_of_the_core_has_tests() -> None:
    tests = ROOT / "tests"
    folders = {folder for folder in floors.CORE if folder}
    mirrored = {
        path.relative_to(tests / "core").parts[0] for path in tests.glob("core/*/**/test_*")
    }
    assert mirrored | TESTED_ELSEWHERE.keys() == folders
    assert mirrored & TESTED_ELSEWHERE.keys() == set()
    assert [
        f for files in TESTED_ELSEWHERE.values() for f in files if not (tests / f).is_file()
    ] == []


def test_no_folder_of_the_core_holds_more_than_thirty_files() -> None:
    crowded = {folder: n for folder, n in core_structure.files_per_folder(CORE).items() if n > 30}
    assert crowded == {}


def test_no_folder_of_the_package_holds_more_than_thirty_files() -> None:
    crowded = {f: n for f, n in package_structure.files_per_folder(PACKAGE).items() if n > 30}
    assert crowded == {}


def test_no_folder_of_the_bindings_holds_thirty_files() -> None:
    crowded = {f: n for f, n in core_structure.files_per_folder(BINDINGS).items() if n > 29}
    assert crowded == {}


def test_no_class_of_the_core_has_more_than_forty_methods() -> None:
    counts = core_structure.methods_per_class(CORE)
    assert {name: n for name, n in counts.items() if n > 40} == {}


def test_no_class_of_the_package_has_more_than_forty_methods() -> None:
    counts = package_structure.methods_per_class(KNOWN)
    assert {name: n for name, n in counts.items() if n > 40} == {}


def test_no_regular_expression_repeats_a_group_possessively() -> None:
    # Python 3.11.0 to 3.11.4 match `(?:...)*+` wrongly, but not the equivalent `(?>(?:...)*)`
    # (https://github.com/python/cpython/issues/106052).
    found = [
        (path.name, node.lineno)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.search(r"(^|\))[*+?]\+", node.value)
    ]
    assert found == []


def test_no_source_file_has_more_than_four_hundred_lines() -> None:
    assert {path: n for path, n in lines_per_file(ROOT / "src").items() if n > 400} == {}


def test_one_place_completes_and_checks_a_site_that_is_replayed() -> None:
    called: dict[str, set[str]] = {"completed": set(), "check_replayable": set()}
    for path in core_structure.sources(CORE):
        text = core_structure.NOT_CODE.sub("", path.read_text())
        for name, users in called.items():
            if re.search(rf"\b{name}\(", text):
                users.add(str(path.relative_to(CORE)))
    prepared = {"site/prepared_site.cpp", "site/prepared_site.hpp"}
    assert called["completed"] == prepared
    assert called["check_replayable"] == {
        "site/prepared_site.cpp", "site/site_check.cpp", "site/site_check.hpp"
    }  # fmt: skip


def test_no_include_of_the_core_goes_up_a_floor() -> None:
    assert core_structure.upward_includes(CORE, floors.CORE) == []


def test_every_folder_of_the_core_has_a_floor() -> None:
    folders = {core_structure.folder_of(edge.file) for edge in core_structure.includes(CORE)}
    assert folders <= set(floors.CORE)


def test_no_import_of_the_package_goes_up_a_floor() -> None:
    assert package_structure.upward_imports(IMPORTS, KNOWN, floors.PACKAGE) == []


def test_an_import_that_goes_up_is_found_unless_it_is_of_the_entry_point(tmp_path: Path) -> None:
    package = tmp_path / "house"
    (package / "low").mkdir(parents=True)
    (package / "high").mkdir()
    for path in ("__init__.py", "low/__init__.py", "high/__init__.py", "high/b.py"):
        (package / path).write_text("")
    for path in ("__main__.py", "low/a.py"):
        (package / path).write_text("import house.high.b\n")
    known = package_structure.modules(package)
    edges = package_structure.imports(known)
    upward = package_structure.upward_imports(edges, known, (("high",), ("low",), ("",)))
    assert upward == [package_structure.Import("house.low.a", "house.high.b")]


def test_relative_imports_count(tmp_path: Path) -> None:
    package = tmp_path / "house"
    (package / "low").mkdir(parents=True)
    lines = {"__init__": "from . import b", "b": "from .low import a\nfrom . import low, nothing"}
    lines |= {"low/__init__": "from .a import A", "low/a": "from ..b import B\nfrom .. import b"}
    for module, text in lines.items():
        (package / f"{module}.py").write_text(f"{text}\n")
    edges = package_structure.imports(package_structure.modules(package))
    assert {(edge.importer, edge.imported) for edge in edges} == {
        ("house", "house.b"), ("house.b", "house.low.a"), ("house.b", "house.low"),
        ("house.b", "house"), ("house.low", "house.low.a"), ("house.low.a", "house.b"),
    }  # fmt: skip


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert package_structure.circles(IMPORTS) == []


def test_the_root_of_the_package_holds_at_most_fourteen_modules() -> None:
    assert len(package_structure.root_modules(PACKAGE)) <= 14


def test_setup_has_at_most_a_hundred_lines() -> None:
    assert (ROOT / "setup.py").read_text().count("\n") <= 100


def test_every_file_named_on_the_architecture_page_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:/|\.py|\.cpp)?)`", page))
    folders = (CORE, PACKAGE, ROOT / "src" / "pycore" / "bindings", ROOT)

    def exists(name: str) -> bool:
        files = [name] if "." in name else [name, f"{name}.cpp", f"{name}.hpp"]
        return any(found for folder in folders for file in files for found in folder.rglob(file))

    # The architecture page also mentions two names that are not files.
    assert {name for name in named if not exists(name)} <= {"window", "src/core"}


def test_a_circle_is_found(tmp_path: Path) -> None:
    package = tmp_path / "house"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("from house.b import B\n")
    (package / "b.py").write_text("def late():\n    from house import c\n")
    (package / "c.py").write_text("import house.a\n")
    edges = package_structure.imports(package_structure.modules(package))
    assert package_structure.circles(edges) == [["house.a", "house.b", "house.c"]]


def test_an_include_that_goes_up_is_found(tmp_path: Path) -> None:
    (tmp_path / "low").mkdir()
    (tmp_path / "high").mkdir()
    (tmp_path / "high/a.hpp").write_text("")
    (tmp_path / "low/b.cpp").write_text('#include "high/a.hpp"\n#include <vector>\n')
    edges = core_structure.upward_includes(tmp_path, ("high", "low"))
    assert edges == [core_structure.Include("low/b.cpp", "high/a.hpp")]


def test_methods_of_a_class_are_counted(tmp_path: Path) -> None:
    # The class has a constructor, two functions (one of them a template) and an operator, which
    # makes 4. Fields and the members of the nested type do not count.
    (tmp_path / "a.hpp").write_text(
        "class Queue final {\n  public:\n    explicit Queue(int size) : size_(size) {}\n"
        "    int first() const { return at(0); }\n"
        "    template <class Visit> void each(Visit&& visit) const;\n"
        "    bool operator==(const Queue&) const = default;\n"
        "    struct Entry {\n        int key();\n    };\n"
        "  private:\n    int size_ = limit(3);\n};\n"
    )
    assert core_structure.methods_per_class(tmp_path) == {"a.hpp:Queue": 4}


def test_the_report_prints_each_count_on_a_line() -> None:
    command = [sys.executable, str(Path(__file__).with_name("report.py"))]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == report()


def test_no_message_is_cut_off_after_its_first_line() -> None:
    assert package_structure.strings_without_effect(KNOWN) == []


def test_a_string_that_continues_no_message_is_found(tmp_path: Path) -> None:
    module = tmp_path / "a.py"
    lines = ["def check(n):", '    """Check."""', '    msg = f"{n} is no "', '    "number"']
    module.write_text("\n".join(lines))
    assert package_structure.strings_without_effect({"a": module}) == ["a:4"]


def test_the_first_build_compiles_few_units() -> None:
    # Each unit compiles the headers again; with 41 units, the first build took 4.2 CPU minutes.
    assert build_units() <= 45


def test_the_core_uses_each_term_that_the_glossary_defines_for_it() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text()
    section = page.partition("## Inside the core")[2].partition("\n## ")[0]
    terms = re.findall(r"^\| ([a-z ]+) \|", section, re.MULTILINE)[1:]
    code = "".join(path.read_text() for path in CORE.rglob("*.hpp")).lower()
    unused = [
        term
        for term in terms
        if not any(term.replace(" ", joint) in code for joint in (" ", "", "_"))
    ]
    assert terms
    assert unused == []
