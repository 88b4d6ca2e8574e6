"""Print counts that describe the structure of the code: ``python tests/house/report.py``."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from build_support.unity import grouped

from extending.additions import ADDITIONS
from house import core_structure, floors, package_structure

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "src" / "core"
BINDINGS = ROOT / "src" / "pycore" / "bindings"
PACKAGE = ROOT / "src" / "pycore" / "slotwise"


SUFFIXES = (".cpp", ".hpp", ".h", ".py", ".pyi", ".pyx", ".pxd", ".js", ".css", ".html")
STUBS = "_core.pyi"
"""The stubs of the compiled module, which mypy requires in one file; they are not counted."""


def lines_per_file(folder: Path) -> Counter[str]:
    return Counter(
        {
            str(path.relative_to(folder)): path.read_text(encoding="utf-8").count("\n")
            for path in folder.rglob("*")
            if path.suffix in SUFFIXES and path.name != STUBS
        }
    )


def longest(folder: Path) -> str:
    """Return the longest source file below a folder, with its number of lines."""
    path, lines = lines_per_file(folder).most_common(1)[0]
    return f"{path}, {lines} lines"


def lines_of(folder: Path, *suffixes: str) -> int:
    """Count the lines of all files below a folder whose suffix is one of `suffixes`."""
    files = (path for path in folder.rglob("*") if path.suffix in suffixes)
    return sum(path.read_text(encoding="utf-8").count("\n") for path in files)


def build_units() -> int:
    """Count the files that a first build compiles: groups of C++ sources, and Cython modules."""
    with contextlib.chdir(ROOT):
        sources = [str(p) for f in (CORE, BINDINGS) for p in f.relative_to(ROOT).rglob("*.cpp")]
        return len(grouped(sources)) + len([*PACKAGE.rglob("*.pyx")])


def largest(counts: Mapping[str, int]) -> tuple[str, int]:
    """Return the name with the largest count, and the count."""
    return max(counts.items(), key=lambda item: item[1])


def report() -> list[str]:
    """Return the report: one line per count."""
    known = package_structure.modules(PACKAGE)
    edges = package_structure.imports(known)
    folder, files = largest(core_structure.files_per_folder(CORE))
    bound, bound_files = largest(core_structure.files_per_folder(BINDINGS))
    package, modules = largest(package_structure.files_per_folder(PACKAGE))
    core_class, core_methods = largest(core_structure.methods_per_class(CORE))
    its_class, its_methods = largest(package_structure.methods_per_class(known))
    upward = package_structure.upward_imports(edges, known, floors.PACKAGE)
    return [
        f"lines of the core: {lines_of(CORE, '.cpp', '.hpp'):,}",
        f"lines of the bindings: {lines_of(BINDINGS, '.cpp', '.hpp'):,}",
        f"lines of the package: {lines_of(PACKAGE, '.py', '.pyx'):,}",
        f"longest file of the core: {longest(CORE)}",
        f"longest file of the package: {longest(PACKAGE)}",
        f"largest folder of the core: {folder}, {files} files",
        f"largest folder of the bindings: {bound}, {bound_files} files",
        f"includes from a lower floor to a higher one: "
        f"{len(core_structure.upward_includes(CORE, floors.CORE))}",
        f"largest folder of the package: {package}, {modules} modules",
        f"largest class of the core: {core_class}, {core_methods} methods",
        f"largest class of the package: {its_class}, {its_methods} methods",
        f"modules at the root of the package: {len(package_structure.root_modules(PACKAGE))}",
        f"circles among modules: {len(package_structure.circles(edges))}",
        f"imports from a lower floor to a higher one: {len(upward)}",
        f"lines of setup.py: {(ROOT / 'setup.py').read_text().count(chr(10))}",
        f"build units: {build_units()}",
        *(
            f"files that {kind} touches: {len(addition.files)}, at most {addition.most}"
            for kind, addition in ADDITIONS.items()
        ),
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(report()) + "\n")
