"""Facts about a measurement: the machine, the time, the build and the commit."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from yardstick.rows import ROOT


def cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        found = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE)
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()


def compiler(extension: Path) -> str:
    """Return the compiler named in the extension, and the flags in setup.py and the environment."""
    flags = re.search(r"compile_args = \[(.+?)\]", (ROOT / "setup.py").read_text(), re.DOTALL)
    shown = re.findall(r'"(-[^"]+)"', flags[1]) if flags else []
    shown = ["-std=c++20", *(f for f in shown if not f.startswith("-W")), *extra_flags()]
    name = re.search(rb"(GCC: \([^)]*\) [\d.]+|clang version [\d.]+)", extension.read_bytes())
    return f"{name[1].decode() if name else 'unknown compiler'} {' '.join(shown)}"


def extra_flags() -> list[str]:
    """Return the compiler flags in the environment, assuming that the build used the same ones."""
    return [f for name in ("CFLAGS", "CXXFLAGS") for f in os.environ.get(name, "").split()]


def commit() -> str:
    try:
        asked = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return asked.stdout.strip()


def fingerprint() -> str:
    """Identify the machine and its Python; only figures with the same identity are compared."""
    node = f"{platform.node()}|{cpu_model()}|{os.cpu_count()}|{platform.python_version()}"
    return hashlib.sha256(node.encode()).hexdigest()[:16]


def facts() -> dict[str, object]:
    """Collect the facts that a reader needs to judge a figure."""
    import slotwise
    from slotwise import _core

    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "load_average": [round(x, 2) for x in os.getloadavg()],
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "compiler": compiler(Path(_core.__file__)),
        "slotwise": slotwise.__version__,
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "fingerprint": fingerprint(),
    }
