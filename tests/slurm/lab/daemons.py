"""The daemons of a lab: the controller, one slurmd per node, and a database if needed."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

FIRST_INSTANT = "2026-01-01 00:00:00"


@dataclass
class Daemons:
    """The daemons of the lab in `folder`.

    Their clock begins at `start_at` and runs `speed` times as fast as real time.
    """

    folder: Path
    port: int
    nodes: int
    speed: int
    start_at: str = FIRST_INSTANT
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def environment(self) -> dict[str, str]:
        """Return the environment of every process on the emulated clock."""
        library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        return os.environ | {
            "LD_PRELOAD": str(library),
            "FAKETIME": f"@{self.start_at} x{self.speed}",
            "FAKETIME_DONT_RESET": "1",
            "SLURM_CONF": str(self.folder / "slurm.conf"),
        }

    def start(self, accounts: Path | None) -> None:
        """Start all daemons; return when every node is idle."""
        if accounts:
            self.start_database(accounts)
        # The daemon must be named slurmctld, because Slurm derives its role from its own name.
        self._spawn("ctld", ["slurmctld", "-D"])
        time.sleep(2)
        for node in range(1, self.nodes + 1):
            (self.folder / "spool" / f"n{node}").mkdir(parents=True)
            self._spawn(f"slurmd.{node}", ["slurmd", "-N", f"n{node}", "-D"])
        for _ in range(90):
            idle = self.ask(["sinfo", "-h", "-t", "idle", "-o", "%D"])
            if sum(map(int, idle.split())) == self.nodes:
                return
            time.sleep(1)
        raise SystemExit(f"{idle!r} of {self.nodes} nodes are idle; see {self.folder / 'log'}")

    def ask(self, command: list[str]) -> str:
        """Return the output of a command on the emulated clock."""
        done = subprocess.run(
            command, env=self.environment(), capture_output=True, text=True, check=False
        )
        return done.stdout

    def stop(self) -> None:
        """End the processes that this object started, the database last."""
        for process in reversed(self.running):
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _spawn(self, name: str, command: list[str], *, faked: bool = True) -> None:
        with (self.folder / "log" / f"{name}.out").open("wb") as output:
            environment = self.environment() if faked else dict(os.environ)
            self.running.append(
                subprocess.Popen(command, env=environment, stdout=output, stderr=output)
            )

    def start_database(self, accounts: Path) -> None:
        """Start MariaDB and slurmdbd, and add the scenario's accounts."""
        sql, dbd = self.port + self.nodes + 1, self.port + self.nodes + 2
        data, socket = self.folder / "sql", self.folder / "sql.sock"
        plain = ["--no-defaults", "--user=root", f"--datadir={data}"]
        subprocess.run(
            ["mariadb-install-db", *plain, "--auth-root-authentication-method=normal"],
            check=True,
            capture_output=True,
        )
        options = [f"--port={sql}", "--bind-address=127.0.0.1", f"--socket={socket}"]
        options += [f"--pid-file={self.folder}/sql.pid", "--innodb-flush-log-at-trx-commit=0"]
        self._spawn("sql", ["mariadbd", *plain, *options], faked=False)
        grant = "create user slurm@'127.0.0.1' identified by 'lab'; "
        grant += "grant all on *.* to slurm@'127.0.0.1'"
        client = ["mariadb", "--no-defaults", "-S", str(socket), "-e", grant]
        for _ in range(60):
            if subprocess.run(client, capture_output=True, check=False).returncode == 0:
                break
            time.sleep(1)
        settings = self.folder / "slurmdbd.conf"
        settings.write_text(
            f"AuthType=auth/none\nDbdHost=localhost\nDbdPort={dbd}\nSlurmUser=root\n"
            f"LogFile={self.folder}/log/slurmdbd.log\nPidFile={self.folder}/slurmdbd.pid\n"
            "StorageType=accounting_storage/mysql\nStorageHost=127.0.0.1\n"
            f"StoragePort={sql}\nStorageUser=slurm\nStoragePass=lab\nMessageTimeout=3000\n",
            encoding="ascii",
        )
        settings.chmod(0o600)
        with (self.folder / "slurm.conf").open("a", encoding="ascii") as conf:
            conf.write(f"AccountingStorageHost=localhost\nAccountingStoragePort={dbd}\n")
        self._spawn("dbd", ["slurmdbd", "-D"])
        for _ in range(60):
            if self._dbd_answers():
                break
            time.sleep(1)
        self.ask(["sh", str(accounts)])

    def _dbd_answers(self) -> bool:
        command = ["sacctmgr", "-n", "show", "cluster"]
        return (
            subprocess.run(
                command, env=self.environment(), capture_output=True, check=False
            ).returncode
            == 0
        )
