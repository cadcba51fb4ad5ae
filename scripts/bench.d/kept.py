"""A process that keeps sessions on a host of the lab: the changes that it prints, and the resources that it uses."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from measure import LAB

# The soft limit that systemd and most shells set; a program that needs more must raise it itself.
LIMITED = 'ulimit $0; exec "$@"'


@dataclass(frozen=True)
class Memory:
    """The memory of a process in KiB; `None` if the system does not let us read a figure."""

    rss: int
    peak: int
    pss: int | None
    private_dirty: int | None


@dataclass(frozen=True)
class Change:
    """A change of a session to connected, or to no longer connected."""

    when: float
    name: str
    connected: bool


class Keeper:
    """A running process whose output a thread reads, so that it never waits for this harness."""

    def __init__(
        self, host: str, command: list[str | Path], store: Path | None = None, words: str = "",
        descriptors: int | None = None,
    ) -> None:
        """`words`: the text for its standard input. `descriptors`: a hard limit on its descriptors."""
        places = {} if store is None else {
            "XDG_DATA_HOME": str(store / "data"), "XDG_STATE_HOME": str(store / "state"),
        }
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [LAB, "exec", host, "sh", "-c", LIMITED, f"-n {descriptors}" if descriptors else "-Sn 1024", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **places},
        )
        assert self.process.stdin
        self.process.stdin.write(words)
        self.process.stdin.close()
        self.changes: list[Change] = []
        self.connected: set[str] = set()
        self.errors: list[str] = []
        self.news = threading.Condition()
        for read in (self.read, self.read_errors):
            threading.Thread(target=read, daemon=True).start()

    def read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            when = time.monotonic()
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                # The last line of one that was killed, or has crashed.
                self.errors.append(line.rstrip())
                continue
            if not isinstance(record, dict) or record.get("event") != "session":
                continue
            name, connected = record["name"], record["state"] == "connected"
            with self.news:
                if connected == (name in self.connected):
                    continue
                self.changes.append(Change(when, name, connected))
                (self.connected.add if connected else self.connected.discard)(name)
                self.news.notify_all()

    def read_errors(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.errors = [*self.errors[-199:], line.rstrip()]

    def wait(self, count: int, limit: float) -> bool:
        """Waits until exactly so many sessions are connected, or the time is up."""
        with self.news:
            return self.news.wait_for(lambda: len(self.connected) == count, limit)

    def wait_change(self, connected: bool, after: float, limit: float) -> float | None:
        """Waits for the first such change after a time, and returns its time; None if none comes within the limit."""
        def found() -> float | None:
            return next((c.when for c in self.changes if c.when > after and c.connected == connected), None)

        with self.news:
            return self.news.wait_for(found, limit)

    @property
    def ended(self) -> str | None:
        """The reason why the process has ended by itself; None while it runs."""
        status = self.process.poll()
        return None if status is None else "\n".join([f"it has ended with status {status}", *self.errors[:60]])

    def cpu(self) -> float:
        """Returns the user and system seconds so far, of all its threads, including ended ones."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> Memory:
        def field(file: str, name: str) -> int | None:
            try:
                text = Path(f"/proc/{self.process.pid}/{file}").read_text()
            except PermissionError:
                return None
            found = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
            return int(found[1]) if found else None

        return Memory(field("status", "VmRSS") or 0, field("status", "VmHWM") or 0,
                      field("smaps_rollup", "Pss"), field("smaps_rollup", "Private_Dirty"))

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> None:
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
