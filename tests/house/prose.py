"""Prose linter: finds bad opening words of comments, banned phrases and American spellings.

``python tests/house/prose.py`` lists each finding as ``file:line: text`` and exits with 1 if there
are any. Comments and docstrings are checked for all three, documents for phrases and spellings, and
string literals only for phrases.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
CHECKED = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs",
    "src",
    "tests",
    "benchmarks",
    "examples",
    "build_support",
)
OPENING = re.compile(r"^(What|Who|Whose|Whether|Of|Where|Which|In which|How many|How much)\b")
_PHRASES = (
    r"\b(?:is|are|be|was|were) told\b|\bin vain\b|\bgoes by\b|\bgone by\b|\bof ours\b|\bforetold\b"
    r"|\bby hand\b|\b[Nn]obody\b|\b[Aa]t (?:its|their) submit\b(?! time)|\btakes? no notice\b"
    r"|\b(?:the|a|each|every|its|their|one|whose|from|first|last|at) submits?\b(?! time)"
    r"|\b(?:one|a) (?:(?!has|with|names|is)\w+ )?an? "
    r"(?:job|row|line|cell|site|queue|user|pool|node|size|word)\b"
    r"|\bis no (?:trace|number|file|site|table|path|text|order|policy|whole number|integer)\b"
    r"|, or else\b|; else (?!if\b)|: else (?!if\b)|\bfor good\b|\bas is known beforehand\b"
)
PHRASES = re.compile(_PHRASES.replace(" ", r"\s+"))
# Spelling is British, as in `utilisation` and `centre`, except in code, quotations, addresses and
# titles.
EXEMPT = re.compile(r"``[^`]*``|`[^`\n]*`|\"[^\"\n]*\"|\w+://\S+|supercomputer\s+utilization")
AMERICAN = re.compile(
    r"\b(?:behavior|neighbor|colors?\b|colored|coloring|favors?\b|centers?\b|canceled|labeled"
    r"|modeled|traveled|(?:optim|normal|recogn|initial|minim|maxim|util|serial|summar|general|random"
    r"|organ|synchron|character|emphas|priorit|rational|visual|factor|categor|vector|final)i[z](?:e|ing|a)"
    r"|analy[z]|parameteri[z])\w*"
)


class Finding(NamedTuple):
    """A wording fault, with its file and line."""

    path: Path
    line: int
    text: str


def opening_findings(path: Path, line: int, text: str) -> Iterator[Finding]:
    """Find a text that opens with a word such as What or Of, unless it has a question mark."""
    if OPENING.match(text) and "?" not in text:
        yield Finding(path, line, f"opens with {text[:60]!r}")


def phrase_findings(path: Path, line: int, text: str) -> Iterator[Finding]:
    """Find banned phrases, also across line ends."""
    for match in PHRASES.finditer(text):
        at = line + text.count("\n", 0, match.start())
        yield Finding(path, at, f"says {' '.join(match[0].split())!r}")


def spelling_findings(path: Path, line: int, text: str) -> Iterator[Finding]:
    """Find American spellings outside code, quotations, addresses and titles."""
    prose = EXEMPT.sub(_blank_lines, text)
    for match in AMERICAN.finditer(prose):
        at = line + prose.count("\n", 0, match.start())
        yield Finding(path, at, f"spells {match[0]!r}")


def cpp_comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield blocks of ``//`` lines, and comments after code, with their line numbers."""
    block: list[str] = []
    first = 0
    for number, line in enumerate([*source.splitlines(), ""], start=1):
        whole = re.match(r"\s*///?<?\s?(.*)", line)
        if whole:
            first = first if block else number
            block.append(whole[1])
            continue
        if block:
            yield first, "\n".join(block)
            block = []
        if behind := re.search(r"[;{},)]\s+//\s?(.*)", line):
            yield number, behind[1]


def _literal(node: ast.AST) -> tuple[int, str] | None:
    """Return the line and the text of a string literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.lineno, node.value
    return None


def python_comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and comments of a module, with their line numbers."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and (found := _literal(node.value)):
            yield found[0], found[1].strip()
    block: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        if block and token.start[0] == last + 1:
            block.append(token.string.lstrip("# "))
        else:
            if block:
                yield first, "\n".join(block)
            block, first = [token.string.lstrip("# ")], token.start[0]
        last = token.start[0]
    if block:
        yield first, "\n".join(block)


def python_strings(source: str) -> Iterator[tuple[int, str]]:
    """Yield a module's string literals that are prose, except docstrings, with line numbers."""
    tree = ast.parse(source)
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if (found := _literal(node)) and " " in found[1] and id(node) not in documented:
            yield found


def prose_of_page(source: str) -> str:
    """Blank out the code in a Markdown page, but keep the line breaks."""
    without_blocks = re.sub(r"^```.*?^```", _blank_lines, source, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", without_blocks)


def _blank_lines(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def findings_in(path: Path) -> Iterator[Finding]:
    """List the findings in the prose of a file."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from phrase_findings(path, 1, prose_of_page(source))
        yield from spelling_findings(path, 1, prose_of_page(source))
        return
    is_python = path.suffix in {".py", ".pyi"}
    for line, text in python_comments(source) if is_python else cpp_comments(source):
        yield from opening_findings(path, line, text)
        yield from phrase_findings(path, line, text)
        yield from spelling_findings(path, line, text)
    if is_python:
        for line, text in python_strings(source):
            yield from phrase_findings(path, line, text)


def tracked_files(parts: tuple[str, ...] = CHECKED) -> list[Path]:
    """List the files of the repository that hold prose."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *parts],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    suffixes = {".md", ".py", ".pyi", ".cpp", ".hpp", ".h"}
    return [
        ROOT / name
        for name in listed.splitlines()
        if Path(name).suffix in suffixes and (ROOT / name).is_file()
    ]


def main(parts: list[str]) -> int:
    """List the findings; return 1 if there are any."""
    quoting = {Path(__file__).resolve(), Path(__file__).resolve().with_name("test_prose.py")}
    files = [path for path in tracked_files(tuple(parts) or CHECKED) if path not in quoting]
    found = [finding for path in files for finding in findings_in(path)]
    for finding in found:
        sys.stdout.write(f"{finding.path.relative_to(ROOT)}:{finding.line}: {finding.text}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
