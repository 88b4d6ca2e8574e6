"""Reads a JSON object piece by piece in bounded memory, and skips the parts not asked for."""

from __future__ import annotations

import codecs
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from slotwise.errors import TraceError
from slotwise.formats.lines import text_pieces

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_PIECE = 1 << 17
"""Bytes of the file that are decoded at a time."""

_SHORT = 1 << 18
"""An element of more characters is not read whole: only the names to be kept are read."""

_LONGEST = 1 << 20
"""Maximum characters in a kept value; its Python objects take up to 24 times as much memory."""

_TOO_LONG: Any = object()

_DECODER = json.JSONDecoder()
_OPEN = "Unterminated string"

_BLANKS = " \t\r\n"

# A group is repeated in `(?>(?:...)*)`, because Python before 3.11.5 mismatches `(?:...)*+`.
_STRING = r'(?>(?:[^"\\]++|\\.)*)'
_TEXT = rf'(?:[^"\[\]{{}}]++|"{_STRING}")'
_PLAIN = rf"(?>{_TEXT}*)"
_FLAT = re.compile(rf"(?>(?:{_TEXT}|\[{_PLAIN}\]|\{{{_PLAIN}\}})*)", re.DOTALL)
"""Text up to the next nested brackets, or up to a string whose end has not been read."""

_BRACKETS = re.compile(r"[\[{]++|[\]}]++")

_IN_STRING = re.compile(_STRING, re.DOTALL)

_NEAR = 16
"""A word or an escape may be cut off within this many characters of the end of the text."""


class JsonPart(NamedTuple):
    """A value in the JSON object of a file, or one element of a list or object in it.

    Attributes
    ----------
    name : str
        The member to which the element or the value belongs.
    key : str
        The element's name in an object; otherwise empty.
    line : int
    value : object
    """

    name: str
    key: str
    line: int
    value: Any


class JsonStream:
    """Reader of the JSON object in a file.

    Parameters
    ----------
    path : str
    elements : dict of str to collection of str
        Members whose elements are returned one by one, each with the names to keep if an element is
        too long to be read whole.
    values : collection of str
        Further members to return. All others are skipped.
    """

    def __init__(
        self, path: str, elements: Mapping[str, Collection[str]], values: Collection[str] = ()
    ) -> None:
        self._path = path
        self._kept = elements
        self._values = values
        self._pieces = _short_pieces(path)
        self._utf8 = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._text = ""
        self._at = 0
        self._line = 1
        self._is_over = False

    def parts(self) -> Iterator[JsonPart]:
        """Yield the elements and values in the order of the file.

        Raises
        ------
        TraceError
            If the text is not JSON or ends too early, and for a kept value that is too long.
        """
        if self._peek() == "\ufeff":
            self._at += 1
        for name in self._names():
            kept = self._kept.get(name)
            first = self._peek()
            if kept is not None and first == "[":
                yield from self._listed(name, kept)
            elif kept is not None and first == "{":
                for key in self._names():
                    line = self._line
                    yield JsonPart(name, key, line, self._element(kept))
            elif kept is not None or name in self._values:
                line = self._line
                yield JsonPart(name, "", line, self._value())
            else:
                self._skip()

    def _listed(self, name: str, kept: Collection[str]) -> Iterator[JsonPart]:
        self._expect("[")
        while self._peek() != "]":
            line = self._line
            yield JsonPart(name, "", line, self._element(kept))
            if self._peek() != "]":
                self._expect(",")
        self._expect("]")

    def _names(self) -> Iterator[str]:
        """Yield the names in an object, each before its value is read or skipped."""
        self._expect("{")
        while self._peek() != "}":
            name = self._value()
            if not isinstance(name, str):
                raise self._fault("a name must be a string")
            self._expect(":")
            self._peek()
            yield name
            if self._peek() != "}":
                self._expect(",")
        self._expect("}")

    def _element(self, kept: Collection[str]) -> Any:
        value = self._read(_SHORT)
        if value is not _TOO_LONG:
            return value
        if self._peek() != "{":
            self._skip()
            return None
        found = {}
        for name in self._names():
            if name in kept:
                found[name] = self._value()
            else:
                self._skip()
        return found

    def _value(self) -> Any:
        value = self._read(_LONGEST)
        if value is _TOO_LONG:
            raise self._fault(
                f"a value has more than {_LONGEST:,} characters, or its brackets are nested too "
                "deeply"
            )
        return value

    def _read(self, most: int) -> Any:
        """Return the value that begins here. Return _TOO_LONG without moving if it is too long."""
        self._peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
                length = end - self._at
                # The rest of a number such as 1.5e-7 may be in the next piece, even if this piece
                # ends after "e-".
                if end + 2 < len(self._text) or not self._more():
                    break
            except json.JSONDecodeError as fault:
                n_lines = self._text.count("\n", self._at, fault.pos)
                is_cut = fault.pos > len(self._text) - _NEAR or fault.msg.startswith(_OPEN)
                if is_cut and len(self._text) - self._at > most:
                    return _TOO_LONG
                if not is_cut or not self._more():
                    self._line += n_lines
                    raise self._fault(fault.msg) from None
            except RecursionError:
                return _TOO_LONG
            except ValueError as fault:
                raise self._fault(str(fault)) from None
        self._line += self._text.count("\n", self._at, self._at + length)
        self._at += length
        return value

    def _skip(self) -> None:
        """Skip the value that begins here; only its quotes and brackets are checked."""
        first = self._peek()
        if first == '"':
            self._at += 1
            return self._skip_string()
        if first not in ("[", "{"):
            self._value()
            return None
        self._at += 1
        depth = 1
        while depth:
            self._move_to(_FLAT)
            brackets = _BRACKETS.match(self._text, self._at)
            if brackets is not None:
                is_open = brackets[0][0] in "[{"
                passed = len(brackets[0]) if is_open else min(len(brackets[0]), depth)
                depth += passed if is_open else -passed
                self._at += passed
            elif self._at < len(self._text):
                self._at += 1  # the quote of a string
                self._skip_string()
            elif not self._more():
                raise self._fault("the file ends within a value")
        return None

    def _skip_string(self) -> None:
        """Skip the rest of a string."""
        while True:
            self._move_to(_IN_STRING)
            if self._text[self._at : self._at + 1] == '"':
                self._at += 1
                return
            if not self._more():
                raise self._fault("the file ends within a string")

    def _move_to(self, passed: re.Pattern[str]) -> None:
        match = passed.match(self._text, self._at)
        end = self._at if match is None else match.end()
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _more(self) -> bool:
        """Read another piece of the file; return False at its end."""
        if self._is_over:
            return False
        piece = next(self._pieces, b"")
        self._is_over = not piece
        self._text = self._text[self._at :] + self._utf8.decode(piece, final=not piece)
        self._at = 0
        return not self._is_over

    def _peek(self) -> str:
        """Skip white space and return the next character, or an empty string at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _BLANKS:
                self._line += self._text[self._at] == "\n"
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _expect(self, mark: str) -> None:
        if self._peek() != mark:
            text = self._text[self._at : self._at + 20]
            found = repr(text) if text else "the end of the file"
            raise self._fault(f"{found} found where {mark!r} is required")
        self._at += 1

    def _fault(self, why: str) -> TraceError:
        return TraceError(
            f"cannot be read as JSON ({why}); write the file again, or truncate "
            "it after a complete job",
            path=self._path,
            line=self._line,
        )


def _short_pieces(path: str) -> Iterator[bytes]:
    for piece in text_pieces(path):
        for first in range(0, len(piece), _PIECE):
            yield piece[first : first + _PIECE]
