"""Lines of a site file, each with the evidence for it as a comment.

Example: ``processors = 96    # most processors in use at once, at 86,400 s``.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

_WIDTH = 98
_COLUMN = 36
"""Column at which comments begin. The comment on a longer line is written above it."""


@dataclass(frozen=True)
class Line:
    """A line of a site file.

    Attributes
    ----------
    text : str
        Empty for a line with only a comment.
    evidence : str
    """

    text: str = ""
    evidence: str = ""


def written(lines: list[Line]) -> str:
    """Lay out lines, with comments next to or above them."""
    return "".join(f"{row}\n" for line in lines for row in _rows(line))


def _rows(line: Line) -> list[str]:
    # A TOML comment cannot contain control characters, but a name in a log may contain them.
    said = "".join(letter if letter.isprintable() else "?" for letter in line.evidence)
    if not said:
        return [line.text]
    beside = f"{line.text:<{_COLUMN}}  # {said}"
    if line.text and len(line.text) <= _COLUMN and len(beside) <= _WIDTH:
        return [beside]
    indent = " " * (len(line.text) - len(line.text.lstrip()))
    rows = textwrap.wrap(
        said, _WIDTH - 2 - len(indent), break_on_hyphens=False, break_long_words=False
    )
    return [*(f"{indent}# {row}" for row in rows), *([line.text] if line.text else [])]
