"""Runs a file of sacctmgr commands on a real Slurm, and saves the output of `sacctmgr dump`.

Comments are left out.

python tests/slurm/lab/dump_accounts.py COMMANDS FILE
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from slurm.lab.daemons import Daemons
from slurm.lab.record import prepare

NODES = 16  # number of nodes in the slurm.conf of the scenario


def main() -> None:
    """Start a database and slurmdbd, run the commands, and dump the cluster `lab`."""
    options = argparse.ArgumentParser(description="Dump accounts with a real sacctmgr.")
    options.add_argument("commands", type=Path)
    options.add_argument("file", type=Path)
    options.add_argument("--port", type=int, default=27000)
    options.add_argument("--lab", type=Path, default=Path("build/slurm-lab/accounts"))
    given = options.parse_args()
    folder = given.lab.resolve()
    prepare("fairshare", folder, given.port)
    daemons = Daemons(folder, given.port, NODES, speed=60)
    try:
        daemons.start_database(given.commands.resolve())
        daemons.ask(["sacctmgr", "-i", "dump", "lab", f"file={given.file.resolve()}"])
    finally:
        daemons.stop()
    lines = given.file.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line and not line.startswith("#")]
    given.file.write_text("\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
