"""Units: small sources of one folder that are compiled as one, for the headers they share.

A unit includes its sources, all their headers first. Names of a source's unnamed namespace get its
own suffix where no header has them. Sources that would still see each other's names stand apart.
"""

import json
import os
import re
from pathlib import Path

LINES = 900  # of sources in one unit, unless one alone has more
_WORD = re.compile(r"[A-Za-z_]\w*")
_TYPE = re.compile(r"^(?:struct|class|enum class|enum|union|using|concept) (\w+)")
_NAME = re.compile(r"\b([A-Za-z_]\w*)\s*[(={\[;]")
_NOT_NAMES = {"alignas", "decltype", "noexcept", "operator", "requires", "static_assert"}
_FILE_LOCAL = re.compile(r"(?:using|static|constexpr|inline) ")
_INSTANCE = re.compile(r"^template (?:class|struct) .*?;", re.MULTILINE | re.DOTALL)


def words(text: str) -> set[str]:
    """List the identifiers of a text without its comments."""
    return set(_WORD.findall(re.sub(r"//.*", "", text)))


def _declared(line: str) -> str | None:
    line = re.sub(r"^template <[^=]*?> ?(?=\w)", "", re.sub(r"\[\[.*?\]\] ?", "", line))
    found = _TYPE.match(line) or _NAME.search(line)
    return found[1] if found and found[1] not in _NOT_NAMES else None


def local_names(text: str) -> set[str]:
    """List what a source declares for itself: in an unnamed namespace, or by ``using``."""
    names, unnamed = set(), False
    for line in text.splitlines():
        if line in ("namespace {", "} // namespace"):
            unnamed = line == "namespace {"
        elif (unnamed and re.match(r"\w|\[\[", line)) or _FILE_LOCAL.match(line):
            names.add(_declared(line))
    return names - {None}


class Source:
    """A source, the names that get a suffix in a unit, and those no other source may have."""

    def __init__(self, path: str, header_words: set[str]) -> None:
        self.path = path
        text = Path(path).read_text(encoding="utf-8")
        self.lines = text.count("\n")
        names = local_names(text)
        members = set(re.findall(r"(?:\.|->|::)\s*(\w+)", text))
        self.renamed = sorted(names - header_words - members)
        instances = {" ".join(found.split()) for found in _INSTANCE.findall(text)}
        self.owned = (names - set(self.renamed)) | instances
        self.words = words(text) | instances
        self.includes = self._includes(text)

    def _includes(self, text: str) -> list[str]:
        found, depth = [], 0
        for line in text.splitlines():
            if line.startswith("#if"):
                depth += 1
            elif line.startswith("#endif"):
                depth -= 1
            elif line.startswith("#include") and depth == 0:
                found.append(line)
        return found

    def clashes(self, other: "Source") -> bool:
        """Tell whether one would see a name of the other."""
        return bool(self.owned & other.words or other.owned & self.words)

    def text(self) -> str:
        """Write how a unit includes this."""
        suffix = re.sub(r"\W", "_", Path(self.path).stem)
        defines = "".join(f"#define {name} {name}_of_{suffix}\n" for name in self.renamed)
        undefines = "".join(f"#undef {name}\n" for name in self.renamed)
        return f'{defines}#include "{self.path}"\n{undefines}'


def _kind(source: Source) -> tuple[str, bool]:
    """Tell what sources of a unit have in common: a folder, and how they are optimised."""
    path = Path(source.path)
    return str(path.parent), registers(source.path)


def registers(path: str) -> bool:
    """Tell whether a source or unit only registers bindings, which is done once a process."""
    return Path(path).name.startswith("bind_")


def packed(sources: list[Source]) -> list[list[Source]]:
    """Put each source into the first unit of its folder that has room for it."""
    units: list[list[Source]] = []
    for source in sources:
        for unit in units:
            lines = source.lines + sum(member.lines for member in unit)
            alike = _kind(unit[0]) == _kind(source)
            if alike and lines <= LINES and not any(source.clashes(member) for member in unit):
                unit.append(source)
                break
        else:
            units.append([source])
    return units


def _apart(unit: list[Source]) -> list[list[Source]]:
    """Split what has come to clash."""
    kept: list[Source] = []
    alone = []
    for source in unit:
        if any(source.clashes(member) for member in kept):
            alone.append([source])
        else:
            kept.append(source)
    return [kept, *alone] if kept else alone


def _planned(sources: dict[str, Source], plan: Path, built: float) -> list[list[str]]:
    """Read which sources share a unit, or decide it where most of the plan is gone.

    A source that is new, or was edited since the last build, is alone from then on: the next edit
    compiles one file.
    """
    units = json.loads(plan.read_text(encoding="utf-8")) if plan.exists() else []
    units = [[path for path in unit if path in sources] for unit in units]
    known = {path for unit in units for path in unit}
    if 2 * len(known) < len(sources):
        return [[source.path for source in unit] for unit in packed(list(sources.values()))]
    edited = {path for path in known if Path(path).stat().st_mtime > built}
    alone = [[path] for path in sources if path in edited or path not in known]
    return [[path for path in unit if path not in edited] for unit in units] + alone


def write_units(paths: list[str], headers: list[str], into: Path) -> list[str]:
    """Write the units of sources; return what is to be compiled.

    A unit that stands as it is keeps its time. A source alone in its unit is compiled as it stands.
    """
    header_words = set().union(*(words(Path(p).read_text(encoding="utf-8")) for p in headers))
    sources = {path: Source(path, header_words) for path in sorted(paths)}
    into.mkdir(parents=True, exist_ok=True)
    plan = into / "plan.json"
    planned = _planned(sources, plan, plan.stat().st_mtime if plan.exists() else 0.0)
    plan.write_text(json.dumps(planned, indent=1), encoding="utf-8")
    compiled = []
    for number, names in enumerate(planned):
        for unit in _apart([sources[name] for name in names]):
            if len(unit) == 1:
                compiled.append(unit[0].path)
                continue
            path = into / f"{Path(unit[0].path).stem}_{number}.cpp"
            includes = list(dict.fromkeys(line for source in unit for line in source.includes))
            text = "\n".join([*includes, *(source.text() for source in unit)])
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
            compiled.append(os.fspath(path))
    return compiled
