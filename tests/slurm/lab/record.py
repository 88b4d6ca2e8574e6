"""Runs a real Slurm on emulated nodes, and writes its schedule as a recording.

python tests/slurm/lab/record.py SCENARIO [--speed N] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from slurm.lab.daemons import FIRST_INSTANT, Daemons
from slurm.lab.read_log import write_recording
from slurm.lab.workload import Workload, header

HERE = Path(__file__).resolve().parent


def configuration(scenario: str, folder: Path, port: int) -> str:
    """Return the scenario's slurm.conf, with folders, host and ports filled in."""
    text = (HERE / "conf" / "base.conf").read_text() + (HERE / f"conf/{scenario}.conf").read_text()
    host = socket.gethostname().split(".")[0]
    text = text.replace("@LAB@", str(folder)).replace("@HOST@", host).replace("@PORT@", str(port))
    text = re.sub(r"(?m)^(NodeName=\S+)", rf"\1 NodeHostname={host} NodeAddr=127.0.0.1", text)
    return re.sub(r"@PORT(\d+)@", lambda found: str(port + int(found[1])), text)


def prepare(scenario: str, folder: Path, port: int) -> None:
    """Create the lab's folder, with the files that the daemons read."""
    shutil.rmtree(folder, ignore_errors=True)
    for each in ("state", "spool", "log"):
        (folder / each).mkdir(parents=True)
    text = configuration(scenario, folder, port)
    epilog = HERE / f"conf/{scenario}.epilog"
    if epilog.exists():
        copied = folder / "epilog"
        shutil.copyfile(epilog, copied)
        copied.chmod(0o755)
        text += f"Epilog={copied}\n"
    (folder / "slurm.conf").write_text(text, encoding="ascii")
    with_gpus = re.findall(r"NodeName=(\S+) .*Gres=gpu:(\d+)", text)
    lines = []
    for nodes, count in with_gpus:  # a GPU counts only if its device file exists
        for each in range(int(count)):
            (folder / f"gpu{each}").touch()
        lines.append(f"NodeName={nodes} Name=gpu File={folder}/gpu[0-{int(count) - 1}]\n")
    if lines:
        (folder / "gres.conf").write_text("".join(lines), encoding="ascii")


def main() -> None:
    options = argparse.ArgumentParser(description="Record the schedule of a real Slurm.")
    options.add_argument("scenario")
    options.add_argument("--speed", type=int, help="emulated seconds per real second")
    options.add_argument("--port", type=int, default=26000)
    options.add_argument("--lab", type=Path, default=Path("build/slurm-lab"))
    options.add_argument("--out", type=Path, default=HERE.parent / "recordings")
    given = options.parse_args()
    scenarios = tomllib.loads((HERE / "scenarios.toml").read_text())
    if given.scenario not in scenarios:
        options.error(f"{given.scenario!r} is unknown; scenarios: {', '.join(scenarios)}")
    scenario = scenarios[given.scenario]
    workload = Workload(**scenario["workload"])
    folder = given.lab.resolve() / given.scenario
    prepare(given.scenario, folder, given.port)
    asked = [header(), *(request.as_csv() for request in workload.draw())]
    (folder / "workload.csv").write_text("\n".join(asked) + "\n", encoding="ascii")
    accounts = HERE / f"conf/{given.scenario}.accounts"
    daemons = Daemons(
        folder,
        given.port,
        workload.nodes,
        given.speed or scenario["speed"],
        scenario.get("start", FIRST_INSTANT),
    )
    began = time.monotonic()
    try:
        daemons.start(accounts if accounts.exists() else None)
        flags = ["percpu"] if workload.cpus > 1 else []
        flags += ["users"] if workload.users > 1 else []
        flags += ["factors"] if workload.qos else []
        submitter = [sys.executable, str(HERE / "submit.py"), str(folder / "workload.csv")]
        subprocess.run([*submitter, *flags], env=daemons.environment(), check=True)
    finally:
        daemons.stop()
    jobs = write_recording(folder, given.out / given.scenario)
    # Older recordings have a file of cycles, which the events replace.
    (given.out / f"{given.scenario}.cycles").unlink(missing_ok=True)
    for extra in (accounts, folder / "priorities.sprio"):
        if extra.exists():
            shutil.copyfile(extra, given.out / f"{given.scenario}{extra.suffix}")
    if (refused := folder / "refused.csv").exists():
        shutil.copyfile(refused, given.out / f"{given.scenario}.refused")
    conf = re.sub(r" Port=\S+", "", (HERE / f"conf/{given.scenario}.conf").read_text())
    (given.out / f"{given.scenario}.conf").write_text(conf, encoding="ascii")
    sys.stdout.write(f"{given.scenario}: {jobs} jobs in {time.monotonic() - began:.0f} s\n")


if __name__ == "__main__":
    main()
