"""Measures the backup in the cloud with the tool itself; a report, in which nothing fails but what cannot be done.

usage: bench.py URL#KEY FOLDER BINARIES: see device.py.
"""

import base64
import json
import os
import statistics
import time

from device import PASSPHRASE, ROOT, STATE, age, agent, expect, gateway, run, sign_in, tell, typed_at, until, user

PAIRINGS = 1_000
VERBS = 15
IDLE = 60


def requests():
    return [line for line in (STATE / "server.log").read_text(errors="replace").splitlines() if "/test/" not in line]


def connecting():
    """A second device with an agent has what the first has paired."""
    run("one", "pair", "127.0.0.1:3117", "--yes")
    code = sign_in("one", user_of["one"])
    with agent("two"):
        sign_in("two", user_of["one"], code)
        typed = typed_at[0]
        connected = until("a session", lambda: " connected " in run("two", "status", status=None))
        print(f"from the recovery code to connected   {connected - typed:7.2f} s")
        # What tells that it was connected goes first.
        time.sleep(15)
        before = len(requests())
        time.sleep(IDLE)
        print(f"requests of an agent in {IDLE} s, 15 s after{len(requests()) - before:7d}")
        for line in requests()[before:]:
            print(f"  {line[:100]}")


def between():
    """What one device does reaches another one, both with agents."""
    with agent("one"), agent("two"):
        for what, verb, kept in (("an unpairing", ["unpair", "Attic"], 0), ("a pairing", ["pair", "127.0.0.1:3117"], 1)):
            run("one", *verb, "--yes")
            start = time.monotonic()
            there = until(what, lambda kept=kept: count("two") == kept)
            print(f"{what:13} is on another device after  {there - start:7.2f} s")


def pairing(model, number):
    """Another pairing like this one, with one bot."""
    leaf = f"{number:064x}"
    (first, *_) = model["credentials"]
    return {**model, "id": f"{number:032x}", "gatewayID": f"fingerprint:{leaf}", "name": f"Gateway {number}",
            "fingerprint": base64.b64encode(leaf.encode()).decode(), "trust": {"kind": "pinned", "leaf": leaf},
            "places": [{"address": f"10.{number // 250}.1.{number % 250 + 1}", "port": 3000, "resource": "/"}],
            "bots": model["bots"][:1], "credentials": [{**first, "id": f"{number:032x}", "token": f"{number:064x}"}]}


def many():
    """A store of many pairings, which a file of age has brought, is sent, and read by another device."""
    key, copy, content, made = (ROOT / name for name in ("passphrase", "copy.age", "copy.json", "made.age"))
    with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(PASSPHRASE + "\n")
    run("one", "device", "copy", str(copy), "--passphrase-file", str(key))
    age("-d", "-o", content, copy)
    document = json.loads(content.read_text())
    # A key that comes along would be that of the cloud, and no recovery code shown.
    document.pop("vault", None)
    document["pairings"] = [pairing(document["pairings"][0], number + 1) for number in range(PAIRINGS)]
    content.write_text(json.dumps(document))
    age("-p", "-o", made, content)
    os.chmod(made, 0o600)
    start = time.monotonic()
    run("three", "device", "import", str(made), "--passphrase-file", str(key), "--yes", timeout=300)
    print(f"{PAIRINGS} pairings of a file imported       {time.monotonic() - start:7.2f} s")
    expect("all are imported", count("three") == PAIRINGS)
    code = sign_in("three", user_of["three"])
    print(f"{PAIRINGS} pairings sent at sign-in          {time.monotonic() - typed_at[0]:7.2f} s")
    sign_in("four", user_of["three"], code)
    print(f"{PAIRINGS} pairings read by another device   {time.monotonic() - typed_at[0]:7.2f} s")
    expect("all have come", count("four") == PAIRINGS)


def count(name):
    return len(json.loads(run(name, "pairings", "--format", "json"))["pairings"])


def verbs():
    """A change by a verb takes no longer while the server does not answer."""
    run("five", "pair", "127.0.0.1:3117", "--yes")
    tell("/test/faults", [{"do": "slow", "seconds": 60, "match": "/", "times": 10_000}])
    times = {"one": [], "five": []}
    for number in range(VERBS):
        for name, kept in times.items():
            start = time.monotonic()
            run(name, "accent", "Jarvis", f"{number:06x}")
            kept.append(time.monotonic() - start)
    tell("/test/faults", [])
    one, five = (statistics.median(kept) for kept in times.values())
    print(f"accent with a server that is silent   {one * 1000:7.1f} ms, without a cloud {five * 1000:.1f} ms: x {one / five:.2f}")


user_of = {}


def main():
    user_of.update(one=user(1), three=user(2))
    with gateway():
        connecting()
        between()
        verbs()
        many()


main()
