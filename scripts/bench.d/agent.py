"""How long `clawradar scan` takes from exec to exit while an agent runs, with N gateways on the network; beside it the same
without the agent, and a program that does nothing but print its version.

The runs are made and timed on the host itself, one after the other, so that only the tool is in the times."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gateways import BROWSER, RELEASE, Farms
from measure import LAB

PATIENCE = 60.0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench agent", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--gateways", type=int, metavar="N", default=10, help="(default 10)")
    parser.add_argument("--runs", type=int, metavar="R", default=50, help="(default 50)")
    parser.add_argument("--pause", type=float, metavar="SECONDS", default=2.0,
                        help="between two runs: a gateway is asked 40 times a minute at most (default 2)")
    parser.add_argument("--clawradar", type=Path, metavar="PATH", default=RELEASE / "clawradar")
    parser.add_argument("--test-tool", type=Path, metavar="PATH", default=RELEASE / "test-tool")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    for product, path in [("clawradar", options.clawradar), ("test-tool", options.test_tool)]:
        if not path.exists():
            parser.error(f"there is no {path}: swift build -c release --product {product}")
    return options


def measure(command: list[str], runs: int, pause: float) -> dict[str, object]:
    """Runs a command again and again on this host."""
    times, statuses, lines = [], set(), set()
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True)
        times.append(time.perf_counter() - start)
        statuses.add(done.returncode)
        lines.add(sum(" answering " in line for line in done.stdout.splitlines()))
        time.sleep(pause)
    return {"times": times, "statuses": sorted(statuses), "answering": sorted(lines)}


def on_host(environment: dict[str, str], options: argparse.Namespace, runs: int, pause: float,
            *command: str) -> dict[str, object]:
    words = [f"{name}={value}" for name, value in environment.items()]
    request = json.dumps([list(command), runs, pause])
    done = subprocess.run(
        [LAB, "exec", BROWSER, "env", *words, sys.executable, __file__, "--measure", request,
         "--clawradar", options.clawradar, "--test-tool", options.test_tool],
        capture_output=True, text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def row(what: str, result: dict[str, object]) -> tuple[str, ...]:
    times = sorted(result["times"])
    at = lambda share: f"{times[min(int(len(times) * share), len(times) - 1)] * 1000:.1f} ms"
    span = lambda values: "–".join(str(value) for value in dict.fromkeys((min(values), max(values))))
    return (what, str(len(times)), at(0.5), at(0.95), at(1), span(result["answering"]), span(result["statuses"]))


def main_inside(options: argparse.Namespace) -> None:
    farms = Farms(options.test_tool, options.gateways)
    with tempfile.TemporaryDirectory() as folder:
        names = {"XDG_RUNTIME_DIR": "run", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config"}
        environment = {name: f"{folder}/{part}" for name, part in names.items()}
        words = [f"{name}={value}" for name, value in environment.items()]
        agent = subprocess.Popen([LAB, "exec", BROWSER, "env", *words, options.clawradar, "agent"])
        scan = [str(options.clawradar), "scan"]
        deadline = time.monotonic() + PATIENCE
        while on_host(environment, options, 1, 0, *scan)["answering"] != [options.gateways]:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the agent does not show {options.gateways} gateways")
            time.sleep(1)
        rows = [("", "runs", "p50", "p95", "longest", "answering", "exit status")]
        rows.append(row("scan, with the agent",
                        on_host(environment, options, options.runs, options.pause, *scan)))
        rows.append(row("scan --no-agent",
                        on_host(environment, options, max(options.runs // 10, 1), 1.2, *scan, "--no-agent")))
        rows.append(row("--version",
                        on_host(environment, options, options.runs, 0, str(options.clawradar), "--version")))
        agent.terminate()
        agent.wait()
    farms.stop()
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for cells in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip(), flush=True)


def main() -> None:
    options = parse_arguments()
    if options.measure:
        command, runs, pause = json.loads(options.measure)
        print(json.dumps(measure(command, runs, pause)))
        return
    if "CLAWRADAR_BENCH" in os.environ:
        main_inside(options)
        return
    os.environ["CLAWRADAR_BENCH"] = "1"
    hosts = 1 + -(-options.gateways // 20)
    bare = [word for number in range(2, hosts + 1) for word in ("--no-daemon", f"h{number}")]
    os.execv(LAB, [str(LAB), "run", str(hosts), *bare, "--", sys.executable, __file__, *sys.argv[1:]])


if __name__ == "__main__":
    main()
