"""Our side: clawradar's scan, watch and advertise."""

from __future__ import annotations

import json
import os

from host import Program, note, run
from service import TYPE, Service, txt_of, without_scope

BINARY = os.environ["CLAWRADAR_INTEROP_BINARY"]


def _service(row: dict) -> Service:
    return Service(
        name=row["instance"],
        host=(row["host"] or "").rstrip("."),
        port=row["port"] or 0,
        addresses=frozenset(map(without_scope, row["addresses"])),
        txt=txt_of({key: value or "" for key, value in row["txt"].items()}),
    )


def scan(host: str, backend: str) -> dict[str, Service]:
    output = run(
        host, BINARY, "scan", "--no-probe", "--backend", backend, "--type", TYPE, "--format", "json"
    )
    note(f"scan on {host}: {output}")
    rows = json.loads(output)["services"] if output else []
    return {row["instance"]: _service(row) for row in rows}


class Watch(Program):
    """A running `clawradar watch` on a host; enter it just before the service appears."""

    def __init__(self, host: str, backend: str) -> None:
        super().__init__(
            host, BINARY, "watch", "--no-probe", "--backend", backend, "--type", TYPE, "--format", "ndjson"
        )

    def event(self, kind: str, name: str, limit: float) -> bool:
        def wanted(line: str) -> bool:
            note(f"watch: {line.strip()}")
            if not line.startswith("{"):
                return False
            event = json.loads(line)
            return event["event"] == kind and event.get("service", {}).get("instance") == name

        return self.line(wanted, limit) is not None


class Advertise(Program):
    """A service that `clawradar advertise` publishes."""

    def __init__(self, host: str, backend: str, service: Service) -> None:
        # The command adds the name itself.
        txt = [word for key, value in service.txt if key != "name" for word in ("--txt", f"{key}={value}")]
        super().__init__(
            host, BINARY, "advertise", "--backend", backend, "--type", TYPE, "--name", service.name,
            "--port", str(service.port), *txt,
        )
        if self.line(lambda line: line.startswith("published"), limit=10) is None:
            self.end()
            raise RuntimeError(f"it was not published: {''.join(self.lines).strip()}")
