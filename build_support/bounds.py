"""List the version bounds in ``pyproject.toml``, and install the lowest or highest versions.

``bounds.py --make lowest|highest`` creates ``build/bounds/NAME``, an environment with this project
and every extra that the tests use, at the lowest or the highest versions allowed. ``bounds.py --of
EXTRA`` installs the requirements of an extra into the current environment, without this project.
"""

import argparse
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTED = ("cli", "cluster", "dispatch", "parquet", "plot", "rl", "study", "test")
"""Extras installed in the environment; the others require further tools, PyTorch or a browser."""
_LISTED = re.compile(r"([\w.-]+)(?:\[([\w,]+)\])?\s*([^;]*)")


def project() -> dict[str, list[str]]:
    """Return the requirements by extra; the empty name holds those of the project itself."""
    facts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {"": facts["dependencies"], **facts["optional-dependencies"]}


def requirements(*extras: str) -> list[str]:
    """Return the requirements of these extras, and of any extras that they include."""
    found: dict[str, None] = {}
    for extra in extras:
        for written in project()[extra]:
            match = _LISTED.match(written)
            assert match is not None
            if match[1] == "slotwise":
                found |= dict.fromkeys(requirements(*match[2].split(",")))
            else:
                found[written] = None
    return list(found)


def lowest(requirement: str) -> str:
    """Return a requirement that only its lowest version meets: ``numpy>=1.26`` gives ``==1.26``."""
    if not re.search(r">=[\d.]+$|==[\d.*]+$", requirement):
        raise SystemExit(f"{requirement!r} has no lowest version; write it as NAME>=VERSION")
    return requirement.replace(">=", "==")


def pip(python: Path | str, *arguments: str) -> None:
    """Run pip, and exit if it fails."""
    command = [str(python), "-m", "pip", *arguments, "--disable-pip-version-check"]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise SystemExit(f"failed: {' '.join(command)}")


def make(bound: str) -> None:
    """Create the environment for one bound."""
    folder = ROOT / "build" / "bounds" / bound
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    wanted = requirements("", *TESTED)
    if bound == "lowest":
        pip(python, "install", "-q", "--only-binary", ":all:", *map(lowest, wanted))
    else:
        pip(python, "install", "-q", "--upgrade", "--upgrade-strategy", "eager", *wanted)
    raw = folder / "wheel"
    arguments = ("--no-build-isolation", "--no-deps", "--wheel-dir", str(raw), ".")
    pip(sys.executable, "wheel", "-q", *arguments)
    (wheel,) = raw.glob("*.whl")
    pip(python, "install", "-q", "--no-deps", str(wheel))
    pip(python, "check")


def main() -> None:
    """Parse the command line, and carry out its option."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--make", choices=("lowest", "highest"))
    parser.add_argument("--of", metavar="EXTRA")
    given = parser.parse_args()
    if given.of:
        pip(sys.executable, "install", "-q", *requirements(given.of))
    elif given.make:
        make(given.make)
    else:
        parser.error("give --make or --of")


if __name__ == "__main__":
    main()
