"""Runs one process on a host of the lab, and measures when its output came and what it cost."""

from __future__ import annotations

import ctypes
import fcntl
import os
import select
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent / "lab"

# The steps before the measured program (lab → nsenter → sh) cost more than avahi-browse itself: they run first, and
# then wait for a line. The program is a *child* of sh rather than its successor, because ru_maxrss survives exec:
# otherwise every program would show the peak of this harness.
GATE = 'echo ready; read -r _; "$@" </dev/null & echo $! >"$0"'

PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Outcome:
    """The measurements of one process. Times are seconds since just before its fork and exec."""

    chunks: list[tuple[float, bytes]]
    """Its output in pieces as they were read, each with its time. It is parsed only after the process has ended."""
    wall: float
    user: float
    system: float
    rss_kib: int
    exit_code: int
    """The status as in a shell; also 137 if the time limit ended the process."""
    timed_out: bool
    stderr: str


def adopt_orphans(adopt: bool) -> None:
    """Sets whether this process becomes the parent of its children's orphans, because wait4 sees only children.
    It must not last longer than needed: the lab's daemons would be adopted as well, and when killed remain as
    zombies that the lab takes for running daemons."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def run(host: str, command: list[str], limit: float) -> Outcome:
    """Runs `command` on `host` until it ends, or kills it after `limit` seconds."""
    with tempfile.TemporaryDirectory() as folder:
        pid_file, errors = Path(folder, "pid"), Path(folder, "stderr")
        with errors.open("wb") as stderr:
            launcher = subprocess.Popen(
                [LAB, "exec", host, "sh", "-c", GATE, pid_file, *command],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, bufsize=0,
            )
        assert launcher.stdin and launcher.stdout
        output = launcher.stdout.fileno()
        # A large pipe, so that the program never waits for this harness to read.
        fcntl.fcntl(output, fcntl.F_SETPIPE_SZ, 1 << 20)
        if launcher.stdout.read(6) != b"ready\n":
            launcher.wait()
            raise RuntimeError(f"{host}: {errors.read_text(errors='replace').strip()}")

        adopt_orphans(True)
        start = time.monotonic()
        launcher.stdin.write(b"\n")
        chunks, timed_out = read_until_end(output, start, limit)
        launcher.wait()
        adopt_orphans(False)
        pid = int(pid_file.read_text())
        if timed_out:
            os.kill(pid, 9)
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - start
        launcher.stdin.close()
        launcher.stdout.close()
        code = os.waitstatus_to_exitcode(status)
        return Outcome(
            chunks, wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss,
            code if code >= 0 else 128 - code, timed_out,
            errors.read_text(errors="replace")[-2000:],
        )


def read_until_end(
    output: int, start: float, limit: float
) -> tuple[list[tuple[float, bytes]], bool]:
    chunks: list[tuple[float, bytes]] = []
    poller = select.poll()
    poller.register(output, select.POLLIN)
    while (left := start + limit - time.monotonic()) > 0:
        if not poller.poll(left * 1000):
            continue
        data = os.read(output, 1 << 16)
        if not data:
            return chunks, False
        chunks.append((time.monotonic() - start, data))
    return chunks, True


def lines(chunks: list[tuple[float, bytes]]) -> list[tuple[float, str]]:
    """Returns the lines of an output, each with the time at which its last byte had arrived."""
    result, rest = [], b""
    for when, data in chunks:
        *whole, rest = (rest + data).split(b"\n")
        result += [(when, line.decode(errors="replace")) for line in whole]
    return result
