"""The compared programs: their command lines, and how their output is read."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from measure import Outcome, lines

TYPE = "_openclaw._tcp"
FIRST_PORT = 20000
TIMEOUT = 30
"""The time-out in seconds, passed to tools that accept one."""
BROWSING = '{"browsing":true}'
"""The line that a program written for this comparison prints when it has started and begins to browse."""

Row = tuple[str, int, str]
"""An instance, its port, and the path on which it was seen (interface and family), if reported."""


def instance_name(index: int) -> str:
    return f"Gateway {index:04}"


@dataclass(frozen=True)
class Tool:
    name: str
    command: list[str]
    bare: list[str]
    """The program without any work, to measure what its start alone costs."""
    parse: Callable[[str], list[Row]]
    """Returns the resolved services in a line of output."""
    has_daemon: bool = True
    """Whether the host's avahi-daemon runs beside it."""


@dataclass(frozen=True)
class Sighted:
    """The times in seconds at which services appeared in an output; None if they did not."""

    found: int
    """The number of distinct instances with the right port."""
    wrong: int
    """The number of instances that nobody published or that had a wrong port."""
    first: float | None
    all: float | None
    begun: float | None
    """The time at which the browse began, if the tool reports it."""
    rows: int
    all_rows: float | None
    """As `all`, for every (instance, interface, family)."""


def sighted(tool: Tool, outcome: Outcome, count: int, rows_per_service: int) -> Sighted:
    expected = {instance_name(i): FIRST_PORT + i for i in range(1, count + 1)}
    names: set[str] = set()
    wrong: set[str] = set()
    rows: set[Row] = set()
    first = complete = complete_rows = begun = None
    for when, line in lines(outcome.chunks):
        if begun is None and line == BROWSING:
            begun = when
        for row in tool.parse(line):
            if expected.get(row[0]) != row[1]:
                wrong.add(row[0])
                continue
            if not names:
                first = when
            names.add(row[0])
            rows.add(row)
            if complete is None and len(names) == count:
                complete = when
            if complete_rows is None and len(rows) == count * rows_per_service:
                complete_rows = when
    return Sighted(len(names), len(wrong), first, complete, begun, len(rows), complete_rows)


def parse_json(line: str) -> list[Row]:
    """Reads one JSON object per service. Other lines are not services, but not errors either."""
    try:
        event = json.loads(line)
    except ValueError:
        return []
    if not isinstance(event, dict) or "instance" not in event or not event.get("port"):
        return []
    # A service that is reported before it has an address cannot be connected to: it is not resolved.
    if "addresses" in event and not event["addresses"]:
        return []
    paths = event.get("paths")
    keys = [json.dumps(p, sort_keys=True) for p in paths] if isinstance(paths, list) else []
    return [(str(event["instance"]), int(event["port"]), key) for key in keys or [""]]


def parse_avahi_browse(line: str) -> list[Row]:
    """Reads lines such as =;eth0;IPv4;Gateway\\0320001;_openclaw._tcp;local;host;address;port;txt"""
    if not line.startswith("="):
        return []
    field = line.split(";", 9)
    if len(field) < 9 or not field[8].isdigit():
        return []
    name = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1])), field[3])
    return [(name, int(field[8]), f"{field[1]} {field[2]}")]


def browse_bench(program: Path, backend: str) -> Tool:
    """The library in a program that does the same as zeroconf_scan.py."""
    return Tool(f"browse-{backend}", [str(program), "browse-bench", backend, TYPE, str(TIMEOUT)],
                [str(program), "browse-bench", backend, TYPE, "0"], parse_json, has_daemon=backend != "embedded")


def builds(name: str, program: Path, scan: list[str]) -> list[Tool]:
    """A build of clawradar, both with and without the host's daemon."""
    version = [str(program), "--version"]
    return [
        Tool(name, [str(program), *scan], version, parse_json),
        Tool(f"{name}-embedded", [str(program), *scan, "--backend", "embedded"], version, parse_json, has_daemon=False),
    ]


def tools(clawradar: Path, before: Path | None) -> list[Tool]:
    scanner = str(Path(__file__).with_name("zeroconf_scan.py"))
    scan = ["scan", "--no-probe", "--format", "ndjson", "--type", TYPE, "--timeout", str(TIMEOUT)]
    return [
        *builds("clawradar", clawradar, scan),
        *(builds("before", before, scan) if before else []),
        Tool(
            "avahi-browse", ["avahi-browse", "-rpt", TYPE], ["avahi-browse", "--version"],
            parse_avahi_browse,
        ),
        Tool(
            "zeroconf", [sys.executable, scanner, TYPE, str(TIMEOUT)],
            [sys.executable, "-c", "import zeroconf.asyncio"], parse_json,
        ),
        *[browse_bench(clawradar.parent / "test-tool", backend)
          for backend in ("embedded", "avahi", "bonjour")],
    ]
