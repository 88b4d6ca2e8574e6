"""Install this project into the current environment: ``install.py [--copied] ".[EXTRAS]"``.

The installation is editable unless ``--copied`` is given. pip hides the output of a build, so the
progress of the build arrives through a pipe, and is written to stderr together with pip's download
messages.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Thread

SHOWN = ("Downloading ", "Preparing editable", "Building editable", "Building wheel", "Installing ")


def relay(pipe: Path) -> None:
    """Copy lines from a pipe to stderr, until the line ``end`` arrives."""
    # The pipe is also opened for writing, so that no end of file is read between two build steps.
    with os.fdopen(os.open(pipe, os.O_RDWR), encoding="utf-8") as lines:
        for line in lines:
            if line == "end\n":
                return
            sys.stderr.write(line)
            sys.stderr.flush()


def install(requirement: list[str], pipe: Path) -> int:
    """Run pip, and show its lines about progress and errors."""
    command = [
        *(sys.executable, "-m", "pip", "install", "--disable-pip-version-check"),
        *("--no-build-isolation", "--progress-bar", "off", *requirement),
    ]
    run = subprocess.Popen(
        command, env={**os.environ, "SLOTWISE_BUILD_PROGRESS": str(pipe)},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert run.stdout is not None
    for line in run.stdout:
        if line.strip().startswith(SHOWN):
            # A line can be long, because it may list a file name or all installed packages.
            print(line.strip()[:120], file=sys.stderr, flush=True)
    return run.wait()


def main() -> int:
    """Install the requirements given on the command line."""
    copied = "--copied" in sys.argv
    names = [name for name in sys.argv[1:] if name != "--copied"]
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder, "progress")
        os.mkfifo(pipe)
        reader = Thread(target=relay, args=(pipe,))
        reader.start()
        try:
            return install(names if copied else ["-e", *names], pipe)
        finally:
            pipe.write_text("end\n", encoding="utf-8")
            reader.join()


if __name__ == "__main__":
    sys.exit(main())
