"""Runs an agent in the lab, and prints what it holds.

Without an option: gateways come and go, the daemon is restarted and the interface flaps for some time. After each round, when
all of it is over, the descriptors, threads and memory of the agent are noted; exits with 1 if they have grown.

With --idle: the agent keeps ten sessions while nobody watches; exits with 1 above 0.1 % of a core or 30 MB.

With --readers: of 64 readers of its events 60 never read, while 100,000 requests, bodies of 10 MB and requests that never end
come; exits with 1 above 80 MB, or if the four others or the 65th have to wait.

It takes root: nobody else may look at the memory of an agent."""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "bench.d"))

import lab  # noqa: E402
from gateways import PER_HOST, PORT, PREFIX, RELEASE, Farms  # noqa: E402
from measure import LAB  # noqa: E402

HOST = "h1"
EVENTS = b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
GATEWAYS = b"GET /api/v1/gateways HTTP/1.1\r\nHost: localhost\r\n\r\n"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/soak agent", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--idle", action="store_true", help="ten sessions, and nobody who watches")
    mode.add_argument("--readers", action="store_true", help="readers that never read, and very many requests")
    parser.add_argument("--minutes", type=float, metavar="N", help="(default 20; with --idle 10)")
    parser.add_argument("--gateways", type=int, metavar="N", default=1000, help="(default 1000)")
    parser.add_argument("--requests", type=int, metavar="N", default=100_000, help="(default 100000)")
    parser.add_argument("--clawradar", type=Path, metavar="PATH", default=RELEASE / "clawradar")
    parser.add_argument("--test-tool", type=Path, metavar="PATH", default=RELEASE / "test-tool")
    options = parser.parse_args()
    if options.minutes is None:
        options.minutes = 10 if options.idle else 20
    if options.idle or options.readers:
        options.gateways = 10
    if os.geteuid() != 0:
        parser.error("it takes root, to look at the memory of the agent")
    for product, path in [("clawradar", options.clawradar), ("test-tool", options.test_tool)]:
        if not path.exists():
            parser.error(f"there is no {path}: swift build -c release --product {product}")
    options.clawradar, options.test_tool = options.clawradar.resolve(), options.test_tool.resolve()
    return options


class Agent:
    """An agent on the first host, with folders of its own."""

    def __init__(self, program: Path, folder: str) -> None:
        names = {"XDG_RUNTIME_DIR": "run", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config"}
        self.words = [f"{name}={folder}/{part}" for name, part in names.items()]
        self.program = program
        self.socket = f"{folder}/run/clawradar/agent.sock"
        self.log = open(f"{folder}/agent.log", "w")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [LAB, "exec", HOST, "env", *self.words, self.program, *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def start(self) -> None:
        command = [LAB, "exec", HOST, "env", *self.words, self.program, "agent"]
        self.process = subprocess.Popen(command, stderr=self.log)
        wait("its socket", lambda: os.path.exists(self.socket), 30)
        # Others may run one of this path, too.
        self.pid = next(pid for pid in pids() if words(pid, "cmdline") == [str(self.program), "agent"]
                        and self.words[0] in words(pid, "environ"))

    def stop(self) -> float:
        begun = time.monotonic()
        os.kill(self.pid, signal.SIGTERM)
        self.process.wait()
        return time.monotonic() - begun

    def connect(self, request: bytes = b"") -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(20)
        connection.connect(self.socket)
        try:
            connection.sendall(request)
        except BrokenPipeError:
            # One that is too many is answered before it has asked, and closed.
            pass
        return connection

    def answering(self) -> int:
        with self.connect(GATEWAYS) as connection:
            document = json.loads(answer(connection).partition(b"\r\n\r\n")[2])
        return sum(row["liveness"] == "answering" for row in document["gateways"])

    # What it holds.

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def memory(self, what: str = "Private_Dirty") -> float:
        """Its memory in MB."""
        lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{what}:")) / 1024

    def seconds(self) -> float:
        """The time of the processor that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def by_thread(self) -> dict[str, tuple[str, float, int]]:
        """The name of each thread, the seconds of the processor that it has used, and how often it was woken."""
        found = {}
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            used = int((task / "schedstat").read_text().split()[0]) / 1e9
            woken = next(int(line.split()[1]) for line in (task / "status").read_text().splitlines()
                         if line.startswith("voluntary_ctxt_switches"))
            found[task.name] = ((task / "comm").read_text().strip(), used, woken)
        return found


def pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def words(pid: int, what: str) -> list[str]:
    try:
        return Path(f"/proc/{pid}/{what}").read_text().split("\0")[:-1]
    except OSError:
        return []


def wait(what: str, is_there, limit: float) -> None:
    deadline = time.monotonic() + limit
    while not is_there():
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited {limit:.0f} s for {what}")
        time.sleep(0.5)


def answer(connection: socket.socket) -> bytes:
    """Reads one answer with a length or in chunks."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65_536)
        if not part:
            return data
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n")
                   if line.startswith(b"content-length:")), None)
    while (len(body) < length) if length is not None else not body.endswith(b"0\r\n\r\n"):
        part = connection.recv(65_536)
        if not part:
            break
        body += part
    return head + b"\r\n\r\n" + body


def table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for cells in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip(), flush=True)


def verdict(failures: list[str]) -> None:
    for failure in failures:
        print(f"failed: {failure}", flush=True)
    print("== failed" if failures else "== done", flush=True)
    if failures:
        sys.exit(1)


# Coming and going


def restart(farms: Farms, index: int, program: Path) -> None:
    farms.processes[index].kill()
    farms.processes[index].wait()
    host = f"h{index + 2}"
    farms.processes[index] = farms.start(host, program, "gateway-farm", str(PER_HOST), str(PORT), f"{PREFIX} {host[1:]}")


def soak(agent: Agent, options: argparse.Namespace) -> None:
    farms = Farms(options.test_tool, options.gateways)
    hosts = len(farms.processes) - 1
    agent.start()
    wait(f"{options.gateways} gateways", lambda: agent.answering() >= options.gateways * 0.99, 300)
    reader = agent.connect(EVENTS)
    threading.Thread(target=lambda: drain(reader), daemon=True).start()
    end = time.monotonic() + options.minutes * 60
    rows, notes, turn = [("minute", "answering", "descriptors", "threads", "Private_Dirty", "RSS", "CPU")], [], 0
    begun, used = time.monotonic(), agent.seconds()
    while time.monotonic() < end:
        for _ in range(4):
            restart(farms, turn % hosts, options.test_tool)
            turn += 1
        lab.lab("daemon", HOST, "restart")
        time.sleep(2)
        lab.lab("link", HOST, "eth0", "down")
        time.sleep(6)
        lab.lab("link", HOST, "eth0", "up")
        # At rest again, so that what is noted is what stays: what was missed while the interface was down shows later.
        time.sleep(20)
        rest = time.monotonic() + 180
        while agent.answering() < options.gateways * 0.99 and time.monotonic() < rest:
            time.sleep(3)
        time.sleep(5)
        now, spent = time.monotonic(), agent.seconds()
        note = (agent.descriptors(), agent.threads(), agent.memory())
        notes.append(note)
        rows.append((f"{options.minutes - (end - now) / 60:.1f}", str(agent.answering()), str(note[0]), str(note[1]),
                     f"{note[2]:.1f} MB", f"{agent.memory('Rss'):.1f} MB", f"{(spent - used) / (now - begun) * 100:.1f} %"))
        begun, used = now, spent
        table([rows[0], rows[-1]] if len(rows) == 2 else [rows[-1]])
    print()
    table(rows)
    failures = []
    # What the first rounds fill is not yet full then.
    early, late = notes[len(notes) // 4:len(notes) // 2 + 1], notes[-max(len(notes) // 4, 1):]
    for index, (name, share, more) in enumerate([("descriptors", 0.05, 8), ("threads", 0, 2), ("Private_Dirty", 0.1, 4)]):
        before, after = (statistics.median(note[index] for note in some) for some in (early, late))
        print(f"{name}: {before:.1f} early, {after:.1f} late")
        if after > before * (1 + share) + more:
            failures.append(f"{name} has grown from {before:.1f} to {after:.1f}")
    if int(rows[-1][1]) < options.gateways * 0.99:
        failures.append(f"only {rows[-1][1]} gateways answer at the end")
    print(f"ended {agent.stop() * 1000:.0f} ms after SIGTERM")
    farms.stop()
    verdict(failures)


def drain(connection: socket.socket) -> None:
    connection.settimeout(None)
    try:
        while connection.recv(1_048_576):
            pass
    except OSError:
        pass


# Idle


def idle(agent: Agent, options: argparse.Namespace, folder: str) -> None:
    os.mkdir(f"{folder}/farm")
    farm = Farms.start("h2", options.test_tool, "gateway-farm", "10", str(PORT), PREFIX, f"{folder}/farm")
    address = lab.lab("address", "h2").strip()
    for port in range(PORT, PORT + 10):
        done = agent.run("pair", f"{address}:{port}", "--yes", "--timeout", "20")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
    agent.start()
    request = b"GET /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\n\r\n"

    def connected() -> int:
        with agent.connect(request) as connection:
            return answer(connection).count(b'"state":"connected"')

    wait("ten sessions", lambda: connected() == 10, 60)
    time.sleep(options.minutes * 30)
    before, begun = agent.by_thread(), time.monotonic()
    time.sleep(options.minutes * 30)
    after, passed = agent.by_thread(), time.monotonic() - begun
    threads = []
    for task, (name, used, woken) in after.items():
        _, used_before, woken_before = before.get(task, ("", 0, 0))
        threads.append((used - used_before, woken - woken_before, name))
    share = sum(used for used, _, _ in threads) / passed * 100
    table([("thread", "CPU of a core", "woken a second"),
           *((name, f"{used / passed * 100:.3f} %", f"{woken / passed:.2f}") for used, woken, name in sorted(threads)[::-1]
             if woken)])
    print()
    dirty, rss = agent.memory(), agent.memory("Rss")
    table([("sessions", "minutes", "CPU of a core", "Private_Dirty", "RSS", "threads", "descriptors"),
           (str(connected()), f"{options.minutes:g}", f"{share:.3f} %", f"{dirty:.1f} MB", f"{rss:.1f} MB",
            str(agent.threads()), str(agent.descriptors()))])
    failures = []
    if share >= 0.1:
        failures.append(f"{share:.3f} % of a core, expected less than 0.1 %")
    if dirty >= 30:
        failures.append(f"{dirty:.1f} MB of Private_Dirty, expected less than 30 MB")
    agent.stop()
    farm.kill()
    verdict(failures)


# Readers


class Reader(threading.Thread):
    """Reads events, and notes the time of the first that has a text."""

    def __init__(self, connection: socket.socket, text: bytes) -> None:
        super().__init__(daemon=True)
        self.connection, self.text, self.seen = connection, text, None

    def run(self) -> None:
        self.connection.settimeout(None)
        rest = b""
        while part := self.connection.recv(1_048_576):
            rest += part
            if self.seen is None and self.text in rest:
                self.seen = time.monotonic()
            rest = rest[-len(self.text):]


def readers(agent: Agent, options: argparse.Namespace) -> None:
    farms = Farms(options.test_tool, options.gateways)
    agent.start()
    wait("ten gateways", lambda: agent.answering() >= 10, 60)
    peak, over = [agent.memory()], threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            peak[0] = max(peak[0], agent.memory())

    threading.Thread(target=watch, daemon=True).start()
    stalled = [agent.connect(EVENTS) for _ in range(60)]
    active = [Reader(agent.connect(EVENTS), b'"liveness":"suspect"') for _ in range(4)]
    for reader in active:
        reader.start()
    time.sleep(1)
    refusals = []
    for _ in range(100):
        begun = time.monotonic()
        connection = agent.connect(GATEWAYS)
        data = answer(connection)
        refusals.append(time.monotonic() - begun)
        if not data.startswith(b"HTTP/1.1 503") or b"retry-after" not in data.lower():
            raise RuntimeError(f"expected 503 with Retry-After, found {data[:60]!r}")
        connection.close()
    rows = [("", "p50", "longest"), ("the 65th is refused", *times(refusals))]

    # Room for requests, ten of which never end.
    for connection in stalled[:24]:
        connection.close()
    time.sleep(0.5)
    half = [agent.connect(b"POST /api/v1/scan HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n") for _ in range(10)]
    latencies: list[float] = []
    errors: list[str] = []

    def ask(count: int) -> None:
        try:
            connection = agent.connect()
            for _ in range(count):
                begun = time.monotonic()
                connection.sendall(GATEWAYS)
                if not answer(connection).startswith(b"HTTP/1.1 200"):
                    raise RuntimeError("expected status 200")
                latencies.append(time.monotonic() - begun)
        except Exception as error:  # noqa: BLE001
            errors.append(str(error))

    def send() -> None:
        for _ in range(20):
            try:
                connection = agent.connect(b"POST /api/v1/scan HTTP/1.1\r\nHost: a\r\nContent-Length: 10485760\r\n\r\n")
                connection.sendall(b" " * 10_485_760)
                connection.recv(1024)
            except OSError:
                pass

    begun = time.monotonic()
    workers = [threading.Thread(target=ask, args=(options.requests // 8,)) for _ in range(8)]
    workers.append(threading.Thread(target=send))
    for worker in workers:
        worker.start()
    # In the middle of it, all gateways are killed.
    while len(latencies) < options.requests // 2 and not errors:
        time.sleep(0.05)
    killed = time.monotonic()
    for process in farms.processes[:-1]:
        process.kill()
    for worker in workers:
        worker.join()
    took = time.monotonic() - begun
    wait("the readers", lambda: all(reader.seen for reader in active), 20)
    over.set()
    suspects = [reader.seen - killed for reader in active]
    rows += [(f"{len(latencies)} requests, {len(latencies) / took:.0f} a second", *times(latencies)),
             ("suspect is told to the four", *times(suspects))]
    table(rows)
    print(f"Private_Dirty at most {peak[0]:.1f} MB; ended {agent.stop() * 1000:.0f} ms after SIGTERM")
    farms.stop()
    failures = [f"a request: {error}" for error in errors]
    if peak[0] >= 80:
        failures.append(f"{peak[0]:.1f} MB, expected less than 80 MB")
    if statistics.median(refusals) >= 0.1:
        failures.append("the 65th waits longer than 100 ms")
    if max(suspects) >= 5:
        failures.append("suspect is told later than after 5 s")
    del half, stalled
    verdict(failures)


def times(some: list[float]) -> tuple[str, str]:
    return (f"{statistics.median(some) * 1000:.1f} ms", f"{max(some) * 1000:.1f} ms")


def main() -> None:
    options = parse_arguments()
    if "CLAWRADAR_SOAK" in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            agent = Agent(options.clawradar, folder)
            if options.idle:
                idle(agent, options, folder)
            elif options.readers:
                readers(agent, options)
            else:
                soak(agent, options)
        return
    os.environ["CLAWRADAR_SOAK"] = "1"
    hosts = 1 + -(-options.gateways // PER_HOST)
    bare = [word for number in range(2, hosts + 1) for word in ("--no-daemon", f"h{number}")]
    os.execv(LAB, [str(LAB), "run", str(hosts), *bare, "--", sys.executable, __file__, *sys.argv[1:]])


if __name__ == "__main__":
    main()
