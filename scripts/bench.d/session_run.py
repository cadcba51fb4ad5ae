"""Measures one program that keeps many sessions: connecting, idling, and reconnecting after an outage."""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from farms import Farms
from kept import Keeper
from measure import LAB
from session_report import Figures

CLIENT = "h1"
SYN_TIMES = Path(__file__).resolve().parent / "syn_times.py"
START_LIMIT = 180.0
BACK_LIMIT = 120.0


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Attempts:
    """The TCP connections that the client's host begins, in order of time."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([LAB, "exec", CLIENT, sys.executable, SYN_TIMES],
                                        stdout=subprocess.PIPE, text=True)
        assert self.process.stdout and self.process.stdout.readline() == "ready\n"

    def end(self) -> list[float]:
        self.process.terminate()
        output, _ = self.process.communicate()
        return [float(line.split()[0]) for line in output.splitlines()]


def histogram(times: list[float], zero: float) -> dict[int, int]:
    """Returns the number of times in each second before and after `zero`."""
    return dict(sorted(Counter(math.floor(time - zero) for time in times).items()))


def idle(keeper: Keeper, seconds: float) -> float:
    before, start = keeper.cpu(), time.monotonic()
    time.sleep(seconds)
    return (keeper.cpu() - before) / (time.monotonic() - start)


def outage(figures: Figures, keeper: Keeper, farms: Farms, seconds: float) -> None:
    say(f"{figures.kind}: all gateways are gone for {seconds:.0f} s")
    farms.kill()
    if not keeper.wait(0, 30):
        say(f"{figures.kind}: {len(keeper.connected)} sessions have not noticed in 30 s")
    attempts = Attempts()
    time.sleep(seconds)
    first, last = farms.start()
    say(f"{figures.kind}: they listen again, the last {last - first:.1f} s after the first")
    keeper.wait(figures.count, BACK_LIMIT)
    back = [change.when for change in keeper.changes if change.connected and change.when >= first - 1]
    if len(keeper.connected) == figures.count:
        figures.back = max(back) - last
        say(f"{figures.kind}: all are back after {figures.back:.1f} s")
    else:
        say(f"{figures.kind}: {len(keeper.connected)} of {figures.count} are back after {BACK_LIMIT:.0f} s")
    figures.attempts, figures.returns = histogram(attempts.end(), last), histogram(back, last)
    if ended := keeper.ended:
        say(f"{figures.kind}: {ended}")
    else:
        figures.memory_after = keeper.memory()


def run(kind: str, keeper: Keeper, farms: Farms, options: argparse.Namespace) -> Figures:
    """Measures connecting, idling, and reconnecting after an outage."""
    figures = Figures(kind, options.count)
    try:
        if keeper.wait(options.count, START_LIMIT):
            figures.all_connected = max(change.when for change in keeper.changes) - keeper.began
        else:
            say(f"{kind}: {len(keeper.connected)} of {options.count} are connected after {START_LIMIT:.0f} s; "
                f"it said {keeper.errors[-3:]}")
        if ended := keeper.ended:
            say(f"{kind}: {ended}")
            return figures
        say(f"{kind}: {len(keeper.connected)} connected, after {figures.all_connected or START_LIMIT:.1f} s; "
            f"{options.settle:.0f} s to settle, {options.idle:.0f} s idle")
        time.sleep(options.settle)
        figures.idle_cpu = idle(keeper, options.idle) if not keeper.ended else None
        if ended := keeper.ended:
            say(f"{kind}: {ended}")
            return figures
        figures.memory, figures.load = keeper.memory(), os.getloadavg()[0]
        say(f"{kind}: {figures.memory.rss / 1024:.1f} MB, {figures.idle_cpu:.2%} of a core; load {figures.load:.1f}")
        if kind != "websockets":
            outage(figures, keeper, farms, options.outage)
    finally:
        keeper.end()
    return figures
