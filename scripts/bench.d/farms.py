"""Gateways with TLS on many hosts of the lab that keep their identities when they are restarted (Tests/TestTool)."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import lab
from measure import LAB

PER_HOST = 20
PORT = 5000


class Farm:
    """One process that runs some gateways on one host."""

    def __init__(self, program: Path, host: str, count: int, port: int, folder: Path) -> None:
        self.command = [LAB, "exec", host, program, "gateway-farm", str(count), str(port), f"Farm {host[1:]}", folder]
        address = lab.lab("address", host).strip()
        self.places = [(address, port + index) for index in range(count)]
        self.process: subprocess.Popen[str] | None = None

    def begin(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)

    def wait(self) -> float:
        """Waits until all gateways listen; returns the time at which they reported it."""
        assert self.process and self.process.stdout
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError(f"{self.command[3]} on {self.command[2]} has ended before it was ready")
        return time.monotonic()

    def start(self) -> float:
        self.begin()
        return self.wait()

    def kill(self) -> None:
        """Ends the process like a crash: the kernel closes its sockets, and the peers get nothing else."""
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None


class Farms:
    """The farms on as many hosts as the gateways need, from h2 on."""

    def __init__(self, program: Path, count: int, folder: Path) -> None:
        sizes = [min(PER_HOST, count - first) for first in range(0, count, PER_HOST)]
        self.farms = [Farm(program, f"h{index + 2}", size, PORT, folder) for index, size in enumerate(sizes)]

    @property
    def places(self) -> list[tuple[str, int]]:
        return [place for farm in self.farms for place in farm.places]

    def start(self) -> tuple[float, float]:
        """Starts all farms; returns the times at which the first and the last one listened."""
        for farm in self.farms:
            farm.begin()
        times = [farm.wait() for farm in self.farms]
        return times[0], times[-1]

    def kill(self) -> None:
        for farm in self.farms:
            farm.kill()
