"""Tables of the figures of programs that keep sessions, compared with their targets."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

from kept import Memory

# The targets of issue 14, for 500 TLS sessions on 2 cores.
BARS = {"rss": 150.0, "cpu": 0.01, "back": 20.0, "one": 0.5}
NEVER = 60.0


@dataclass
class Figures:
    """The figures of one program. Times are in seconds; None if the event did not happen."""

    kind: str
    count: int
    all_connected: float | None = None
    memory: Memory | None = None
    idle_cpu: float | None = None
    """As a share of one core: 1 is a whole core."""
    back: float | None = None
    """The time from the last gateway's listening to the last session."""
    attempts: dict[int, int] = field(default_factory=dict)
    """The number of TCP connections begun in each second; 0 is the first second after all gateways listened again."""
    returns: dict[int, int] = field(default_factory=dict)
    """The number of sessions connected again in each second, likewise."""
    memory_after: Memory | None = None
    load: float = 0


def seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} s"


def megabytes(kib: int | None) -> str:
    return "-" if kib is None else f"{kib / 1024:.1f} MB"


def aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def table(results: list[Figures]) -> list[str]:
    rows = [["sessions", "", "connected", "RSS", "Pss", "private", "peak", "CPU idle", "all back", "RSS after", "load"]]
    for run in results:
        memory = run.memory
        rows.append([
            str(run.count), run.kind, seconds(run.all_connected), megabytes(memory and memory.rss),
            megabytes(memory and memory.pss), megabytes(memory and memory.private_dirty),
            megabytes(memory and memory.peak), "-" if run.idle_cpu is None else f"{run.idle_cpu:.2%}", seconds(run.back),
            megabytes(run.memory_after and run.memory_after.rss), f"{run.load:.1f}",
        ])
    other = next((run for run in results if run.kind == "websockets"), None)
    for run in results:
        if other and run is not other and run.memory and other.memory and run.idle_cpu is not None and other.idle_cpu:
            rows.append(["", f"{run.kind} ÷ websockets", "", f"× {run.memory.rss / other.memory.rss:.2f}", "", "", "",
                         f"× {run.idle_cpu / other.idle_cpu:.2f}", "", "", ""])
    lines = aligned(rows) if results else []
    for run in results:
        lines += histogram(run)
    return lines


def histogram(run: Figures) -> list[str]:
    """Returns a line for each second after the gateways listened again, and the total of the attempts before that."""
    if not run.attempts and not run.returns:
        return []
    before = [count for second, count in run.attempts.items() if second < -1]
    lines = ["", f"{run.kind}: attempts and sessions back, by second since all gateways listened again; "
             f"{sum(before)} attempts before, at most {max(before, default=0)} in a second"]
    last = max([second for second, count in run.returns.items() if count], default=0)
    for second in range(-1, last + 1):
        tried, back = run.attempts.get(second, 0), run.returns.get(second, 0)
        lines.append(f"{second:4} s  {tried:4} {back:4}  {'#' * -(-back // 4)}")
    return lines


def median(values: list[float | None]) -> float:
    """Returns the median; a missing value counts as later than all others."""
    return statistics.median(NEVER if value is None else value for value in values)


def one_table(single: dict[str, list[float | None]]) -> list[str]:
    if not single:
        return []
    rows = [["one session, to connected", "median", "least", "most", "rounds"]]
    for what, values in single.items():
        there = [value for value in values if value is not None]
        rows.append([what, f"{median(values) * 1000:.0f} ms", f"{min(there, default=NEVER) * 1000:.0f} ms",
                     f"{max(there, default=NEVER) * 1000:.0f} ms", f"{len(there)} of {len(values)}"])
    return ["", *aligned(rows)]


def verdicts(results: list[Figures], single: dict[str, list[float | None]]) -> list[str]:
    """Returns a line for each figure that has a target."""
    lines = [""]

    def judge(what: str, found: str, bar: str, reached: bool) -> None:
        lines.append(f"{'reached       ' if reached else 'did NOT reach '} {what}: {found} ({bar})")

    for run in results:
        if run.kind == "websockets" or not run.memory or run.idle_cpu is None:
            continue
        largest = max(run.memory.rss, run.memory_after.rss if run.memory_after else 0) / 1024
        judge(f"{run.kind}, RSS", f"{largest:.1f} MB", f"at most {BARS['rss']:.0f} MB", largest <= BARS["rss"])
        judge(f"{run.kind}, CPU idle", f"{run.idle_cpu:.2%}", "less than 1 % of a core", run.idle_cpu < BARS["cpu"])
        judge(f"{run.kind}, all back after the outage", seconds(run.back), f"within {BARS['back']:.0f} s",
              run.back is not None and run.back <= BARS["back"])
    for what, values in single.items():
        found, text = median(values), f"median of {len(values)} at most {BARS['one'] * 1000:.0f} ms"
        if what == "gateway CONT":
            lines.append(f"not asked for   one session, {what}: {found * 1000:.0f} ms; nothing tells the client")
        else:
            judge(f"one session, {what}", f"{found * 1000:.0f} ms", text, found <= BARS["one"])
    return lines
