"""Pages of the notebooks: their cells and outputs as Markdown, with the pictures beside."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "examples" / "notebooks"
_LINK = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


def prose_of(text: str) -> str:
    """Return a cell of text, with links to pages of the site; other links become plain text."""

    def replaced(match: re.Match[str]) -> str:
        page = match[2].removeprefix("../docs/")
        return match[1] if page == match[2] else f"[{match[1]}](../{page})"

    return _LINK.sub(replaced, text)


def output_of(output: dict[str, Any], picture: Path) -> str:
    """Return one output as Markdown; a picture is written to a file."""
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```\n"
    data = output["data"]
    if "image/png" in data:
        picture.write_bytes(base64.b64decode(data["image/png"]))
        return f"![Chart of the cell above]({picture.name})\n"
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```\n"


def page_of(notebook: Path, folder: Path) -> str:
    """Return the page of a notebook; its pictures are written to a folder."""
    parts = []
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(f"{prose_of(source)}\n")
            continue
        language = "text" if source.startswith("!") or "\n!" in source else "python"
        parts.append(f"```{language}\n{source}\n```\n")
        for place, output in enumerate(cell["outputs"]):
            parts.append(output_of(output, folder / f"{notebook.stem}-{number}-{place}.png"))
    return "\n".join(parts)


def write_pages(folder: Path) -> None:
    """Write the page of every notebook to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for notebook in sorted(NOTEBOOKS.glob("*.ipynb")):
        (folder / f"{notebook.stem}.md").write_text(page_of(notebook, folder), encoding="utf-8")
