"""A JSON object read piece by piece: its lists element by element, in bounded memory."""

from __future__ import annotations

import codecs
import json
from typing import TYPE_CHECKING, Any

from slotwise.errors import TraceError
from slotwise.formats.lines import text_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 1 << 24
"""Most characters in a value; an endless value would fill the memory."""

_BLANKS = " \t\r\n"


class JsonStream:
    """The members of the JSON object in a file.

    Parameters
    ----------
    path : str
    listed : str
        The member whose elements are returned one by one.
    """

    def __init__(self, path: str, listed: str) -> None:
        self._path = path
        self._listed = listed
        self._pieces = text_pieces(path)
        self._utf8 = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._text = ""
        self._at = 0
        self._line = 1
        self._is_over = False

    def members(self) -> Iterator[tuple[str, int, Any]]:
        """Yield name, line and value of each member, and of each element of the listed member.

        Raises
        ------
        TraceError
            If the text is not JSON, or ends too early.
        """
        if self._peek() == "\ufeff":
            self._at += 1
        self._expect("{")
        while self._peek() != "}":
            name = self._value()
            self._expect(":")
            if name == self._listed and self._peek() == "[":
                yield from self._elements(name)
            else:
                line = self._line
                yield str(name), line, self._value()
            if self._peek() != "}":
                self._expect(",")

    def _elements(self, name: str) -> Iterator[tuple[str, int, Any]]:
        self._expect("[")
        while self._peek() != "]":
            line = self._line
            yield name, line, self._value()
            if self._peek() != "]":
                self._expect(",")
        self._expect("]")

    def _more(self) -> bool:
        """Read another piece of the file; return False at its end."""
        piece = next(self._pieces, b"")
        self._is_over = not piece
        self._text = self._text[self._at :] + self._utf8.decode(piece, final=not piece)
        self._at = 0
        return not self._is_over

    def _peek(self) -> str:
        """Skip white space and return the next character; empty at the end."""
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
            found = self._text[self._at : self._at + 20] or "the end of the file"
            raise self._fault(f"{found!r} found where {mark!r} is required")
        self._at += 1

    def _value(self) -> Any:
        self._peek()
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self._text, self._at)
                # A number may continue in the next piece.
                if end < len(self._text) or not self._more():
                    break
            except json.JSONDecodeError as fault:
                if len(self._text) - self._at > _MOST:
                    raise self._fault("a value has more than 16 million characters") from None
                if self._is_over or not self._more():
                    raise self._fault(fault.msg) from None
            except (RecursionError, ValueError) as fault:
                raise self._fault(str(fault)) from None
        self._line += self._text.count("\n", self._at, end)
        self._at = end
        return value

    def _fault(self, why: str) -> TraceError:
        return TraceError(
            f"cannot be read as JSON ({why}); write it again, or cut it at the end of a job",
            path=self._path,
            line=self._line,
        )
