"""What forged services cost: 25,000 packets in ten seconds, each with a service of its own.

Prints the memory (Private_Dirty) of an agent, or of `watch`, before, at most, and once the services are gone; exits with 1
above 100 MB, or where more than 20 MB remain. Each case has a lab of its own.

Cases: plain; txt, where each service has 1 kB in its TXT record; scans, in which eight clients scan at once; readers, in which
50 clients ask for events, during the flood and after it, and never read; watch and watch-txt, the verb without an agent.

It takes root: nobody else may look at the memory of an agent."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# Both folders have an agent.py: this one's comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench.d"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from agent import EVENTS, HOST, Agent, pids, table, verdict, wait, words  # noqa: E402
from gateways import RELEASE, ROOT  # noqa: E402
from measure import LAB  # noqa: E402

CASES = ["plain", "txt", "scans", "readers", "watch", "watch-txt"]
# Nobody has this address, and all hosts of the lab would find it on their link.
TARGET = "10.99.200.1"
MOST, REMAINING = 100, 20


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/soak flood", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--cases", type=lambda text: text.split(","), metavar="CASE,…", default=CASES)
    parser.add_argument("--backends", type=lambda text: text.split(","), metavar="own,avahi", default=["own", "avahi"])
    parser.add_argument("--packets", type=int, metavar="N", default=25_000, help="(default 25000)")
    parser.add_argument("--seconds", type=float, metavar="N", default=10, help="the time in which they come (default 10)")
    parser.add_argument("--ttl", type=int, default=40, help="seconds after which the services are gone (default 40)")
    parser.add_argument("--clawradar", type=Path, metavar="PATH", default=RELEASE / "clawradar")
    options = parser.parse_args()
    if not set(options.cases) <= set(CASES):
        parser.error(f"the cases are {', '.join(CASES)}")
    if os.geteuid() != 0:
        parser.error("it takes root, to look at the memory of the agent")
    if not options.clawradar.exists():
        parser.error(f"there is no {options.clawradar}: swift build -c release --product clawradar")
    options.clawradar = options.clawradar.resolve()
    return options


class Watch(Agent):
    """`watch` on the first host, which prints to nobody."""

    def start(self) -> None:
        command = [LAB, "exec", HOST, "env", *self.words, self.program, "watch"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self.log)
        wait("its start", lambda: self.find() is not None, 30)
        self.pid = self.find()

    def find(self) -> int | None:
        return next((pid for pid in pids() if words(pid, "cmdline") == [str(self.program), "watch"]
                     and self.words[0] in words(pid, "environ")), None)


class Peak:
    """Reads the memory of a process again and again."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.most, self.over = agent, agent.memory(), threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self) -> None:
        while not self.over.wait(0.1):
            self.most = max(self.most, self.agent.memory())

    def end(self) -> float:
        self.over.set()
        self.thread.join()
        return self.most


def flood(options: argparse.Namespace, text: int) -> subprocess.Popen[str]:
    tool = ROOT / "Tests/LabTests/Tools/mdns-strangers"
    rate = options.packets / options.seconds
    return subprocess.Popen(
        [LAB, "exec", "h2", tool, TARGET, "--hosts", "--count", str(options.packets), "--rate", str(rate),
         "--ttl", str(options.ttl), "--txt", str(text)], stdout=subprocess.PIPE, text=True)


class Connection(http.client.HTTPConnection):
    """A connection to an agent, over which one question is asked."""

    def __init__(self, agent: Agent) -> None:
        super().__init__("localhost", timeout=300)
        self.agent = agent

    def connect(self) -> None:
        self.sock = self.agent.connect()
        self.sock.settimeout(300)

    def ask(self, method: str, path: str) -> bytes:
        self.request(method, path)
        answer = self.getresponse()
        body = answer.read()
        self.close()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {body[:200]!r}")
        return body


def listed(agent: Agent) -> int:
    return len(json.loads(Connection(agent).ask("GET", "/api/v1/services"))["services"])


def scan(agent: Agent, sizes: list[int]) -> None:
    sizes.append(len(Connection(agent).ask("POST", "/api/v1/scan?timeoutMs=2000")))


def run(case: str, options: argparse.Namespace) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        agent = (Watch if case.startswith("watch") else Agent)(options.clawradar, folder)
        agent.start()
        time.sleep(8)
        before, peak = agent.memory(), Peak(agent)
        forger, begun = flood(options, 1000 if case.endswith("txt") else 0), time.monotonic()
        held, most = [], 0
        if case == "readers":
            for number in range(50):
                time.sleep(max(0, begun + number * options.seconds / 25 - time.monotonic()))
                held.append(agent.connect(EVENTS))
        forger.wait()
        sent = time.monotonic() - begun
        time.sleep(2)
        if case == "scans":
            sizes: list[int] = []
            threads = [threading.Thread(target=scan, args=(agent, sizes)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            print(f"eight scans: {sizes}, done {time.monotonic() - begun:.0f} s after the first packet", flush=True)
        if isinstance(agent, Watch):
            time.sleep(options.ttl + 20)
        else:
            most = listed(agent)
            wait("the end of the services", lambda: listed(agent) == 0, 240)
        time.sleep(15)
        after = agent.memory()
        for connection in held:
            connection.close()
        found = {"before": before, "most": peak.end(), "after": after, "services": most, "sent": sent,
                 "cpu": agent.seconds()}
        agent.stop()
        return found


def main() -> None:
    options = parse_arguments()
    if case := os.environ.get("CLAWRADAR_SOAK"):
        print(json.dumps(run(case, options)))
        return
    rows = [("case", "backend", "services", "before", "most", "after", "sent in", "CPU")]
    failures = []
    for backend in options.backends:
        for case in options.cases:
            bare = ["--no-daemon", "h2"] + (["--no-daemon", HOST] if backend == "own" else [])
            command = [LAB, "run", "2", *bare, "--", sys.executable, __file__, *sys.argv[1:]]
            done = subprocess.run(command, env={**os.environ, "CLAWRADAR_SOAK": case}, capture_output=True, text=True)
            if done.returncode != 0:
                failures.append(f"{case}, {backend}: {done.stderr.strip()[-1500:]}")
                continue
            *remarks, last = done.stdout.strip().splitlines()
            found = json.loads(last)
            rows.append((case, backend, f"{found['services']:.0f}", *(f"{found[key]:.1f} MB" for key in ("before", "most", "after")),
                         f"{found['sent']:.1f} s", f"{found['cpu']:.1f} s"))
            print("\n".join(remarks + ["  ".join(rows[-1])]), flush=True)
            if found["most"] > MOST:
                failures.append(f"{case}, {backend}: {found['most']:.1f} MB, expected at most {MOST} MB")
            if found["after"] > found["before"] + REMAINING:
                failures.append(f"{case}, {backend}: {found['after']:.1f} MB remain, {found['before']:.1f} MB were before")
    print()
    table(rows)
    verdict(failures)


if __name__ == "__main__":
    main()
