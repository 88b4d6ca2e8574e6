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
_ON_SHARED_LINES = (
    "nodename", "nodehostname", "nodeaddr", "cpus", "procs", "boards", "socketsperboard", "sockets",
    "corespersocket", "threadspercore", "corespeccount", "memspeclimit", "realmemory", "tmpdisk",
    "gres", "features?", "weight", "state", "reason", "port", "partitionname", "nodes", "nodeset",
    "default", "maxtime", "defaulttime", "maxnodes", "minnodes", "prioritytier", "priority",
    "priorityjobfactor", "oversubscribe", "shared", "name", "type", "count", "file",
)  # fmt: skip
"""Keys that share a line with others, in lower case."""

_PAIR = re.compile(
    rf"""(?<!\S)([A-Za-z0-9_.]++)\s*+=++
    (?>(?:                                              # atomic: as in json_stream.py
        [ \t]*"([^"]*)"                                 # in quotes
      | ([^\s"]\S*)                                     # directly after the =
      | [ \t]+(?!(?:{"|".join(_ON_SHARED_LINES)})[ \t]*=)([^\s"]\S*)  # after blanks
    )?)(?=\s|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_LARGEST_FILE = 64 << 20
_DEEPEST = 8

MOST_NAMED = 10 * MOST_NODES
"""Maximum number of node names in a file, including repetitions."""


def placed_lines(source: str, faults: list[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield the lines with their places; included files replace ``Include`` lines.

    A line that ends in a backslash continues on the next line; comments are left out.

    Parameters
    ----------
    source : str
        The file.
    faults : list of str, optional
        Collects the faults of included files; later lines are still returned.

    Raises
    ------
    SiteError
        For a file that cannot be read, is not text or is too large, and for one that includes
        itself.
    """
    yield from _lines_of(source, source, f"{source}: ", (), faults)


def _lines_of(
    path: str, main: str, place: str, above: tuple[str, ...], faults: list[str] | None
) -> Iterator[tuple[str, str]]:
    """Yield the lines of a file and of the files it includes.

    Paths of included files are relative to the folder of the main file.
    """
    if path in above or len(above) >= _DEEPEST:
        raise SiteError(
            f"{place}{path} includes itself, or is nested {_DEEPEST} Include lines deep; remove "
            "the Include line"
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
    """Return the path of an included file or, if it is missing, of its copy in `folder`."""
    path = folder / name
    copy = folder / path.name
    try:
        return str(copy if not path.exists() and copy.is_file() else path)
    except (OSError, ValueError):  # an invalid file name
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
        raise SiteError(f"{place}this name is not a valid file name; {remedy}") from None
    if len(data) > _LARGEST_FILE:
        raise SiteError(
            f"{place}the file has more than {_LARGEST_FILE:,} bytes; use the cluster's slurm.conf"
        )
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise SiteError(
            f"{place}the file is not UTF-8 text; use the cluster's slurm.conf"
        ) from None


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, joining lines that end in a backslash to the next."""
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


def pairs_of(text: str) -> tuple[list[tuple[str, str]], str]:
    """Read the keys of a line with their values.

    Blanks are allowed on both sides of ``=``, as in Slurm: the next word is the value, unless it is
    a key of the same line with its own ``=``. A doubled ``=`` counts once.

    Returns
    -------
    pairs : list of (key, value)
        In order; an absent value is empty.
    rest : str
        Text from the first word that is not ``KEY=VALUE``.
    """
    pairs, rest, at = [], "", 0
    for match in _PAIR.finditer(text):
        key, *values = match.groups()
        pairs.append((key, next((value for value in values if value is not None), "")))
        if not rest and text[at : match.start()].strip():
            rest = text[at:].strip()
        at = match.end()
    return pairs, rest or text[at:].strip()
