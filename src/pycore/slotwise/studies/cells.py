"""Finished cells of a study on disk, so that no cell is computed twice.

Each study has one JSON file with one finished cell per line, appended as soon as the cell is
finished. Several runs may append to one file. A truncated last line, left by a killed process, is
ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from slotwise._version import __version__
from slotwise.formats.json_lines import JsonLines, line_of, values_of
from slotwise.studies.code import code_hash

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slotwise.studies.study import StudyInfo

_SYNC_SECONDS = 1.0
"""Longest time before a finished cell is flushed to disk; a power cut loses no more than this."""


class CellStore:
    """The finished cells of one study, by key. Without a folder, they are kept only in memory.

    A key is the hash of everything that determines a cell: the study, its code, the name of the
    computation, its inputs and its parameters.
    """

    def __init__(self, study: StudyInfo, file: JsonLines | None, found: dict[str, Any]) -> None:
        self._subject = (study.name, __version__, code_hash(study.package))
        self._file = file
        self._values = found

    @classmethod
    def open(cls, folder: str | os.PathLike[str] | None, study: StudyInfo) -> CellStore:
        """Open the store in a folder, which is created if necessary.

        Raises
        ------
        OSError
            If the folder cannot be created or written.
        """
        if folder is None:
            return cls(study, None, {})
        path = Path(folder, f"{study.name}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        file = JsonLines(path, alone=False, sync_seconds=_SYNC_SECONDS)
        file.begin()
        found = {}
        for entry in values_of(file.text + b"\n"):
            with suppress(KeyError, TypeError):
                found[entry["key"]] = entry["value"]
        return cls(study, file, found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        if self._file is not None:
            self._file.close()

    def key(self, what: str, inputs: str, cell: Mapping[str, Any]) -> str:
        """Return the key of a cell.

        Raises
        ------
        TypeError
            For a parameter that JSON cannot represent.
        """
        text = json.dumps([*self._subject, what, inputs, cell], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def add(self, key: str, cell: Mapping[str, Any], value: Any) -> None:
        """Store a finished cell; it is not lost if the process is killed afterwards.

        Raises
        ------
        TypeError
            For a value that JSON cannot represent.
        """
        line = {"key": key, "cell": cell, "value": value}
        # The value is read back from JSON, so the first run returns the same values as later runs.
        self._values[key] = json.loads(line_of(line))["value"]
        if self._file is not None:
            self._file.add([line])


def default_folder() -> Path:
    """Return the command line's folder for cells, ``slotwise`` in $XDG_CACHE_HOME or ~/.cache."""
    given = os.environ.get("XDG_CACHE_HOME")
    return (Path(given) if given else Path.home() / ".cache") / "slotwise" / "studies"
