"""Lines of a ``slurm.conf`` and of the files it includes, each with its place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from slotwise.errors import SiteError
from slotwise.site.machine.node_type import MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Iterator

_INCLUDE = re.compile(r"\s*include\s+(\S.*?)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"(?<!\\)#")
_LARGEST_FILE = 64 << 20
_DEEPEST = 8

MOST_NAMED = 10 * MOST_NODES
"""Nodes that all lines of a file may name together, some of them more than once."""


def placed_lines(source: str, faults: list[str] | None = None) -> Iterator[tuple[str, str]]:
    """Give the lines with their places, and those of included files in place of ``Include``.

    A line that ends in a backslash goes on in the next one; comments are left out.

    Parameters
    ----------
    source : str
        The file.
    faults : list of str, optional
        Takes the faults of included files; the lines that follow are given all the same.

    Raises
    ------
    SiteError
        For a file that cannot be read, is not text or too large, and for one within itself.
    """
    yield from _lines_of(source, source, f"{source}: ", (), faults)


def _lines_of(
    path: str, main: str, place: str, above: tuple[str, ...], faults: list[str] | None
) -> Iterator[tuple[str, str]]:
    """Give the lines of a file and of those it includes, which stand beside the main one."""
    if path in above or len(above) >= _DEEPEST:
        raise SiteError(
            f"{place}{path} is included within itself, or {_DEEPEST} deep; remove the Include line"
        )
    for number, line in _joined(_text_of(path, place)):
        here = f"{path}:{number}"
        include = _INCLUDE.fullmatch(line)
        if include is None:
            yield here, line
            continue
        included = _included(include[1], Path(main).parent)
        begin = f"{here}: Include {include[1]}: "
        try:
            yield from _lines_of(included, main, begin, (*above, path), faults)
        except SiteError as fault:
            if faults is None:
                raise
            faults.append(str(fault))


def _included(name: str, folder: Path) -> str:
    """Find an included file: in the folder where its path is relative, or copied there."""
    path = folder / name
    copy = folder / path.name
    try:
        return str(copy if not path.exists() and copy.is_file() else path)
    except (OSError, ValueError):  # a name that no file can have
        return str(path)


def _text_of(path: str, place: str) -> str:
    remedy = "check the path" if place == f"{path}: " else "put the file there, or remove the line"
    try:
        with Path(path).open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
    except OSError as fault:
        why = fault.strerror or fault
        raise SiteError(f"{place}cannot be read ({why}); {remedy}") from None
    except ValueError:
        raise SiteError(f"{place}no file can have this name; {remedy}") from None
    if len(data) > _LARGEST_FILE:
        raise SiteError(f"{place}has more than {_LARGEST_FILE:,} bytes; give the slurm.conf")
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise SiteError(f"{place}not a text in UTF-8; give the slurm.conf") from None


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Give the lines with their numbers, those that end in a backslash with what follows."""
    begun, held = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        begun = begun or number
        held += _COMMENT.split(line.removesuffix("\r"))[0].replace("\\#", "#")
        if held.endswith("\\"):
            held = held[:-1]
            continue
        yield begun, held
        begun, held = 0, ""
    if held:
        yield begun, held
