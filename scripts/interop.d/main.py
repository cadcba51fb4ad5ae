"""Checks clawradar against other programs, in both directions. scripts/interop starts it in the lab."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from clawradar import Advertise, Watch, scan
from hashicorp import HashicorpMDNS
from host import addresses, until
from resolved import Resolved
from service import Service, txt_of

# The host on which clawradar runs with each backend, and the host of the other programs; the first and the last of
# these hosts have no daemon.
OURS = {"embedded": "h1", "avahi": "h2"}
PEER_HOST = "h3"
PEERS = [HashicorpMDNS, Resolved]
CHECKS = ["found", "resolved", "txt", "goodbye"]
PASS, FAIL, ABSENT = "pass", "FAIL", "absent"
# Values with non-ASCII bytes, spaces, quotation marks, nothing at all, and a second "=".
TXT = {"room": "Küche 🤖", "motto": 'say "hi" twice', "empty": "", "sum": "1+1=2"}


@dataclass
class Row:
    """The results of one peer in one direction with one of our backends."""

    peer: str
    direction: str
    backend: str
    results: dict[str, str]
    reasons: dict[str, str]

    def check(self, what: str, passed: bool, otherwise: str) -> None:
        self.results[what] = PASS if passed else FAIL
        if not passed:
            self.reasons[what] = otherwise

    def compare(self, found: Service | None, expected: Service) -> None:
        """Checks everything except the goodbye packet."""
        self.check("found", found is not None, "it was not seen in 10 s")
        if not found:
            return
        self.check(
            "resolved", replace(found, txt=expected.txt) == expected, f"expected {expected}, found {found}"
        )
        self.check("txt", found.txt == expected.txt, f"expected {expected.txt}, found {found.txt}")


def complete(look: Callable[[], dict[str, Service]], expected: Service) -> Service | None:
    """Looks for up to 10 seconds until the service is as expected; returns what was seen last."""
    seen: list[Service | None] = [None]

    def attempt() -> bool:
        seen[0] = look().get(expected.name)
        return seen[0] == expected

    until(10, attempt)
    return seen[0]


def peer_publishes(row: Row, peer: HashicorpMDNS | Resolved, host: str) -> None:
    name = f"{peer.name} for {row.backend}"
    service = Service(name, peer.service_host, 4321, addresses(PEER_HOST), txt_of({"name": name, **TXT}))
    # The watch begins first, so that it learns of the service from its announcement: a goodbye packet does not remove a
    # service that only the one-shot query has seen.
    with Watch(host, row.backend) as watch, peer.publisher(service) as publisher:
        watch_found = watch.event("found", service.name, limit=10)
        row.compare(complete(lambda: scan(host, row.backend), service), service)
        if not watch_found:
            row.check("found", False, "clawradar watch did not see it in 10 s")
            return
        if ("publishes", "goodbye") in peer.cannot:
            return
        publisher.withdraw()
        limit = peer.withdrawal_limit
        row.check("goodbye", watch.event("lost", service.name, limit=limit), f"it was still there after {limit} s")


def peer_looks(row: Row, peer: HashicorpMDNS | Resolved, host: str) -> None:
    name = f"Clawradar with {row.backend}"
    service = Service(name, f"{host}.local", 4322, addresses(host), txt_of({"name": name, **TXT}))
    with peer.browser() as browser:
        with Advertise(host, row.backend, service):
            row.compare(complete(browser.services, service), service)
        gone = until(3, lambda: not browser.sees(service.name))
        row.check("goodbye", gone, "it was still there after 3 s")


DIRECTIONS = {"publishes": peer_publishes, "looks": peer_looks}


def run_all() -> list[Row]:
    rows = []
    for kind in PEERS:
        peer = kind(PEER_HOST)
        for direction, test in DIRECTIONS.items():
            for backend, host in OURS.items():
                row = Row(peer.name, direction, backend, dict.fromkeys(CHECKS, ABSENT), {})
                rows.append(row)
                if peer.absence:
                    row.reasons["all"] = peer.absence
                    continue
                for check in CHECKS:
                    if reason := peer.cannot.get((direction, check)):
                        row.reasons[check] = reason
                print(f"interop: {peer.name} {direction}, ours with {backend} …", file=sys.stderr, flush=True)
                try:
                    test(row, peer, host)
                except RuntimeError as error:
                    row.check("found", False, str(error))
    return rows


def table(rows: list[Row]) -> str:
    header = ["PEER", "WHICH", "OURS", *(check.upper() for check in CHECKS)]
    lines = [header] + [
        [row.peer, row.direction, row.backend, *(row.results[check] for check in CHECKS)] for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def reasons(rows: list[Row]) -> list[str]:
    """Returns each reason once."""
    found = []
    for row in rows:
        for check, reason in row.reasons.items():
            result = row.results.get(check, ABSENT)
            which = row.peer if result == ABSENT else f"{row.peer} {row.direction}, ours with {row.backend}"
            found.append(f"{which}: {check} {result}: {reason}")
    return list(dict.fromkeys(found))


def main() -> int:
    rows = run_all()
    print(table(rows))
    for reason in reasons(rows):
        print(reason)
    return 1 if any(FAIL in row.results.values() for row in rows) else 0


sys.exit(main())
