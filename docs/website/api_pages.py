"""Pages of the programming interface, one per public name."""

from __future__ import annotations

import importlib
import inspect
import re
from types import ModuleType
from typing import TYPE_CHECKING, Any

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

PACKAGES = (
    "slotwise.trace",
    "slotwise.site",
    "slotwise.site.machine",
    "slotwise.site.parts",
    "slotwise.site.policy",
    "slotwise.simulation",
    "slotwise.result",
    "slotwise.explain",
    "slotwise.report",
    "slotwise.pictures",
    "slotwise.generators",
    "slotwise.sweeps",
    "slotwise.executors",
    "slotwise.rl",
    "slotwise.slurm",
    "slotwise.studies",
    "slotwise.studies.priority",
)
"""Sub-packages whose ``__all__`` is public."""
INTERNAL = ("slotwise.formats.records", "slotwise.formats.slurm_site")
"""Sub-packages whose ``__all__`` is for internal use."""

RETURNED = (
    "slotwise.explain.explanation.Blocker",
    "slotwise.explain.explanation.JobPriority",
    "slotwise.explain.explanation.PlanHeld",
    "slotwise.replay.attempts.Attempts",
    "slotwise.replay.interventions.Interventions",
    "slotwise.replay.replay_data.ReplayData",
    "slotwise.simulation.machine_state.Machine",
    "slotwise.simulation.stepped_replay.SteppedReplay",
    "slotwise.site.faults.Fault",
    "slotwise.table.Table",
    "slotwise.trace.report.ReadingFault",
)
"""Types that public functions take or return, and that have no public name."""
VALUES = {
    "slotwise.rl.ENVIRONMENT": "Name under which Gymnasium registers the environment.",
    "slotwise.__version__": "Version of the package, as text.",
    "slotwise.site.machine.SiteMachine": "A machine of a site: processors, a torus, or nodes.",
    "slotwise.site.policy.PRESETS": "Policies of other simulators and schedulers by name.",
}
"""Descriptions of public values that are neither functions nor classes."""


def public_names() -> dict[str, Any]:
    """Return every public object by its full name; names in `slotwise` are listed only there."""
    names: dict[str, Any] = {f"slotwise.{name}": getattr(sw, name) for name in sw.__all__}
    known = {id(value) for value in names.values()}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            if id(value) not in known:
                names[f"{package}.{name}"] = value
    return names


def returned_types() -> dict[str, Any]:
    """Return the types of `RETURNED` by their full names."""
    found = {}
    for name in RETURNED:
        module, _, own = name.rpartition(".")
        found[name] = getattr(importlib.import_module(module), own)
    return found


def summary(name: str, value: Any) -> str:
    """Return the first line of a description, without note markers."""
    text = VALUES.get(name) or (inspect.getdoc(value) or "").partition("\n")[0]
    return re.sub(r" ?\[\d+\]_", "", text)


def directive(name: str, value: Any) -> str:
    """Return the Sphinx directive that documents a value."""
    if isinstance(value, ModuleType):
        return f".. automodule:: {name}\n   :members:\n"
    if inspect.isclass(value):
        own = all(base.__module__.startswith("slotwise") for base in value.__mro__[1:-1])
        inherited = "   :inherited-members:\n" if own else ""
        return f".. autoclass:: {name}\n   :members:\n{inherited}"
    if callable(value):
        return f".. autofunction:: {name}\n"
    return f".. py:data:: {name}\n\n   {VALUES[name]}\n"


def heading(text: str, line: str = "=") -> str:
    """Return a heading of reStructuredText."""
    return f"{text}\n{line * len(text)}\n\n"


def listing(title: str, names: dict[str, Any]) -> str:
    """Return a section with a table of names and their first lines."""
    if not names:
        return ""
    rows = "".join(
        f"   * - :doc:`{name.removeprefix('slotwise.')} <{name}>`\n     - {summary(name, value)}\n"
        for name, value in sorted(names.items(), key=lambda entry: entry[0].lower())
    )
    return heading(title, "-") + f".. list-table::\n   :widths: 30 70\n\n{rows}\n"


def kind_of(value: Any) -> str:
    """Return the section of the list that a value belongs to."""
    if inspect.isclass(value):
        return "Errors and warnings" if issubclass(value, Exception) else "Classes"
    return "Functions" if callable(value) else "Modules and values"


def write_pages(folder: Path) -> None:
    """Write one page per public name, and a page that lists all the names, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    names = public_names()
    returned = returned_types()
    for name, value in (names | returned).items():
        short = name.removeprefix("slotwise.")
        page = heading(short) + ".. currentmodule:: slotwise\n\n" + directive(name, value)
        (folder / f"{name}.rst").write_text(page, encoding="utf-8")
    text = heading("Programming interface") + "``import slotwise as sw``; one page per name.\n\n"
    top = {name: value for name, value in names.items() if name.count(".") == 1}
    for title in ("Functions", "Classes", "Errors and warnings", "Modules and values"):
        text += listing(title, {n: v for n, v in top.items() if kind_of(v) == title})
    for package in PACKAGES:
        own = {n: v for n, v in names.items() if n not in top and n.rpartition(".")[0] == package}
        text += listing(package, own)
    text += listing("Types that these take or return", returned)
    pages = sorted(names | returned, key=str.lower)
    entries = "".join(f"   {name.removeprefix('slotwise.')} <{name}>\n" for name in pages)
    text += f".. toctree::\n   :hidden:\n\n{entries}"
    (folder / "index.rst").write_text(text, encoding="utf-8")
