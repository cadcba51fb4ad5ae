"""Measures the browsing of zones beside dig and dnspython, on a BIND of this host, side by side in one run."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ZONE, PORT, SERVER = "bench.internal", 5399, "127.0.0.1"
TYPE = "_openclaw._tcp"
EPILOG = """
Times are from before fork and exec to the line on the pipe. "first": a zone of one instance; dig asks for PTR, SRV and A in turn,
each a process of its own, since each name is in the answer before. "thousand": dnspython asks all SRV, TXT and A at once as soon as
it has the list. "sites": a browse of the parent finds all; memory is the largest of the process; questions are those of
a minute of watching after that, half of the UDP packets that this host has received. What else uses UDP there is counted as well.
"""


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def instance(number: int, domain: str) -> list[str]:
    name, host = f"g{number}.{TYPE}.{domain}.", f"h{number}.{domain}."
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    return [f"{TYPE}.{domain}. PTR {name}", f"{name} SRV 0 0 3000 {host}", f'{name} TXT "name=Gateway {number}" "bots=3"',
            f"{host} A {address}"]


class Zone:
    """A server with records, for as long as the block runs."""

    def __init__(self, records: list[str]) -> None:
        self.records = records

    def __enter__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "records"
        file.write_text("\n".join(self.records) + "\n")
        self.environment = {**os.environ, "CLAWRADAR_ZONE_STATE": f"{self.folder.name}/zone"}
        self.script("up", "bind", "--zone", ZONE, "--port", str(PORT), "--records", str(file))

    def __exit__(self, *_: object) -> None:
        self.script("down")
        self.folder.cleanup()

    def script(self, *arguments: str) -> None:
        subprocess.run([ROOT / "scripts/zone", *arguments], env=self.environment, check=True, stdout=sys.stderr)


def browse(program: Path, count: int, verb: list[str], then: float = 0) -> dict[str, float]:
    """Times the program until it has printed so many resolved services, lets it run on, and ends it."""
    command = [program, *verb, "--no-probe", "--format", "ndjson", "--type", TYPE, "--domain", ZONE,
               "--server", f"{SERVER}:{PORT}"]
    start, seen, first = time.monotonic(), set(), None
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout
    last = start
    for line in process.stdout:
        service = json.loads(line)
        service = service.get("service", service)
        if not service.get("addresses"):
            continue
        last = time.monotonic()
        first = first or last - start
        seen.add((service["instance"], service["domain"]))
        if len(seen) >= count:
            break
    if len(seen) < count:
        say(f"only {len(seen)} of {count} services were found")
    rate = 0.0
    if then:
        time.sleep(70)  # Until the first TTLs are over.
        before = datagrams()
        time.sleep(then)
        rate = (datagrams() - before) / 2 / then
    # It may have ended, and must not be waited for before wait4.
    os.kill(process.pid, signal.SIGTERM)
    process.stdout.close()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return {"first": first or 0, "all": last - start, "megabytes": usage.ru_maxrss / 1024, "rate": rate,
            "cpu": usage.ru_utime + usage.ru_stime}


def datagrams() -> int:
    lines = [line.split() for line in Path("/proc/net/snmp").read_text().splitlines() if line.startswith("Udp:")]
    return int(lines[1][lines[0].index("InDatagrams")])


def dig() -> float:
    """Times the three questions that lead to one instance, each asked by a process of its own."""
    def ask(name: str, kind: str) -> str:
        command = ["dig", f"@{SERVER}", "-p", str(PORT), "+short", "+tries=1", name, kind]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    start = time.monotonic()
    name = ask(f"{TYPE}.{ZONE}", "PTR")
    host = ask(name, "SRV").split()[-1]
    if not ask(host, "A"):
        say("dig found no address")
    return time.monotonic() - start


def dnspython() -> float:
    """Times a process that reads a zone with all questions in flight."""
    start = time.monotonic()
    found = subprocess.run([sys.executable, __file__, "--read"], capture_output=True, text=True, check=True).stdout
    if int(found) != 1000:
        say(f"dnspython found {found} of 1000")
    return time.monotonic() - start


async def read() -> int:
    import dns.asyncquery
    import dns.message

    async def ask(name: object, kind: str) -> list:
        query = dns.message.make_query(name, kind, use_edns=0, payload=1232)
        for _ in range(3):
            try:
                answer, _ = await dns.asyncquery.udp_with_fallback(query, SERVER, timeout=2, port=PORT)
                return [record for records in answer.answer for record in records]
            except dns.exception.Timeout:
                continue
        return []

    async def resolve(name: object) -> bool:
        locations, texts = await asyncio.gather(ask(name, "SRV"), ask(name, "TXT"))
        hosts = await asyncio.gather(*(ask(location.target, kind) for location in locations[:1] for kind in ("A", "AAAA")))
        return bool(texts) and any(hosts)

    names = [record.target for record in await ask(f"{TYPE}.{ZONE}", "PTR")]
    return sum(await asyncio.gather(*(resolve(name) for name in names)))


def compare(name: str, ours: list[float], theirs: list[float], other: str, most: float) -> None:
    ratio = statistics.median(one / two for one, two in zip(ours, theirs))
    print(f"{name:<10} clawradar {statistics.median(ours) * 1000:8.1f} ms   {other} {statistics.median(theirs) * 1000:8.1f} ms"
          f"   ratio {ratio:.2f} (goal: at most {most})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench zones", description=__doc__, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clawradar", type=Path, default=ROOT / ".build/release/clawradar", metavar="PATH")
    parser.add_argument("--runs", type=int, default=9, metavar="R")
    parser.add_argument("--sites", type=int, default=100, metavar="N", help="sites of 100 gateways each; 0: none")
    parser.add_argument("--read", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        # Each question has a socket of its own.
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 65536) if limit > 0 else 65536, limit))
        return print(asyncio.run(read()))
    program = options.clawradar.absolute()
    if not program.exists():
        parser.error(f"there is no {program}; build it with swift build -c release, or give --clawradar")
    scan = ["scan", "--timeout", "60"]
    with Zone(instance(1, ZONE)):
        rounds = [(browse(program, 1, scan)["first"], dig()) for _ in range(options.runs)]
        compare("first", [ours for ours, _ in rounds], [theirs for _, theirs in rounds], "dig      ", 1.5)
    with Zone([record for number in range(1000) for record in instance(number, ZONE)]):
        rounds = [(browse(program, 1000, scan)["all"], dnspython()) for _ in range(options.runs)]
        compare("thousand", [ours for ours, _ in rounds], [theirs for _, theirs in rounds], "dnspython", 2)
    if options.sites < 1:
        return
    records = []
    for site in range(options.sites):
        domain = f"site{site}.{ZONE}"
        records.append(f"lb._dns-sd._udp.{ZONE}. PTR {domain}.")
        records += [record for number in range(100) for record in instance(site * 100 + number, domain)]
    with Zone(records):
        found = browse(program, options.sites * 100, ["watch"], then=60)
        print(f"sites      {options.sites} × 100 gateways in {found['all']:.1f} s (goal: 20 s), {found['megabytes']:.0f} MB (120 MB), "
              f"then {found['rate']:.0f} questions a second (50), {found['cpu']:.1f} s of CPU in all", flush=True)


main()
