"""Unity sources: several sources of one folder, compiled as one for the headers they share.

Names in unnamed namespaces must therefore be unique within a folder; the compiler reports clashes.
"""

from pathlib import Path

LINES = 900  # limit per unity source, unless a single source is longer
# Folders compiled file by file: sources instantiate the same templates, or inlining matters.
APART = ("src/core/engine", "src/core/planner/easy")
# One folder with its sub-folders: its sources share pybind11, the largest header of all.
BINDINGS = "src/pycore/bindings"


def registers_bindings(path: str) -> bool:
    """Return True if a source only registers bindings, which runs once per process."""
    return Path(path).name.startswith("bind_")


def grouped(sources: list[str]) -> list[list[str]]:
    """Group the sources of each folder, in order, into runs of at most `LINES` lines."""
    groups: list[list[str]] = []
    lines = 0
    for source in sorted(sources, key=_kind):
        size = Path(source).read_text(encoding="utf-8").count("\n")
        fits = groups and _kind(groups[-1][0])[:2] == _kind(source)[:2] and lines + size <= LINES
        if fits and not source.startswith(APART):
            groups[-1].append(source)
            lines += size
        else:
            groups.append([source])
            lines = size
    return groups


def _kind(source: str) -> tuple[str, bool, str]:
    folder = BINDINGS if source.startswith(BINDINGS) else str(Path(source).parent)
    return folder, registers_bindings(source), source


def write_unity_sources(sources: list[str], folder: Path) -> list[str]:
    """Write a unity source per group of at least two; return the files to compile.

    An unchanged unity source keeps its modification time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    compiled = []
    for group in grouped(sources):
        if len(group) == 1:
            compiled += group
            continue
        prefix = "bind" if registers_bindings(group[0]) else "unity"
        first, last = Path(group[0]).with_suffix(""), Path(group[-1])
        unity = folder / "_".join([prefix, *first.parts[1:], "to", last.name])
        text = "".join(f'#include "{source}"\n' for source in group)
        if not unity.exists() or unity.read_text(encoding="utf-8") != text:
            unity.write_text(text, encoding="utf-8")
        compiled.append(str(unity))
    return compiled
