"""The result of a study."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotwise._files import written_whole

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from matplotlib.figure import Figure

    from slotwise.studies.row import Row
    from slotwise.studies.study import StudyInfo


@dataclass(frozen=True)
class StudyResult:
    """Rows, notes and pictures of a study.

    Attributes
    ----------
    study : StudyInfo
    rows : tuple of Row
    seconds : float
        Wall time of this run; cells from earlier runs take no time.
    notes : tuple of str
        Notes that explain the tables.
    conclusions : tuple of str
        Conclusions from our figures and the paper's.
    pictures : mapping of str to callable
        Each returns a ``matplotlib.figure.Figure``.
    """

    study: StudyInfo
    rows: tuple[Row, ...]
    seconds: float
    notes: tuple[str, ...]
    conclusions: tuple[str, ...]
    pictures: Mapping[str, Callable[[], Figure]]

    def table(self, table: str) -> list[Row]:
        """Return the rows of one table.

        Raises
        ------
        KeyError
            For an unknown table.
        """
        found = [row for row in self.rows if row.table == table]
        if not found:
            known = ", ".join(dict.fromkeys(row.table for row in self.rows))
            raise KeyError(f"unknown table {table!r}; choose one of: {known}")
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the pictures as plain values, with None for NaN and infinity.

        The conclusions become the ``verdict``.
        """
        rows = [
            {name: _finite(value) for name, value in row.to_dict().items()} for row in self.rows
        ]
        return {
            "study": self.study.name,
            "rows": rows,
            "seconds": self.seconds,
            "notes": list(self.notes),
            "verdict": list(self.conclusions),
        }

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        progress: Callable[[float], object] | None = None,
    ) -> list[Path]:
        """Write rows.json, rows.csv and the pictures, each completely or not at all.

        Parameters
        ----------
        folder : path-like
            Created if necessary.
        progress : callable, optional
            Called with the share of the pictures drawn, 0 to 1.

        Returns
        -------
        list of Path
            The files written.

        Raises
        ------
        MissingExtraError
            If there are pictures and matplotlib is not installed.
        OSError
            If the folder cannot be written to.
        """
        into = Path(folder)
        into.mkdir(exist_ok=True)
        written = [into / "rows.json", into / "rows.csv"]
        with written_whole(written[0]) as file:
            file.write((json.dumps(self.to_dict(), indent=1) + "\n").encode())
        with written_whole(written[1]) as file:
            file.write(self._csv().encode())
        for drawn, (name, draw) in enumerate(self.pictures.items(), 1):
            from slotwise.pictures.figure import save

            written += save(draw(), into, name)
            if progress is not None:
                progress(drawn / len(self.pictures))
        return written

    def _csv(self) -> str:
        rows = [row.to_dict() for row in self.rows]
        names = list(dict.fromkeys(name for row in rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
