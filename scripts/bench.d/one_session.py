"""Measures how soon one session is connected again after the client slept, the link was down, or the gateway hung."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import lab
from farms import Farm
from kept import Keeper

# A session that lasted 10 s counts as stable, and is reconnected without a back-off.
LASTED = 11.0
SLEEP = 6.0
LIMIT = 60.0

Round = Callable[[Keeper, Farm, str], float | None]


def connected_after(keeper: Keeper, moment: float) -> float | None:
    when = keeper.wait_change(True, moment, LIMIT)
    return None if when is None else when - moment


def waking(keeper: Keeper, farm: Farm, host: str) -> float | None:
    """The client sleeps while the gateway restarts: its earlier session no longer exists when it wakes."""
    keeper.signal(signal.SIGSTOP)
    time.sleep(SLEEP / 2)
    farm.kill()
    farm.start()
    time.sleep(SLEEP / 2)
    moment = time.monotonic()
    keeper.signal(signal.SIGCONT)
    return connected_after(keeper, moment)


def waking_unheard(keeper: Keeper, farm: Farm, host: str) -> float | None:
    """The same, but the client never receives the end of the session: its link is down meanwhile, like a laptop's."""
    keeper.signal(signal.SIGSTOP)
    lab.lab("link", host, "eth0", "down")
    farm.kill()
    farm.start()
    time.sleep(SLEEP)
    lab.lab("link", host, "eth0", "up")
    moment = time.monotonic()
    keeper.signal(signal.SIGCONT)
    return connected_after(keeper, moment)


def link(keeper: Keeper, farm: Farm, host: str) -> float | None:
    """The link is down until some seconds after the session was given up."""
    moment = time.monotonic()
    lab.lab("link", host, "eth0", "down")
    if keeper.wait_change(False, moment, LIMIT) is None:
        return None
    time.sleep(SLEEP)
    moment = time.monotonic()
    lab.lab("link", host, "eth0", "up")
    return connected_after(keeper, moment)


def hanging(keeper: Keeper, farm: Farm, host: str) -> float | None:
    """The gateway is frozen until some seconds after the session was given up; nothing announces that it runs again."""
    assert farm.process
    moment = time.monotonic()
    farm.process.send_signal(signal.SIGSTOP)
    ended = keeper.wait_change(False, moment, LIMIT)
    time.sleep(SLEEP)
    moment = time.monotonic()
    farm.process.send_signal(signal.SIGCONT)
    return None if ended is None else connected_after(keeper, moment)


ROUNDS: dict[str, Round] = {
    "client CONT": waking, "client CONT, link up": waking_unheard, "link up": link, "gateway CONT": hanging,
}


def measure(
    client: Path, pair: Callable[[list[tuple[str, int]], Path], None], farm: Farm, host: str, store: Path, repeats: int,
) -> dict[str, list[float | None]]:
    """Returns the seconds to *connected* in each round; None if a minute was not enough."""
    farm.start()
    pair(farm.places, store)
    keeper = Keeper(host, [client, "connect", "--format", "ndjson"], store)
    results: dict[str, list[float | None]] = {}
    try:
        if not keeper.wait(1, LIMIT):
            raise RuntimeError(f"the one session was never connected: {keeper.errors}")
        for what, once in ROUNDS.items():
            results[what] = []
            for turn in range(1, repeats + 1):
                time.sleep(LASTED)
                results[what].append(once(keeper, farm, host))
                taken = results[what][-1]
                print(f"bench: one session, {what} {turn}/{repeats}: "
                      f"{'not back' if taken is None else f'{taken * 1000:.0f} ms'}", file=sys.stderr, flush=True)
    finally:
        keeper.end()
        farm.kill()
    return results
