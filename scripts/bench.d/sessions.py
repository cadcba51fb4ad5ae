"""500 TLS sessions with 500 gateways in one process: memory, CPU while nothing happens, and the way back after an outage."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

import lab
import one_session
from farms import PER_HOST, PORT, Farm, Farms
from kept import Keeper
from measure import LAB
from session_report import Figures, one_table, table, verdicts
from session_run import CLIENT, run, say

ROOT = LAB.parent.parent
HERE = Path(__file__).resolve().parent
RELEASE = ROOT / ".build" / "release"
KINDS = ["connect", "keep", "websockets", "one"]

EPILOG = f"""
connect: `clawradar connect --format ndjson`, which scans too. keep: the libraries alone, without a scanner
(Tests/TestTool). websockets: a Python program on the library of that name, which does not come back.
one: a single session of `clawradar connect`, to "connected" after SIGCONT or link up.

Each gateway is a TLS listener with a key, a certificate and a pairing of its own, {PER_HOST} in a process on each host
from h2 on, and no one announces them: the client, on {CLIENT}, has their stored places alone. It starts with 1,024
descriptors, as most do. CPU is user + system of that process; an outage is SIGKILL to all gateways, and the same
ones started again. An attempt is a TCP connection that {CLIENT} begins, be it the sessions' or the scanner's.

examples:
  scripts/bench sessions
  scripts/bench sessions --only connect --count 100 --idle 20 --outage 20
  scripts/bench sessions --only one --repeats 20
  scripts/bench sessions --only keep --count 40 --descriptors 80    # too few: it must not crash
"""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench sessions", description=__doc__, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, metavar="N", default=500, help="sessions (default 500)")
    parser.add_argument("--only", type=lambda text: text.split(","), metavar="KIND,…", default=KINDS,
                        help=f"of {', '.join(KINDS)} (default all)")
    parser.add_argument("--idle", type=float, metavar="S", default=60, help="measured idling (default 60 s)")
    parser.add_argument("--settle", type=float, metavar="S", default=30, help="the time before it (default 30 s)")
    parser.add_argument("--outage", type=float, metavar="S", default=60, help="(default 60 s)")
    parser.add_argument("--repeats", type=int, metavar="R", default=10, help="of each case of one (default 10)")
    parser.add_argument("--descriptors", type=int, metavar="N",
                        help="the most that the programs may have (default: 1,024 that they can raise)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures")
    for product in ["clawradar", "test-tool"]:
        parser.add_argument(f"--{product}", type=Path, metavar="PATH", default=RELEASE / product)
    options = parser.parse_args()
    if unknown := set(options.only) - set(KINDS):
        parser.error(f"--only knows {', '.join(KINDS)}, and not {', '.join(unknown)}")
    if not 1 <= options.count <= 2_000 or options.repeats < 1:
        parser.error("--count takes 1 to 2000, and --repeats at least 1")
    for product in ["clawradar", "test-tool"]:
        path = getattr(options, product.replace("-", "_"))
        if not path.exists():
            parser.error(f"there is no {path}: swift build -c release --product {product}")
    return options


def main_inside(options: argparse.Namespace) -> None:
    def pair(places: list[tuple[str, int]], store: Path) -> None:
        for name in ["data", "state"]:
            (store / name).mkdir(parents=True, mode=0o700)
        environment = {**os.environ, "XDG_DATA_HOME": str(store / "data"), "XDG_STATE_HOME": str(store / "state")}
        start = time.monotonic()
        done = subprocess.run([LAB, "exec", CLIENT, options.test_tool, "session-bench", "pair"], env=environment, check=True, text=True,
                              stdout=subprocess.PIPE, input="".join(f"{a} {p}\n" for a, p in places)).stdout
        say(f"{done.strip()}, in {time.monotonic() - start:.1f} s")

    lab.lab("config", CLIENT, "disable-publishing=yes")
    lab.restart(CLIENT)
    results: list[Figures] = []
    single: dict[str, list[float | None]] = {}
    with tempfile.TemporaryDirectory() as folder:
        gateways, many = Path(folder, "gateways"), Path(folder, "many")
        gateways.mkdir(mode=0o700)
        farms = Farms(options.test_tool, options.count, gateways)
        if options.only != ["one"]:
            say(f"{options.count} gateways on {len(farms.farms)} hosts")
            farms.start()
            pair(farms.places, many)
        commands: dict[str, list[str | Path]] = {
            "connect": [options.clawradar, "connect", "--format", "ndjson"],
            "keep": [options.test_tool, "session-bench", "keep"],
            "websockets": [sys.executable, HERE / "websockets_keep.py", "30"],
        }
        for kind in [kind for kind in commands if kind in options.only]:
            words = "".join(f"{a} {p}\n" for a, p in farms.places) if kind == "websockets" else ""
            results.append(run(kind, Keeper(CLIENT, commands[kind], many, words, options.descriptors), farms, options))
        farms.kill()
        if "one" in options.only:
            farm = Farm(options.test_tool, "h2", 1, PORT + 1_000, gateways)
            single = one_session.measure(options.clawradar, pair, farm, CLIENT, Path(folder, "one"), options.repeats)
    if options.json:
        options.json.write_text(json.dumps({"runs": [asdict(figures) for figures in results], "one": single}, indent=1))
    print("\n".join([*table(results), *one_table(single), *verdicts(results, single)]), flush=True)


def main() -> None:
    options = parse_arguments()
    if "CLAWRADAR_BENCH" in os.environ:
        main_inside(options)
        return
    os.environ["CLAWRADAR_BENCH"] = "1"
    hosts = 1 + -(-options.count // PER_HOST)
    bare = [word for number in range(2, hosts + 1) for word in ("--no-daemon", f"h{number}")]
    os.execv(LAB, [str(LAB), "run", str(hosts), *bare, "--", sys.executable, __file__, *sys.argv[1:]])


if __name__ == "__main__":
    main()
