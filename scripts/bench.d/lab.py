"""The parts of the lab that the harness uses: settings, restarts, packet counts, CPU time of daemons."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from measure import LAB

RUN = Path("/run/lab")
DEFAULT_CACHE = 4096


def lab(*arguments: str | os.PathLike[str]) -> str:
    done = subprocess.run([LAB, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"lab {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def stop(host: str) -> None:
    lab("daemon", host, "stop")


def restart(host: str) -> None:
    lab("daemon", host, "restart")
    lab("daemon", host, "settle")


@dataclass(frozen=True)
class Packets:
    packets: int
    octets: int


def count_packets() -> None:
    """Starts counting packets from zero."""
    lab("packets", "start")


def packets() -> Packets:
    found = re.fullmatch(r"packets=(\d+) bytes=(\d+)\s*", lab("packets", "stop"))
    assert found
    return Packets(int(found[1]), int(found[2]))


def cpu_seconds(host: str, process: str) -> float:
    """Returns the CPU time that a host's `avahi` or `bus` has used so far; 0 if none is running."""
    file = RUN / host / f"{process}.pid"
    return process_cpu_seconds(int(file.read_text())) if file.exists() else 0


def process_cpu_seconds(pid: int) -> float:
    """Returns the CPU time of a process. It comes from schedstat, which counts nanoseconds, because stat counts
    in steps of 10 ms. It covers the first thread only; the daemons have no other, and python-zeroconf works in it."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except FileNotFoundError:
        if not Path(f"/proc/{pid}").exists():
            return 0
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
