"""The publishers of the services: one python-zeroconf process on h2, the avahi-daemon of h3, or those of many hosts."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path

import lab
from measure import LAB
from tools import FIRST_PORT, TYPE, instance_name

LIMIT = 180
"""The time limit in seconds for all services to be published; 2,000 take 20."""


def txt(index: int) -> dict[str, str]:
    """Returns a record of the size that a gateway's has: most of it is the fingerprint."""
    fingerprint = hashlib.sha256(instance_name(index).encode()).hexdigest()
    return {"fp": fingerprint, "name": instance_name(index), "bots": "3", "ver": "3"}


class Publisher(ABC):
    name: str
    rows_per_service: int
    """The number of address families on which a browsing host sees each service."""

    @abstractmethod
    def start(self, count: int) -> None:
        """Returns once all services are registered."""

    @abstractmethod
    def cpu_seconds(self) -> float:
        """Returns the CPU time of the publishing process so far, which shows whether it is busy."""

    @abstractmethod
    def stop(self) -> None: ...


class ZeroconfPublisher(Publisher):
    name = "zeroconf"
    rows_per_service = 1  # python-zeroconf speaks IPv4 only unless told otherwise

    def start(self, count: int) -> None:
        address = lab.lab("address", "h2").strip()
        program = Path(__file__).with_name("zeroconf_publish.py")
        self.process = subprocess.Popen(
            [LAB, "exec", "h2", sys.executable, program,
             TYPE, str(FIRST_PORT), str(count), "h2", address],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        assert self.process.stdout
        if self.process.stdout.readline() != b"ready\n":
            raise RuntimeError("python-zeroconf could not publish; see its message above")

    def cpu_seconds(self) -> float:
        return lab.process_cpu_seconds(self.process.pid)

    def stop(self) -> None:
        # Killed rather than ended: 2,000 goodbye packets take it a long time, and the caches that would need them are
        # emptied before the next size.
        self.process.kill()
        self.process.wait()


def service_file(index: int) -> str:
    records = "".join(f"<txt-record>{k}={v}</txt-record>" for k, v in txt(index).items())
    return (
        '<?xml version="1.0" standalone="no"?>'
        '<!DOCTYPE service-group SYSTEM "avahi-service.dtd">'
        f"<service-group><name>{instance_name(index)}</name><service><type>{TYPE}</type>"
        f"<port>{FIRST_PORT + index}</port>{records}</service></service-group>\n"
    )


class AvahiPublisher(Publisher):
    """Publishes static service files: a client would reach entries-per-entry-group-max and objects-per-client-max,
    and avahi-publish would need a process for each service."""

    name = "avahi"
    rows_per_service = 2
    folder = lab.RUN / "h3" / "services"
    log = lab.RUN / "h3" / "avahi.log"

    def start(self, count: int) -> None:
        for i in range(1, count + 1):
            (self.folder / f"{i:04}.service").write_text(service_file(i))
        before = self.established()
        lab.lab("daemon", "h3", "start")
        deadline = time.monotonic() + LIMIT
        while (now := self.established() - before) < count:
            if time.monotonic() > deadline:
                raise RuntimeError(f"h3's avahi-daemon established {now} of {count} services")
            time.sleep(0.2)

    def cpu_seconds(self) -> float:
        return lab.cpu_seconds("h3", "avahi")

    def established(self) -> int:
        return self.log.read_text().count("successfully established") if self.log.exists() else 0

    def stop(self) -> None:
        # Killed, as above, so that no goodbye packets are sent.
        lab.lab("daemon", "h3", "kill")
        for file in self.folder.glob("*.service"):
            file.unlink()


class AvahiHostsPublisher(Publisher):
    """Publishes one service on each of many hosts, each with its own daemon."""

    name = "avahi-hosts"
    rows_per_service = 2
    most = 50

    def __init__(self) -> None:
        self.hosts: list[str] = []

    def start(self, count: int) -> None:
        if count > self.most:
            raise RuntimeError(f"at most {self.most} hosts")
        for i in range(1, count + 1):
            host = f"p{i}"
            if not (lab.RUN / host).exists():
                lab.lab("host", "add", host, "--no-daemon")
            (lab.RUN / host / "services" / "one.service").write_text(service_file(i))
            lab.lab("daemon", host, "start")
            self.hosts.append(host)
        for host in self.hosts:
            lab.lab("daemon", host, "settle")
        deadline = time.monotonic() + LIMIT
        for host in self.hosts:
            log = lab.RUN / host / "avahi.log"
            while "successfully established" not in log.read_text():
                if time.monotonic() > deadline:
                    raise RuntimeError(f"{host}'s avahi-daemon did not establish its service")
                time.sleep(0.1)

    def cpu_seconds(self) -> float:
        return sum(lab.cpu_seconds(host, "avahi") for host in self.hosts)

    def stop(self) -> None:
        for host in self.hosts:
            lab.lab("daemon", host, "kill")
        self.hosts = []


PUBLISHERS: dict[str, type[Publisher]] = {
    "zeroconf": ZeroconfPublisher, "avahi": AvahiPublisher, "avahi-hosts": AvahiHostsPublisher,
}
