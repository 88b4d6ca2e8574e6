"""Unity sources: several sources of one module, compiled as one file because they share headers.

A module is a folder such as ``src/core/planner``, with its sub-folders. Names in unnamed namespaces
must therefore be unique within a module; the compiler reports clashes.
"""

from pathlib import Path

LINES = 1800  # maximum length of a unity source, unless a single source is longer
# Sources compiled on their own: loops over all events or jobs, whose speed depends on inlining.
APART = tuple(
    f"src/core/{folder}/{name}.cpp"
    for folder, names in {
        "engine": ("bare_loop", "plain_loop", "ruled_loop"),
        "planner/easy": ("easy_candidates", "easy_planner", "easy_search", "easy_size_search"),
        "planner/pools": ("pool_sweep",),
    }.items()
    for name in names
)
# SELDOM lists code that runs once per process or per replay. OFTEN lists the exceptions: bindings
# that run in each pass.
SELDOM = ("src/pycore/bindings/", "src/core/site/", "src/core/planner/make_scheduler")
OFTEN = (
    "src/pycore/bindings/decisions/decision_arguments",
    "src/pycore/bindings/simulation/job_view",
    "src/pycore/bindings/simulation/python_dispatcher",
    "src/pycore/bindings/sites/numpy_order",
)


def runs_seldom(path: str) -> bool:
    """Return True if a source, or a unity source, is compiled with less optimisation."""
    is_seldom = path.startswith(SELDOM) and not path.startswith(OFTEN)
    return is_seldom or Path(path).name.startswith("seldom_")


def grouped(sources: list[str]) -> list[list[str]]:
    """Group the sources of each module, in order, into runs of at most `LINES` lines."""
    groups: list[list[str]] = []
    lines = 0
    for source in sorted(sources, key=_kind):
        size = Path(source).read_text(encoding="utf-8").count("\n")
        fits = groups and _kind(groups[-1][0])[:3] == _kind(source)[:3] and lines + size <= LINES
        if fits and not source.startswith(APART):
            groups[-1].append(source)
            lines += size
        else:
            groups.append([source])
            lines = size
    return groups


def _kind(source: str) -> tuple[tuple[str, ...], bool, bool, str]:
    module = Path(source).parent.parts[:3]
    return module, source.startswith(APART), runs_seldom(source), source


def write_unity_sources(sources: list[str], folder: Path) -> list[str]:
    """Write a unity source for each group of at least two sources; return the files to compile.

    An unchanged unity source keeps its modification time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    compiled = []
    for group in grouped(sources):
        if len(group) == 1:
            compiled += group
            continue
        prefix = "seldom" if runs_seldom(group[0]) else "unity"
        first, last = Path(group[0]).with_suffix(""), Path(group[-1])
        unity = folder / "_".join([prefix, *first.parts[1:], "to", last.name])
        text = "".join(f'#include "{source}"\n' for source in group)
        if not unity.exists() or unity.read_text(encoding="utf-8") != text:
            unity.write_text(text, encoding="utf-8")
        compiled.append(str(unity))
    return compiled
