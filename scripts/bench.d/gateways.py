"""From the start of a scan to the last bot on the screen, with N gateways on the network.

Each host of the lab runs up to 20 gateways (Tests/TestTool), each with one bot; python-zeroconf on
one of them speaks for all, since fifty daemons would keep the cores busy. The scan is `clawradar scan --format ndjson`; beside it, in turn, the same without asking
anybody (--no-probe): what is between them is the price of knowing what was found."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import lab
from measure import LAB, Outcome, lines, run

ROOT = Path(__file__).resolve().parent.parent.parent
RELEASE = ROOT / ".build" / "release"
BROWSER = "h1"
PER_HOST = 20
PREFIX = "Farm"
PORT = 5000
LIMIT = 90.0


@dataclass(frozen=True)
class Run:
    """The result of one scan. Times are seconds from exec; None if the event did not happen."""

    gateways: int
    what: str
    found: int
    first: float | None
    last: float | None
    wall: float
    cpu: float
    rss_kib: int
    round_trip_ms: float | None


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench gateways", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")],
                        metavar="N,…", default=[10, 100, 1000],
                        help="numbers of gateways (default 10,100,1000)")
    parser.add_argument("--runs", type=int, metavar="R", default=5, help="(default 5)")
    parser.add_argument("--clawradar", type=Path, metavar="PATH", default=RELEASE / "clawradar")
    parser.add_argument("--test-tool", type=Path, metavar="PATH", default=RELEASE / "test-tool")
    parser.add_argument("--json", type=Path, metavar="FILE", help="every run")
    options = parser.parse_args()
    for product, path in [("clawradar", options.clawradar), ("test-tool", options.test_tool)]:
        if not path.exists():
            parser.error(f"there is no {path}: swift build -c release --product {product}")
    return options


class Farms:
    """Gateways on as many hosts as they need, and the process that advertises them."""

    def __init__(self, program: Path, count: int) -> None:
        hosts = [f"h{index + 2}" for index in range(-(-count // PER_HOST))]
        self.processes = [
            self.start(host, program, "gateway-farm", str(PER_HOST), str(PORT), f"{PREFIX} {host[1:]}")
            for host in hosts
        ]
        addresses = [lab.lab("address", host).strip() for host in hosts]
        # Service i points at the host with number i modulo the number of hosts; its port is one higher for each full
        # round of hosts.
        self.processes.append(self.start(
            hosts[0], sys.executable, ROOT / "Tests/LabTests/Tools/zeroconf-publish", str(count), PREFIX,
            str(PORT), addresses[0], ",".join(addresses),
        ))

    @staticmethod
    def start(host: str, *command: str | Path) -> subprocess.Popen[str]:
        process = subprocess.Popen([LAB, "exec", host, *command], stdout=subprocess.PIPE, text=True)
        assert process.stdout
        if process.stdout.readline() != "ready\n":
            raise RuntimeError(f"{command[0]} on {host} has ended before it was ready")
        return process

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


def judge(outcome: Outcome, what: str, count: int) -> Run:
    seen: dict[str, float] = {}
    round_trips: list[float] = []
    for when, line in lines(outcome.chunks):
        record = json.loads(line)
        if what == "scan":
            found = record.get("gateway") or {}
            if not found.get("bots"):
                continue
            if found["name"] not in seen and found.get("latencyMs") is not None:
                round_trips.append(found["latencyMs"])
            name = found["name"]
        else:
            name = record.get("instance") or (record.get("service") or {}).get("instance", "")
        if name.startswith(PREFIX):
            seen.setdefault(name, when)
    times = sorted(seen.values())
    return Run(
        count, what, len(seen), times[0] if times else None, times[-1] if len(seen) == count else None,
        outcome.wall, outcome.user + outcome.system, outcome.rss_kib,
        statistics.median(round_trips) if round_trips else None,
    )


def seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} s"


def median(values: list[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return statistics.median(there) if len(there) * 2 > len(values) else None


def table(runs: list[Run]) -> str:
    rows = [("gateways", "", "found", "first", "last", "ended", "CPU", "peak", "round trip")]
    for count in dict.fromkeys(run.gateways for run in runs):
        for what in ["scan", "no-probe"]:
            some = [run for run in runs if (run.gateways, run.what) == (count, what)]
            trip = median([run.round_trip_ms for run in some])
            rows.append((
                str(count), what, f"{min(run.found for run in some)}–{max(run.found for run in some)}",
                seconds(median([run.first for run in some])), seconds(median([run.last for run in some])),
                seconds(median([run.wall for run in some])), seconds(median([run.cpu for run in some])),
                f"{max(run.rss_kib for run in some) / 1024:.0f} MB", "-" if trip is None else f"{trip:.1f} ms",
            ))
        pairs = [
            scan.last / plain.last
            for scan, plain in zip([run for run in runs if (run.gateways, run.what) == (count, "scan")],
                                   [run for run in runs if (run.gateways, run.what) == (count, "no-probe")])
            if scan.last and plain.last
        ]
        if pairs:
            rows.append((str(count), "ratio", "", "", f"× {statistics.median(pairs):.2f}", "", "", "", ""))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def main_inside(options: argparse.Namespace) -> None:
    runs: list[Run] = []
    lab.lab("config", BROWSER, "disable-publishing=yes", "cache-entries-max=20000")
    for count in options.sizes:
        lab.restart(BROWSER)
        farms = Farms(options.test_tool, count)
        for turn in range(1, options.runs + 1):
            for what in ["scan", "no-probe"] if turn % 2 else ["no-probe", "scan"]:
                # Cold: what the daemon knows already would be the run's before.
                lab.restart(BROWSER)
                command = [str(options.clawradar), "scan", "--type", "_openclaw._tcp", "--timeout", "60",
                           "--format", "ndjson"] + (["--no-probe"] if what == "no-probe" else [])
                runs.append(judge(run(BROWSER, command, LIMIT), what, count))
                print(f"{count} {what} {turn}/{options.runs}: {runs[-1].found}/{count}, "
                      f"first {seconds(runs[-1].first)}, last {seconds(runs[-1].last)}",
                      file=sys.stderr, flush=True)
                # Other instances' answers are not repeated within a second (RFC 6762 §6).
                time.sleep(1.2)
        farms.stop()
        if options.json:
            options.json.write_text(json.dumps([asdict(run) for run in runs], indent=1))
    print(table(runs), flush=True)


def main() -> None:
    options = parse_arguments()
    if "CLAWRADAR_BENCH" in os.environ:
        main_inside(options)
        return
    os.environ["CLAWRADAR_BENCH"] = "1"
    hosts = 1 + -(-max(options.sizes) // PER_HOST)
    bare = [word for number in range(2, hosts + 1) for word in ("--no-daemon", f"h{number}")]
    os.execv(LAB, [str(LAB), "run", str(hosts), *bare, "--", sys.executable, __file__, *sys.argv[1:]])


if __name__ == "__main__":
    main()
