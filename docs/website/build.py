"""Build of the documentation site in ``build/site``; ``make site`` runs it.

The pages of ``docs`` are copied to ``build/site/source``, where pages of the interface and of the
commands join them. Sphinx then ends with an error for any broken link or unknown name.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(HERE)]

import api_pages  # noqa: E402
import command_pages  # noqa: E402

SITE = ROOT / "build" / "site"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
CHAPTERS = {
    "Start": ("first-steps", "your-log", "demo", "what-if", "cli", "commands/index",
              "notebooks", "notebooks/*", "glossary"),
    "How a replay works": ("concepts/replay", "concepts/*"),
    "Your machine and log": ("sites", "slurm", "slurm_*", "traces", "formats", "generators"),
    "Results": ("metrics", "report", "charts", "explain", "sweeps"),
    "Build on it": ("embedding", "stepping", "outside-schedulers", "learning", "api/index",
                    "architecture", "stability"),
    "Evidence": ("benchmarks", "studies/index", "studies/*", "decisions/README",
                 "decisions/0*"),
}  # fmt: skip
"""Chapters of the navigation; a page that none of them names fails the build."""


def place_of(path: Path) -> Path | None:
    """Return the place of a page among the staged ones; None for any other file or folder."""
    if path.is_relative_to(ROOT / "docs"):
        return path.relative_to(ROOT / "docs")
    return Path("notebooks", path.name) if path.suffix == ".ipynb" else None


def with_staged_links(page: Path, text: str, source: Path) -> str:
    """Point links to staged pages or copies of other files; links to folders become plain text."""
    own = place_of(page)
    assert own is not None

    def replaced(match: re.Match[str]) -> str:
        if re.match(r"[a-z]+:", match[3]):
            return match[0]
        target = (page.parent / match[3]).resolve()
        place, anchor = place_of(target), match[4] or ""
        if place is None:
            if not target.is_file():
                return match[2]
            name = target.relative_to(ROOT)
            place, anchor = Path("files", f"{name}.txt" if name.suffix == ".md" else name), ""
            (source / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(target, source / place)
        return f"{match[1]}[{match[2]}]({os.path.relpath(place, own.parent)}{anchor})"

    return LINK.sub(replaced, text)


def navigation(source: Path) -> str:
    """Return the hidden tables of contents of the front page, one per chapter."""
    text, named = "", {"index"}
    for title, patterns in CHAPTERS.items():
        pages = []
        for pattern in patterns:
            for suffix in (".md", ".rst", ".ipynb"):
                for path in sorted(source.glob(pattern + suffix)):
                    name = str(path.relative_to(source).with_suffix(""))
                    if name not in named:
                        pages.append(name)
                        named.add(name)
        entries = "\n".join(pages)
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n"
    return text


def stage(source: Path) -> None:
    """Write every page of the site into a fresh folder."""
    shutil.rmtree(source, ignore_errors=True)
    leave = shutil.ignore_patterns("*.py", "*.md", "website", "__pycache__")
    shutil.copytree(ROOT / "docs", source, ignore=leave)
    for page in sorted((ROOT / "docs").rglob("*.md")):
        copy = source / page.relative_to(ROOT / "docs")
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = with_staged_links(page, page.read_text(encoding="utf-8"), source)
        text = re.sub(r"^```(\w+) notest$", r"```\1", text, flags=re.MULTILINE)
        copy.write_text(text, encoding="utf-8")
    api_pages.write_pages(source / "api")
    command_pages.write_pages(source / "commands")
    stage_notebooks(source)
    demo = source / "demo.md"
    frame = '\n<iframe class="report" title="Report of the demo" src="demo/report.html"></iframe>\n'
    link = '\n<p><a href="demo/report.html">Open the report on a page of its own</a></p>\n'
    demo.write_text(demo.read_text("utf-8") + link + frame, encoding="utf-8")
    front = source / "index.md"
    front.write_text(front.read_text("utf-8") + navigation(source), encoding="utf-8")


def stage_notebooks(source: Path) -> None:
    """Stage the notebooks with their outputs; MyST-NB makes their pages."""
    (source / "notebooks").mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "examples" / "notebooks").glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = with_staged_links(path, "".join(cell["source"]), source)
        # Cells with commands, `!slotwise ...`, are not plain Python.
        notebook["metadata"]["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
        (source / "notebooks" / path.name).write_text(json.dumps(notebook), encoding="utf-8")


def write_demo(folder: Path) -> None:
    """Run the commands of ``make demo`` in a folder, unless their report is already there."""
    if (folder / "report.html").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for line in re.findall(r"^\$ (slotwise .*)$", (ROOT / "docs/demo.md").read_text("utf-8"), re.M):
        command_pages.output_of(line, folder)


def main() -> int:
    """Build the site; return the exit status of Sphinx."""
    stage(SITE / "source")
    write_demo(SITE / "demo")
    command = [
        *(sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"),
        *("-c", str(HERE), "-d", str(SITE / "doctrees"), str(SITE / "source"), str(SITE / "html")),
    ]
    status = subprocess.run(command, check=False).returncode
    if status == 0:
        (SITE / "html" / "demo").mkdir(exist_ok=True)
        shutil.copy(SITE / "demo" / "report.html", SITE / "html" / "demo" / "report.html")
        sys.stdout.write(f"Open {(SITE / 'html' / 'index.html').relative_to(ROOT)} in a browser.\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
