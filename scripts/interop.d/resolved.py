"""systemd-resolved: a .dnssd file publishes a service; its D-Bus interface, which `resolvectl` uses too,
finds and withdraws services."""

from __future__ import annotations

import ipaddress
import json
import os
import tempfile
from pathlib import Path

from host import Program, note, run, until
from service import TYPE, Service, txt_of_strings

FOLDER = Path(os.environ.get("CLAWRADAR_INTEROP_RESOLVED", "/"))
START = str(Path(__file__).resolve().parent / "resolved-start")
CLASS_IN, TYPE_PTR = "1", "12"
ANY_INTERFACE = NO_FLAGS = "0"
# SD_RESOLVED_NO_NETWORK: answer from the cache only.
ONLY_KNOWN = str(1 << 15)
# AF_INET and AF_INET6.
FAMILIES = ["2", "10"]


class Resolved:
    name = "systemd-resolved"
    absence = os.environ.get("CLAWRADAR_INTEROP_RESOLVED_ABSENT", "")
    # The checks that it cannot pass, by direction and check, with the reasons.
    cannot: dict[tuple[str, str], str] = {}
    # In seconds. A goodbye takes one. But a service that is withdrawn while it is being probed for over one family has
    # a goodbye over the other only: over the first it is asked for, and gone after 10 s (RFC 6762 section 10.4).
    withdrawal_limit = 13

    def __init__(self, host: str) -> None:
        self._host = host
        # It publishes only its own host name.
        self.service_host = f"{host}.local"

    def publisher(self, service: Service) -> Publisher:
        return Publisher(self._host, service)

    def browser(self) -> Browser:
        return Browser(self._host)


class Daemon:
    """A systemd-resolved that speaks multicast DNS on eth0."""

    def __init__(self, host: str, *file: str) -> None:
        self.host = host
        libraries = ":".join(str(folder) for folder in FOLDER.glob("usr/lib/*/systemd"))
        self._program = Program(
            host, "env", f"LD_LIBRARY_PATH={libraries}", "unshare", "-m", START,
            str(FOLDER / "lib/systemd/systemd-resolved"), *file,
        )
        index = (run(host, "cat", "/sys/class/net/eth0/ifindex") or "").strip()
        if not until(10, lambda: self.call("SetLinkMulticastDNS", "is", index, "yes") is not None):
            self._program.end()
            raise RuntimeError("systemd-resolved does not answer on D-Bus")

    def call(self, method: str, signature: str, *arguments: str) -> list | None:
        """Returns the values of the answer; None if it is an error."""
        output = run(
            self.host, "busctl", f"--address=unix:path=/run/lab/{self.host}/bus", "--json=short", "call",
            "org.freedesktop.resolve1", "/org/freedesktop/resolve1", "org.freedesktop.resolve1.Manager",
            method, signature, *arguments,
        )
        note(f"{method}: {output}")
        # A method without return values prints nothing.
        return output if output is None else json.loads(output or '{"data": []}')["data"]

    def __exit__(self, *_: object) -> None:
        self._program.end()


class Publisher(Daemon):
    def __init__(self, host: str, service: Service) -> None:
        txt = " ".join(_quoted(f"{key}={value}") for key, value in service.txt)
        with tempfile.NamedTemporaryFile("w", suffix=".dnssd") as file:
            file.write(
                f"[Service]\nName={service.name}\nType={TYPE}\nPort={service.port}\nTxtText={txt}\n"
            )
            file.flush()
            super().__init__(host, file.name)

    def __enter__(self) -> Publisher:
        return self

    def withdraw(self) -> None:
        self.call("UnregisterService", "o", "/org/freedesktop/resolve1/dnssd/interop")


class Browser(Daemon):
    def __enter__(self) -> Browser:
        return self

    def services(self) -> dict[str, Service]:
        return {name: self._resolve(name) for name in self._names(NO_FLAGS)}

    def sees(self, name: str) -> bool:
        # A query that nobody answers takes 8 seconds; the cache answers at once.
        return name in self._names(ONLY_KNOWN)

    def _names(self, flags: str) -> set[str]:
        answer = self.call("ResolveRecord", "isqqt", ANY_INTERFACE, f"{TYPE}.local", CLASS_IN, TYPE_PTR, flags)
        return {_pointed_to(bytes(record[3])) for record in answer[0]} if answer else set()

    def _resolve(self, name: str) -> Service:
        service = Service(name)
        # It asks for A over IPv4 and for AAAA over IPv6 and returns only the first answer, so each family is asked
        # separately.
        for family in FAMILIES:
            answer = self.call("ResolveService", "isssit", ANY_INTERFACE, name, TYPE, "local", family, NO_FLAGS)
            if not answer or not answer[0]:
                continue
            _, _, port, target, addresses, _ = answer[0][0]
            found = {str(ipaddress.ip_address(bytes(address[2]))) for address in addresses}
            service = Service(
                name=name,
                host=target.rstrip("."),
                port=port,
                addresses=service.addresses | found,
                txt=txt_of_strings([bytes(text).decode("utf-8", "replace") for text in answer[1]]),
            )
        return service


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _pointed_to(record: bytes) -> str:
    """Returns the first label of the name to which a PTR record in wire form points."""
    position = 0
    while record[position]:
        position += 1 + record[position]
    # The zero byte of the name, then type, class, TTL and length.
    position += 1 + 2 + 2 + 4 + 2
    length = record[position]
    return record[position + 1 : position + 1 + length].decode("utf-8", "replace")
