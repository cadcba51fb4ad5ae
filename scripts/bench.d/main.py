"""Compares clawradar, avahi-browse and python-zeroconf in the lab, side by side in one run."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

import lab
import report
from measure import LAB, run
from publishers import PUBLISHERS, Publisher
from tools import TIMEOUT, TYPE, Tool, sighted, tools

ROOT = LAB.parent.parent
SIZES = [10, 100, 500, 1000, 2000]
DEFAULT_TOOLS = ["clawradar", "avahi-browse", "zeroconf"]
BROWSER = "h1"
# A responder does not repeat a record within a second of its last multicast (RFC 6762 §6): with a shorter gap, the
# second of two runs would wait for records that were just sent to the first.
GAP = 1.2
# With 2,000 services an avahi-daemon is busy for half a minute after its last "established", and for seconds after a
# tool that queries each service; it does not answer during that time.
REST = 90.0
# Longer than the tools' own time-out: avahi-browse -t is known to hang.
LIMIT = TIMEOUT + 10.0

EPILOG = f"""
cold: {BROWSER}'s avahi-daemon is restarted before each run. warm: a browser for {TYPE} is held
open there, and has listed all services before the first run. python-zeroconf has no daemon: it is
always cold. From 1,000 services on the daemon's cache is raised to 20,000 records.

times are from before fork and exec to the line on the pipe; "all" is the Nth distinct instance,
resolved. After "browse:" they are from the line that says that the browse begins, of programs that do
the same: zeroconf (zeroconf_scan.py), and browse-embedded, -avahi and -bonjour, our library with that
backend (Tests/TestTool). CPU is user + system of the tool, of {BROWSER}'s avahi-daemon and of its system bus, from
the tool's start to its end. packets and bytes are all mDNS that crosses the LAN in that time.
Ratios are taken within each round, and then the median of them.

2,000 services of one avahi-daemon take one of two courses, often in turn, whichever build scans: the first
answer comes after 0.1 s or after 1.3 s, and in the first case the daemons use 1.6 times the CPU. So medians
of few rounds say little there: compare the runs of the same course, which --json lists.
"""


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description=__doc__, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")],
                        metavar="N,…", help=f"numbers of services (default {SIZES})")
    parser.add_argument("--publisher", choices=[*PUBLISHERS, "all"], default="all",
                        help="one process, one avahi-daemon, or one for each service (all: the first two)")
    parser.add_argument("--runs", type=int, metavar="R", help="rounds per case (default 9)")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--cold", dest="modes", action="store_const", const=["cold"])
    modes.add_argument("--warm", dest="modes", action="store_const", const=["warm"])
    modes.add_argument("--all", dest="modes", action="store_const", const=["cold", "warm"],
                       help="cold and warm (default)")
    parser.add_argument("--quick", action="store_true", help="--sizes 10,100 --runs 3")
    parser.add_argument("--tools", metavar="T,…", type=lambda text: text.split(","),
                        help="of clawradar, avahi-browse, zeroconf, clawradar-embedded, before, before-embedded, "
                             "browse-embedded, browse-avahi, browse-bonjour (default: the first three, and before "
                             "where it is given)")
    parser.add_argument("--clawradar", type=Path, metavar="PATH",
                        default=ROOT / ".build/release/clawradar",
                        help="the program (default .build/release/clawradar)")
    parser.add_argument("--before", type=Path, metavar="PATH",
                        help="another build of clawradar, measured in the same rounds")
    parser.add_argument("--default-cache", action="store_true",
                        help="leave cache-entries-max at 4096 whatever the size")
    parser.add_argument("--json", type=Path, metavar="FILE",
                        help="every run, medians and ratios; written anew after each case")
    # Handled by scripts/bench itself; listed here for the help.
    parser.add_argument("--codec", action="store_true",
                        help="only the DNS codec: messages decoded and encoded a second, on one core")
    parser.set_defaults(modes=["cold", "warm"])
    options = parser.parse_args()
    options.sizes = options.sizes or ([10, 100] if options.quick else SIZES)
    options.runs = options.runs or (3 if options.quick else 9)
    options.clawradar = options.clawradar.absolute()
    options.before = options.before.absolute() if options.before else None
    known = {tool.name: tool for tool in tools(options.clawradar, options.before)}
    for name in options.tools or []:
        if name not in known:
            parser.error(f"there is no tool '{name}'; there are {', '.join(known)}")
    default = DEFAULT_TOOLS + (["before"] if options.before else [])
    options.tools = [known[name] for name in options.tools or default]
    if "warm" in options.modes and not all(tool.has_daemon for tool in options.tools):
        parser.error("what is embedded has no daemon that could be warm: --cold")
    if min(options.sizes) < 1 or max(options.sizes) > 10_000 or options.runs < 1:
        parser.error("--sizes takes 1 to 10000, and --runs at least 1")
    return options


def wait_listed(file: Path, count: int) -> None:
    """Waits until the held browser has listed all services, or nothing more comes."""
    best, since = 0, time.monotonic()
    while best < count and time.monotonic() < since + 10:
        listed = len({line.split(";")[3] for line in file.read_text().splitlines()
                      if line.startswith("+") and line.count(";") > 3})
        if listed > best:
            best, since = listed, time.monotonic()
        time.sleep(0.1)
    if best < count:
        say(f"the held browser lists only {best} of {count}")


def hold_browser(count: int) -> subprocess.Popen[bytes]:
    """Starts the browser that keeps a host's cache warm. Its output goes to a file, so that nobody has to read it."""
    with tempfile.NamedTemporaryFile(delete=False) as output:
        holder = subprocess.Popen([LAB, "exec", BROWSER, "stdbuf", "-oL", "avahi-browse", "-p",
                                   TYPE], stdout=output, stderr=subprocess.DEVNULL)
    wait_listed(Path(output.name), count)
    os.unlink(output.name)
    return holder


def rest(publisher: Publisher) -> None:
    """Waits until neither side is still busy with the previous run, so that no tool pays for its predecessor."""
    def used() -> float:
        return lab.cpu_seconds(BROWSER, "avahi") + publisher.cpu_seconds()

    deadline, before = time.monotonic() + REST, used()
    while time.monotonic() < deadline:
        time.sleep(GAP)
        before, last = used(), before
        if before - last < 0.05:
            return
    say(f"warning: the daemons are still busy after {REST:.0f} s")


def measure(tool: Tool, turn: int, count: int, publisher: Publisher) -> report.Result:
    lab.count_packets()
    before = [lab.cpu_seconds(BROWSER, process) for process in ("avahi", "bus")]
    outcome = run(BROWSER, tool.command, LIMIT)
    daemon, bus = [lab.cpu_seconds(BROWSER, process) - used
                   for process, used in zip(("avahi", "bus"), before)]
    traffic = lab.packets()
    seen = sighted(tool, outcome, count, publisher.rows_per_service)
    return report.Result(
        turn, tool.name, seen.found, seen.wrong, seen.rows, seen.first, seen.all, seen.begun, seen.all_rows,
        outcome.wall, outcome.user, outcome.system, daemon, bus, outcome.rss_kib, traffic.packets,
        traffic.octets, outcome.exit_code, outcome.timed_out, outcome.stderr,
    )


def measure_case(
    options: argparse.Namespace, publisher: Publisher, count: int, mode: str, cache: int
) -> dict[str, object]:
    results: list[report.Result] = []
    load_before = os.getloadavg()[0]
    lab.restart(BROWSER)
    holder = hold_browser(count) if mode == "warm" else None
    for turn in range(1, options.runs + 1):
        # Each round begins with another tool.
        shift = turn % len(options.tools)
        for tool in options.tools[shift:] + options.tools[:shift]:
            if not tool.has_daemon:
                lab.stop(BROWSER)
            elif mode == "cold":
                lab.restart(BROWSER)
            rest(publisher)
            result = measure(tool, turn, count, publisher)
            results.append(result)
            say(f"{publisher.name} {count} {mode} {turn}/{options.runs} {tool.name}: "
                f"{result.found}/{count}, first {report.seconds(result.first)}, "
                f"all {report.seconds(result.all)}, ended {report.seconds(result.wall)}"
                + (f", exit code {result.exit_code}: {result.stderr.strip()[:200]}"
                   if result.exit_code else ""))
    if holder:
        holder.kill()
        holder.wait()
    names = [tool.name for tool in options.tools]
    return {
        "publisher": publisher.name, "services": count, "mode": mode, "rounds": options.runs,
        "cache_entries_max": cache, "load_before": load_before, "load_after": os.getloadavg()[0],
        "summary": {name: report.summary(results, name, count) for name in names},
        "ratios": {f"{names[0]} ÷ {other}": report.ratios(results, names[0], other)
                   for other in names[1:]},
        "runs": [asdict(result) for result in results],
    }


def verify(publisher: Publisher, count: int) -> None:
    """Checks that a program without a daemon can find all services on the network."""
    checker = next(tool for tool in tools(Path(), None) if tool.name == "zeroconf")
    found = 0
    rest(publisher)
    for _ in range(5):
        found = sighted(checker, run(BROWSER, checker.command, LIMIT), count, 1).found
        if found == count:
            return
        rest(publisher)
    say(f"warning: no check has seen more than {found} of the {count} services of {publisher.name}")


def startups(selected: list[Tool]) -> dict[str, float]:
    return {tool.name: statistics.median(run(BROWSER, tool.bare, LIMIT).wall for _ in range(9))
            for tool in selected}


def machine() -> dict[str, object]:
    def version(*command: str) -> str:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()

    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "kernel": platform.release(), "cpus": os.cpu_count(), "python": platform.python_version(),
        "zeroconf": version(sys.executable, "-c", "import zeroconf; print(zeroconf.__version__)"),
        "avahi": version("avahi-browse", "--version"),
        "checkout": version("git", "describe", "--always", "--dirty"),
    }


def main_inside(options: argparse.Namespace) -> None:
    # Otherwise the host's own announcements, which go on for seconds after a restart, would be counted.
    lab.lab("config", BROWSER, "disable-publishing=yes")
    lab.restart(BROWSER)
    facts, starts = machine(), startups(options.tools)
    cases: list[dict[str, object]] = []
    document = {"machine": facts, "startup_s": starts, "cases": cases}
    print(", ".join(f"{key} {value}" for key, value in facts.items()))
    print("start alone: " + ", ".join(f"{name} {report.seconds(value)}"
                                      for name, value in starts.items()) + "\n", flush=True)
    chosen = ["zeroconf", "avahi"] if options.publisher == "all" else [options.publisher]
    for name in chosen:
        for count in options.sizes:
            cache = 20_000 if count >= 1000 and not options.default_cache else lab.DEFAULT_CACHE
            lab.lab("config", BROWSER, f"cache-entries-max={cache}")
            lab.restart(BROWSER)
            publisher = PUBLISHERS[name]()
            started = time.monotonic()
            try:
                publisher.start(count)
            except RuntimeError as error:
                say(f"{name} {count} is left out: {error}")
                publisher.stop()
                continue
            say(f"{name} has published {count} in {time.monotonic() - started:.1f} s")
            verify(publisher, count)
            for mode in options.modes:
                cases.append(measure_case(options, publisher, count, mode, cache))
                if options.json:
                    options.json.write_text(json.dumps(document, indent=1, ensure_ascii=False))
                print(report.table(cases[-1]), flush=True)
            publisher.stop()


def main() -> None:
    options = parse_arguments()
    if "CLAWRADAR_BENCH" in os.environ:
        main_inside(options)
        return
    for program in (Path(tool.command[0]) for tool in options.tools):
        if program.is_absolute() and not program.exists():
            sys.exit(f"bench: there is no {program}: swift build -c release --product "
                     f"{program.name}, or --clawradar PATH, or --tools avahi-browse,zeroconf")
    os.environ["CLAWRADAR_BENCH"] = "1"
    # No daemons except those that take part: each would process every packet, on the same CPUs.
    os.execv(LAB, [str(LAB), "run", "3", "--no-daemon", "h2", "--no-daemon", "h3", "--",
                   sys.executable, __file__, *sys.argv[1:]])


if __name__ == "__main__":
    main()
