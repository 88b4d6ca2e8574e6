"""Structural counts of the C++ core, from its source text: folders, includes, methods per class."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
CLASS = re.compile(r"^(?:template <[^;{}]*?>\s*)?(?:class|struct) (\w+)[^;{}()]*\{", re.MULTILINE)
NOT_CODE = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')
METHOD = re.compile(r"~?\b\w+\(|\boperator\W")
NOT_METHOD = re.compile(r"^\s*(?:using|static_assert|friend|typedef|struct|class|enum)\b")


@dataclass(frozen=True)
class Include:
    """A file that includes another; paths are relative to the core."""

    file: str
    included: str


def sources(core: Path) -> list[Path]:
    return sorted(p for p in core.rglob("*") if p.suffix in (".cpp", ".hpp"))


def files_per_folder(core: Path) -> Counter[str]:
    return Counter(str(p.parent.relative_to(core)) for p in sources(core))


def includes(core: Path) -> Iterator[Include]:
    for path in sources(core):
        for name in INCLUDE.findall(path.read_text()):
            if (core / name).is_file():
                yield Include(str(path.relative_to(core)), name)


def folder_of(file: str) -> str:
    return file.split("/")[0] if "/" in file else ""


def upward_includes(core: Path, floors: Sequence[str]) -> list[Include]:
    rank = {folder: i for i, folder in enumerate(floors)}
    return [
        edge
        for edge in includes(core)
        if rank[folder_of(edge.included)] < rank[folder_of(edge.file)]
    ]


def methods_per_class(core: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    for path in sources(core):
        text = NOT_CODE.sub("", path.read_text())
        for match in CLASS.finditer(text):
            name = f"{path.relative_to(core)}:{match[1]}"
            counts[name] = sum(1 for _ in _methods(text, match.end()))
    return counts


def _methods(text: str, begin: int) -> Iterator[str]:
    """Yield the declarations of functions in the class body that opens before `begin`."""
    depth, statement = 1, ""
    for char in text[begin:]:
        if char == "{":
            if depth == 1 and _declares_method(statement):
                yield statement
                statement = ""
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return
            if depth == 1:
                statement = ""
        elif depth == 1:
            if char == ";":
                if _declares_method(statement):
                    yield statement
                statement = ""
            else:
                statement += char


def _declares_method(statement: str) -> bool:
    head = re.sub(r"^\s*(?:public|private|protected):", "", statement)
    before = head.split("=")[0] if "operator" not in head else head
    return METHOD.search(before) is not None and NOT_METHOD.match(head) is None
