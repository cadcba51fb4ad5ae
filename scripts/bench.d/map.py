"""The merge engine: what one event costs in maps of several sizes, kind by kind."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = [100, 10_000, 16_384]

EPILOG = """
fill: each gateway is found and its endpoints are asked, in an empty map. mix: nine in ten events
say that an endpoint answers, in another time; the rest is of all kinds. The other lines are of one
kind each. The events are about gateways at random, and the same in each run of a seed. Times are
of the processor, without making the events; each figure is the median of the runs. Ratios are ns
per event to the smallest size's: what is more than 1 is memory that no cache holds.
"""


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench map", description=__doc__, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")],
                        metavar="N,…", default=SIZES, help=f"numbers of gateways (default {SIZES})")
    parser.add_argument("--events", type=int, metavar="E", default=1_000_000,
                        help="events of the mix, and a tenth of it of each kind (default 1000000)")
    parser.add_argument("--runs", type=int, metavar="R", default=3, help="(default 3)")
    parser.add_argument("--seed", type=int, default=0x5EEDC1A3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="the medians")
    options = parser.parse_args()
    if min(options.sizes) < 1 or max(options.sizes) > 1_000_000:
        parser.error("--sizes takes 1 to 1000000")
    if options.events < 1 or options.runs < 1:
        parser.error("--events and --runs take at least 1")
    return options


def measure(program: Path, size: int, options: argparse.Namespace) -> dict[str, float]:
    """Returns the nanoseconds per event, by kind. Each size has its own process, and so a fresh heap."""
    runs: dict[str, list[float]] = defaultdict(list)
    for _ in range(options.runs):
        output = subprocess.run([program, "map-bench", str(size), str(options.events), str(options.seed)],
                                check=True, stdout=subprocess.PIPE, text=True).stdout
        for line in map(json.loads, output.splitlines()):
            runs[line["kind"]].append(line["ns"] / line["events"])
    return {kind: statistics.median(values) for kind, values in runs.items()}


def table(results: dict[int, dict[str, float]]) -> str:
    sizes = list(results)
    heads = [f"{size:,}" for size in sizes] + [f"÷ at {size:,}" for size in sizes[1:]]
    lines = ["ns per event".ljust(16) + "".join(head.rjust(14) for head in heads)]
    for kind, smallest in results[sizes[0]].items():
        cells = [f"{results[size][kind]:,.0f}" for size in sizes]
        cells += [f"{results[size][kind] / smallest:.2f}" for size in sizes[1:]]
        lines.append(kind.ljust(16) + "".join(cell.rjust(14) for cell in cells))
    for kind in ("fill", "mix"):
        cells = [f"{1e9 / results[size][kind]:,.0f}" for size in sizes]
        lines.append(f"{kind}, events/s".ljust(16) + "".join(cell.rjust(14) for cell in cells))
    return "\n".join(lines)


def main() -> None:
    options = parse_arguments()
    subprocess.run(["swift", "build", "-c", "release", "--product", "test-tool"],
                   check=True, cwd=ROOT, stdout=sys.stderr)
    print(f"load before: {os.getloadavg()[0]:.2f} on {os.cpu_count()} CPUs", flush=True)
    results = {size: measure(ROOT / ".build/release/test-tool", size, options)
               for size in options.sizes}
    print(table(results))
    print(f"load after: {os.getloadavg()[0]:.2f}")
    if options.json:
        options.json.write_text(json.dumps({"events": options.events, "runs": options.runs,
                                            "seed": options.seed, "ns_per_event": results}, indent=1))


if __name__ == "__main__":
    main()
