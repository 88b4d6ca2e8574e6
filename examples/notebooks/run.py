"""Run the notebooks in this folder and rewrite their outputs.

Run: python examples/notebooks/run.py [--check] [NAME ...]; it needs nbclient and ipykernel. With
--check, no file is changed; it is an error if the output of a cell differs from that in the
notebook.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent
SECONDS = 300
"""Time limit for one cell; a cell that takes longer fails."""


def executed(path: Path) -> Any:
    """Run every cell of a notebook in its folder; return the notebook with its outputs."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )  # fmt: skip
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of this run
    notebook.metadata.pop("language_info", None)  # version of this Python
    return notebook


def texts(notebook: Any) -> list[list[str]]:
    """Return the text that each code cell prints or shows; for a picture, its plain-text form."""
    return [
        [
            each.text if each.output_type == "stream" else each.data.get("text/plain", "")
            for each in cell.outputs
        ]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def main() -> int:
    """Run the notebooks; return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", help="notebooks in this folder. Default: all")
    parser.add_argument("--check", action="store_true", help="compare the outputs, write nothing")
    given = parser.parse_args()
    known = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
    if unknown := [name for name in given.names if Path(name).stem not in known]:
        parser.error(f"{unknown[0]!r} is not a notebook; choose from {', '.join(known)}")
    # Cells that begin with `!` run the `slotwise` command of this environment.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    status = 0
    for name in given.names or known:
        path = (FOLDER / name).with_suffix(".ipynb")
        new = executed(path)
        if not given.check:
            nbformat.write(new, path)
        elif (found := texts(new)) != (shown := texts(nbformat.read(path, as_version=4))):
            status = 1
            for number, (one, other) in enumerate(zip(shown, found, strict=True), 1):
                if one != other:
                    print(f"{name}: code cell {number} shows {one}\nbut now prints {other}")
            print(f"run python examples/notebooks/run.py {name} to rewrite the outputs")
    return status


if __name__ == "__main__":
    sys.exit(main())
