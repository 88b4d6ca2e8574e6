"""Structural counts of the Python package: its modules, imports, classes and functions."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Import:
    """An import of module `imported` by module `importer`, at the top or inside a function."""

    importer: str
    imported: str


def modules(package: Path) -> dict[str, Path]:
    """Map the dotted name of each module to its file; a package is named by its folder."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(known: Mapping[str, Path]) -> list[Import]:
    """List the imports between modules, including those under TYPE_CHECKING and in functions."""
    edges = set()
    for importer, path in known.items():
        package = importer if path.name == "__init__.py" else importer.rpartition(".")[0]
        for node in ast.walk(ast.parse(path.read_text())):
            for imported in _imported(node, known, package):
                if imported != importer:
                    edges.add(Import(importer, imported))
    return sorted(edges, key=lambda edge: (edge.importer, edge.imported))


def _imported(node: ast.AST, known: Mapping[str, Path], package: str) -> Iterator[str]:
    """Yield the modules in `known` that a statement in `package` imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
    elif isinstance(node, ast.ImportFrom):
        parents = package.split(".")[: 1 - node.level or None] if node.level else []
        module = ".".join([*parents, *([node.module] if node.module else [])])
        for alias in node.names:
            inner = f"{module}.{alias.name}"
            if inner in known:
                yield inner
            elif module in known:
                yield module


def circles(edges: Sequence[Import]) -> list[list[str]]:
    """Find the groups of modules that import one another in a loop (Tarjan's algorithm)."""
    targets: dict[str, list[str]] = {}
    for edge in edges:
        targets.setdefault(edge.importer, []).append(edge.imported)
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(module: str) -> None:
        number[module] = low[module] = len(number)
        stack.append(module)
        for target in targets.get(module, ()):
            if target not in number:
                visit(target)
                low[module] = min(low[module], low[target])
            elif target in stack:
                low[module] = min(low[module], number[target])
        if low[module] == number[module]:
            component = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(component) > 1:
                found.append(sorted(component))

    for module in sorted(targets):
        if module not in number:
            visit(module)
    return found


def upward_imports(
    edges: Sequence[Import], known: Mapping[str, Path], floors: Sequence[Sequence[str]]
) -> list[Import]:
    """List imports of a higher layer, or of another package in the same layer.

    ``__main__`` is left out: the interpreter looks for it at the root, and it starts the top layer.
    """
    rank = {folder: i for i, floor in enumerate(floors) for folder in floor}

    def folder(module: str) -> str:
        parts = module.split(".")
        inside = len(parts) > 2 or known[module].name == "__init__.py"
        return parts[1] if inside and len(parts) > 1 else ""

    return [
        edge
        for edge in edges
        if edge.imported.count(".") > 0
        and edge.importer.count(".") > 0
        and not edge.importer.endswith(".__main__")
        and (a := folder(edge.importer)) != (b := folder(edge.imported))
        and rank[b] <= rank[a]
    ]


def files_per_folder(package: Path) -> Counter[str]:
    """Count the modules of each folder, except its ``__init__.py``."""
    return Counter(
        str(path.parent.relative_to(package))
        for path in modules(package).values()
        if path.name != "__init__.py"
    )


def root_modules(package: Path) -> list[str]:
    return sorted(p.name for p in package.glob("*.py") if p.name != "__init__.py")


def methods_per_class(known: Mapping[str, Path]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for module, path in known.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                methods = [n for n in node.body if isinstance(n, ast.FunctionDef)]
                counts[f"{module}:{node.name}"] = len(methods)
    return counts


def strings_without_effect(known: Mapping[str, Path]) -> list[str]:
    """List the strings, other than docstrings, that form statements of their own in functions.

    Such a string was meant to continue the string on the line before, but the parentheses are
    missing.
    """
    found = []
    for module, path in known.items():
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            docstrings = {
                node.body[0]
                for node in ast.walk(function)
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            }
            found += [
                f"{module}:{node.lineno}"
                for node in ast.walk(function)
                if isinstance(node, ast.Expr) and node not in docstrings and _is_string(node.value)
            ]
    return sorted(set(found))


def _is_string(node: ast.expr) -> bool:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text or isinstance(node, ast.JoinedStr)
