"""Measures the backup in the cloud with the tool itself; a report, in which nothing fails but what cannot be done.

usage: bench.py URL#KEY FOLDER BINARIES: see device.py.
"""

import contextlib
import json
import statistics
import subprocess
import time

from device import BINARIES, ROOT, STATE, environment, expect, gateway, run, sign_in, tell, typed_at, user

PAIRINGS = 1_000
VERBS = 15
IDLE = 60


@contextlib.contextmanager
def agent(name):
    process = subprocess.Popen([BINARIES / "clawradar", "agent"], env=environment(name), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        until("an agent", lambda: ", process " in run(name, "agent", "status", status=None))
        yield
    finally:
        process.terminate()
        process.wait(10)


def until(what, holds, limit=60):
    """Waits for something, and returns the time at which it was there."""
    deadline = time.monotonic() + limit
    while not holds():
        expect(what, time.monotonic() < deadline)
        time.sleep(0.05)
    return time.monotonic()


def requests():
    return (STATE / "server.log").read_text(errors="replace").count("/rest/") + \
        (STATE / "server.log").read_text(errors="replace").count("/auth/")


def connecting():
    """A second device with an agent has what the first has paired."""
    run("one", "pair", "127.0.0.1:3117", "--yes")
    code = sign_in("one", user_of["one"])
    with agent("two"):
        sign_in("two", user_of["one"], code)
        typed = typed_at[0]
        connected = until("a session", lambda: " connected " in run("two", "status", status=None))
        print(f"from the recovery code to connected   {connected - typed:7.2f} s")
        time.sleep(5)
        before = requests()
        time.sleep(IDLE)
        print(f"requests of an agent in {IDLE} s idle     {requests() - before:7d}")


def many():
    """A store of many pairings is sent, and read by another device."""
    bots = [{"id": f"00000000-0000-4000-8000-{number:012x}", "name": f"Bot {number}", "host": f"10.{number // 250}.1.{number % 250 + 1}",
             "port": 3000, "token": f"token-{number}", "isEnabled": False} for number in range(PAIRINGS)]
    file = ROOT / "bots.json"
    file.write_text(json.dumps(bots))
    run("three", "migrate", str(file))
    expect("all are imported", len(json.loads(run("three", "pairings", "--format", "json"))["pairings"]) == PAIRINGS)
    code = sign_in("three", user_of["three"])
    print(f"{PAIRINGS} pairings sent at sign-in          {time.monotonic() - typed_at[0]:7.2f} s")
    sign_in("four", user_of["three"], code)
    print(f"{PAIRINGS} pairings read by another device   {time.monotonic() - typed_at[0]:7.2f} s")
    expect("all have come", len(json.loads(run("four", "pairings", "--format", "json"))["pairings"]) == PAIRINGS)


def verbs():
    """A change by a verb takes no longer while the server does not answer."""
    run("five", "pair", "127.0.0.1:3117", "--yes")
    tell("/test/faults", [{"do": "slow", "seconds": 60, "match": "/", "times": 10_000}])
    times = {"one": [], "five": []}
    for number in range(VERBS):
        for name, kept in times.items():
            start = time.monotonic()
            run(name, "alias", "Attic", f"Name {number}")
            kept.append(time.monotonic() - start)
    tell("/test/faults", [])
    one, five = (statistics.median(kept) for kept in times.values())
    print(f"alias with a server that is silent    {one * 1000:7.1f} ms, without a cloud {five * 1000:.1f} ms: x {one / five:.2f}")


user_of = {}


def main():
    user_of.update(one=user(1), three=user(2))
    with gateway():
        connecting()
        verbs()
        many()


main()
