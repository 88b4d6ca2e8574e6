"""A TOML reader that refuses texts on which `tomllib` would be slow or exceed Python's limits."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from slotwise.site.faults import dotted

if TYPE_CHECKING:
    from slotwise.site.faults import Key

DEEPEST = 32
"""Deepest nesting allowed for tables, lists and dotted keys; a site has at most five levels."""

_MOST_DIGITS = 400
_TOO_DEEP = f"nested more than {DEEPEST} levels deep; a site needs at most five: remove levels"
_LONG_NUMBER = f"a number of more than {_MOST_DIGITS} digits; write a shorter one"
# Matches strings and comments. A string that is not closed extends to the end of the file, so that
# every character is read only once.
_APART = re.compile(
    r'"""(?>(?:[^"\\]++|\\.|"(?!""))*)(?:"{3,5}|\Z)'
    r"|'''(?>(?:[^']++|'(?!''))*)(?:'{3,5}|\Z)"
    r'|"(?>(?:[^"\\\n]++|\\[^\n])*)"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_RULES = (
    (
        re.compile(rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{DEEPEST},}}"),
        f"a key has more than {DEEPEST} parts; a site needs at most five: shorten the key",
    ),
    (re.compile(rf"[0-9][0-9_]{{{_MOST_DIGITS},}}"), _LONG_NUMBER),
)


class TomlError(ValueError):
    """A text that is not TOML.

    Attributes
    ----------
    line : int or None
        Line of the fault, from 1; None if the message names the line.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class TomlBoundsError(TomlError):
    """A text that may be TOML but exceeds the bounds on nesting, keys or numbers."""


def parsed(text: str) -> dict[str, Any]:
    """Read TOML.

    Raises
    ------
    TomlBoundsError
        For deep nesting, keys with many parts and numbers with many digits.
    TomlError
        For a text that is not TOML.
    """
    _check_text(text)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise TomlError(f"not TOML: {fault}") from None
    except RecursionError:
        raise TomlBoundsError(_TOO_DEEP) from None
    check_values(document)
    return document


def _check_text(text: str) -> None:
    bare = _APART.sub(_hollow, text)
    for pattern, rule in _RULES:
        if found := pattern.search(bare):
            raise TomlBoundsError(rule, _line(bare, found))
    depth = 0
    for found in re.finditer(r"[\[{\]}]", bare):
        depth += 1 if found[0] in "[{" else -1
        if depth > DEEPEST:
            raise TomlBoundsError(_TOO_DEEP, _line(bare, found))


def _hollow(found: re.Match[str]) -> str:
    """Remove a comment, or reduce a string to one letter and its line breaks."""
    return "" if found[0].startswith("#") else "t" + "\n" * found[0].count("\n")


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1


def check_values(document: Mapping[str, Any]) -> None:
    """Refuse deeply nested tables and numbers with too many digits.

    Raises
    ------
    TomlBoundsError
        If such a table or number occurs; the message names its key.
    """
    left: list[tuple[Key, Any]] = [((), document)]
    while left:
        key, value = left.pop()
        if isinstance(value, Mapping | list | tuple):
            if len(key) > DEEPEST:
                raise TomlBoundsError(f"{dotted(key):.60}: {_TOO_DEEP}")
            inner = value.items() if isinstance(value, Mapping) else enumerate(value)
            left += [((*key, step), item) for step, item in inner]
        elif isinstance(value, int) and value.bit_length() > 1024:
            raise TomlBoundsError(f"{dotted(key):.60}: {_LONG_NUMBER}")
