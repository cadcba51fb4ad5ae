"""The results of runs, their medians and ratios, and the printed table."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """One run of one tool. Times are seconds from its start; None if the event did not happen."""

    run: int
    tool: str
    found: int
    wrong: int
    rows: int
    first: float | None
    all: float | None
    begun: float | None
    all_rows: float | None
    wall: float
    user: float
    system: float
    daemon_cpu: float
    bus_cpu: float
    rss_kib: int
    packets: int
    octets: int
    exit_code: int
    timed_out: bool
    stderr: str


Metric = Callable[[Result], float | None]


def since_begun(time: float | None, begun: float | None) -> float | None:
    return None if time is None or begun is None else time - begun


METRICS: dict[str, Metric] = {
    "first_s": lambda r: r.first,
    "all_s": lambda r: r.all,
    "browse_to_first_s": lambda r: since_begun(r.first, r.begun),
    "browse_to_all_s": lambda r: since_begun(r.all, r.begun),
    "all_rows_s": lambda r: r.all_rows,
    "wall_s": lambda r: r.wall,
    "cpu_s": lambda r: r.user + r.system,
    "daemon_cpu_s": lambda r: r.daemon_cpu,
    "bus_cpu_s": lambda r: r.bus_cpu,
    "total_cpu_s": lambda r: r.user + r.system + r.daemon_cpu + r.bus_cpu,
    "rss_kib": lambda r: r.rss_kib,
    "packets": lambda r: r.packets,
    "bytes": lambda r: r.octets,
}


def median(values: list[float | None]) -> float | None:
    """Returns the median. A missing value counts as later than all others, so that a tool that misses services
    in most runs has no time at all rather than that of its lucky runs."""
    middle = statistics.median(math.inf if value is None else value for value in values)
    return None if math.isinf(middle) else middle


def of_tool(results: list[Result], tool: str) -> list[Result]:
    return [result for result in results if result.tool == tool]


def summary(results: list[Result], tool: str, count: int) -> dict[str, object]:
    mine = of_tool(results, tool)
    found = [result.found for result in mine]
    return {
        "runs": len(mine),
        "found_min": min(found),
        "found_max": max(found),
        "complete_runs": sum(n == count for n in found),
        "failed_runs": sum(r.exit_code != 0 for r in mine),
        "timed_out_runs": sum(r.timed_out for r in mine),
        "wrong_max": max(r.wrong for r in mine),
        **{name: median([metric(r) for r in mine]) for name, metric in METRICS.items()},
        **spread("first_s", [r.first for r in mine]),
        **spread("all_s", [r.all for r in mine]),
    }


def spread(name: str, values: list[float | None]) -> dict[str, float | None]:
    known = [value for value in values if value is not None]
    return {f"{name}_min": min(known, default=None), f"{name}_max": max(known, default=None)}


def ratios(results: list[Result], ours: str, theirs: str) -> dict[str, dict[str, float | int]]:
    """Returns the median of ours ÷ theirs within the same round: noise that lasts longer than a round affects both.
    Rounds in which either has no figure or has found nothing (a crash is cheap) are left out; `rounds` is the
    number of those that remain."""
    by_run = {result.run: result for result in of_tool(results, theirs) if result.found}
    found: dict[str, dict[str, float | int]] = {}
    for name, metric in METRICS.items():
        quotients = []
        for mine in (result for result in of_tool(results, ours) if result.found):
            other = by_run.get(mine.run)
            a, b = metric(mine), metric(other) if other else None
            if a is not None and b:
                quotients.append(a / b)
        if quotients:
            found[name] = {"median": statistics.median(quotients), "rounds": len(quotients)}
    return found


## The table

def seconds(value: object) -> str:
    if not isinstance(value, (int, float)):
        return "–"
    return f"{value * 1000:.1f} ms" if value < 0.9995 else f"{value:.2f} s"


def size(value: object) -> str:
    if not isinstance(value, (int, float)):
        return "–"
    return f"{value / 1000:.1f} kB" if value < 999_950 else f"{value / 1e6:.2f} MB"


def number(value: object) -> str:
    return f"{value:.0f}" if isinstance(value, (int, float)) else "–"


COLUMNS: list[tuple[str, str, Callable[[object], str]]] = [
    ("first", "first_s", seconds),
    ("all", "all_s", seconds),
    ("browse: first", "browse_to_first_s", seconds),
    ("all", "browse_to_all_s", seconds),
    ("CPU tool", "cpu_s", seconds),
    ("daemon", "daemon_cpu_s", seconds),
    ("bus", "bus_cpu_s", seconds),
    ("sum", "total_cpu_s", seconds),
    ("RSS", "rss_kib", lambda kib: size(kib * 1024 if isinstance(kib, (int, float)) else None)),
    ("packets", "packets", number),
    ("bytes", "bytes", size),
]


def found_cell(figures: dict[str, object], count: int) -> str:
    low, high = figures["found_min"], figures["found_max"]
    return f"{low}/{count}" if low == high else f"{low}–{high}/{count}"


def table(case: dict[str, object]) -> str:
    """Returns the table of one case: a row for each tool, then the ratios."""
    count = case["services"]
    assert isinstance(count, int)
    summaries, quotients = case["summary"], case["ratios"]
    assert isinstance(summaries, dict) and isinstance(quotients, dict)
    rows = [["", "found", *(title for title, _, _ in COLUMNS)]]
    for tool, figures in summaries.items():
        cells = [form(figures[key]) for _, key, form in COLUMNS]
        rows.append([tool, found_cell(figures, count), *cells])
    for pair, figures in quotients.items():
        cells = [
            f"× {figures[key]['median']:.3g}" if key in figures else "–" for _, key, _ in COLUMNS
        ]
        rows.append([pair, "", *cells])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    head = (
        f"{count} services published by {case['publisher']}, {case['mode']}; "
        f"{case['rounds']} rounds, medians; cache-entries-max {case['cache_entries_max']}"
    )
    body = [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))])
        for row in rows
    ]
    return "\n".join([head, *body, *remarks(summaries, count)]) + "\n"


def remarks(summaries: dict[str, dict[str, object]], count: int) -> list[str]:
    """Returns remarks on what the medians would hide."""
    found = []
    for tool, figures in summaries.items():
        for key, text in [
            ("timed_out_runs", "did not end and was killed"),
            ("failed_runs", "ended with an error"),
        ]:
            if figures[key]:
                found.append(f"  {tool} {text} in {figures[key]} runs")
        low, high = figures["all_s_min"], figures["all_s_max"]
        if isinstance(low, float) and isinstance(high, float) and high > 2 * low:
            found.append(f"  {tool} had all after {seconds(low)} to {seconds(high)}")
        if figures["complete_runs"] not in (0, figures["runs"]):
            found.append(
                f"  {tool} found all in {figures['complete_runs']} of {figures['runs']} runs")
        if figures["wrong_max"]:
            found.append(f"  {tool} told up to {figures['wrong_max']} services wrongly")
    return found
