"""What a study found."""

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
        Wall time of this run; cells of earlier runs cost none.
    notes : tuple of str
        What the reader of the tables has to know.
    conclusions : tuple of str
        What they come to beside the paper's.
    pictures : mapping of str to callable
        Each gives a ``matplotlib.figure.Figure``.
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
            Where there is no such table.
        """
        found = [row for row in self.rows if row.table == table]
        if not found:
            known = ", ".join(dict.fromkeys(row.table for row in self.rows))
            raise KeyError(f"no table {table!r}; there is {known}")
        return found

    def to_dict(self) -> dict[str, Any]:
        """Give all but the pictures as plain values; what is no number becomes None.

        The conclusions are the ``verdict``.
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
        """Write rows.json, rows.csv and the pictures, each whole or not at all.

        Parameters
        ----------
        folder : path-like
            Made where it is not there.
        progress : callable, optional
            Called with the part of the pictures that is drawn, 0 to 1.

        Returns
        -------
        list of Path
            What was written.

        Raises
        ------
        MissingExtraError
            Without matplotlib, where there are pictures.
        OSError
            Where the folder cannot be written.
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
