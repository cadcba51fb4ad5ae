"""Runs programs on hosts of the lab, with time limits."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent / "lab"


def lab(*arguments: str) -> str:
    done = subprocess.run([LAB, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"lab {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def addresses(host: str) -> frozenset[str]:
    return frozenset({lab("address", host), lab("address", host, "-6")})


def run(host: str, *command: str, limit: float = 20) -> str | None:
    """Returns the output of a program; None if it fails or does not end in time."""
    try:
        return subprocess.run(
            [LAB, "exec", host, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, timeout=limit, check=True,
        ).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None


class Program:
    """A program that keeps running, and whose output lines can be waited for."""

    def __init__(self, host: str, *command: str) -> None:
        self._process = subprocess.Popen(
            [LAB, "exec", host, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )
        self.lines: list[str] = []
        self._coming: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._coming.put(line)

    def line(self, wanted: Callable[[str], bool], limit: float) -> str | None:
        """Waits for the next line that is wanted; None if none comes in time."""
        end = time.monotonic() + limit
        while (left := end - time.monotonic()) > 0:
            try:
                line = self._coming.get(timeout=left)
            except queue.Empty:
                return None
            self.lines.append(line)
            if wanted(line):
                return line
        return None

    def end(self) -> None:
        """Ends the program with SIGTERM, and after 5 seconds with SIGKILL."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(5)

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def until(limit: float, attempt: Callable[[], bool]) -> bool:
    """Repeats an attempt, without pauses, until it succeeds or the time is up."""
    end = time.monotonic() + limit
    while not attempt():
        if time.monotonic() > end:
            return False
    return True


def note(text: str) -> None:
    if os.environ.get("CLAWRADAR_INTEROP_VERBOSE"):
        print(f"interop: {text}", file=sys.stderr, flush=True)
