"""hashicorp/mdns, through the small program in hashicorp-mdns/."""

from __future__ import annotations

import json
import os
import re

from host import Program, addresses, run
from service import TYPE, Service, txt_of_strings, without_scope

PROGRAM = os.environ.get("CLAWRADAR_INTEROP_HASHICORP", "")


class HashicorpMDNS:
    name = "hashicorp/mdns"
    absence = os.environ.get("CLAWRADAR_INTEROP_HASHICORP_ABSENT", "")
    # The checks that it cannot pass, by direction and check, with the reasons.
    cannot = {
        ("publishes", "goodbye"): "Server.Shutdown closes its sockets and says nothing: its records stay for their TTL, 120 s",
    }
    withdrawal_limit = 3
    service_host = "hashicorp.local"

    def __init__(self, host: str) -> None:
        self._host = host

    def publisher(self, service: Service) -> Publisher:
        return Publisher(self._host, service)

    def browser(self) -> Browser:
        return Browser(self._host)


class Publisher(Program):
    def __init__(self, host: str, service: Service) -> None:
        super().__init__(
            host, PROGRAM, "publish", service.name, TYPE, str(service.port), service.host + ".",
            ",".join(sorted(addresses(host))), *(f"{key}={value}" for key, value in service.txt),
        )
        if self.line(lambda line: line.strip() == "ready", limit=5) is None:
            self.end()
            raise RuntimeError(f"hashicorp/mdns did not start: {''.join(self.lines).strip()}")

    def __enter__(self) -> Publisher:
        return self

    def withdraw(self) -> None:
        self.end()


class Browser:

    def __init__(self, host: str) -> None:
        self._host = host

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def services(self) -> dict[str, Service]:
        services = {}
        for line in (run(self._host, PROGRAM, "browse", TYPE, "1") or "").splitlines():
            row = json.loads(line)
            name = _unescaped(row["name"].removesuffix(f".{TYPE}.local."))
            services[name] = Service(
                name=name,
                host=row["host"].rstrip("."),
                port=row["port"],
                addresses=frozenset(map(without_scope, row["addresses"] or [])),
                txt=txt_of_strings([_unescaped(text) for text in row["txt"] or []]),
            )
        return services

    def sees(self, name: str) -> bool:
        # It keeps no cache, so that after a goodbye packet there must be no answer.
        return name in self.services()


def _unescaped(text: str) -> str:
    r"""Undoes the escapes of its names and strings, which are as in zone files: \DDD is a byte, \X is X itself."""
    def byte(match: re.Match[bytes]) -> bytes:
        return bytes([int(match[1])]) if match[1] else match[2]

    return re.sub(rb"\\(?:(\d{3})|(.))", byte, text.encode()).decode("utf-8", "replace")
