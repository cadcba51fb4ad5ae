"""Takes two devices through the cloud with the tool itself: pair, sign in, a second device, rename, unpair, sign out.

usage: try.py URL#KEY FOLDER BINARIES: see device.py.
"""

import base64
import json
import os
import re
import sqlite3
import subprocess
import time
from pathlib import Path

from device import (PASSPHRASE, PASSWORD, PROJECT, ROOT, STATE, age, expect, gateway, passed, run, sign_in, tell, user)

DUMP = lambda: subprocess.run([Path(__file__).parent.parent / "cloud", "dump"], capture_output=True, check=True).stdout


def endure(name):
    """Syncs with a hostile server, which is refused and said; nothing is lost."""
    for fault, status, words in (
        ({"do": "redirect", "to": "http://127.0.0.1:1/"}, 1, "redirect"), ({"do": "html"}, 69, "something else than JSON"),
        ({"do": "endless"}, 69, "more than"), ({"do": "cut"}, 69, ""), ({"do": "expired"}, 69, "401"),
        ({"do": "status", "status": 429, "headers": {"Retry-After": "7"}}, 69, "429"),
    ):
        tell("/test/faults", [{**fault, "match": "/rest/", "times": 50}])
        shown = run(name, "cloud", "sync", status=status)
        expect(f"{fault['do']} is said", words in shown, shown)
    expect("all of it is told", "times" in (status := run(name, "cloud", "status")), status)
    tell("/test/faults", [])
    tell("/test/clock", {"offset": 366 * 86400})
    expect("a clock that is a year off", "hours" in (shown := run(name, "cloud", "sync", status=1)), shown)
    tell("/test/clock", {"offset": 0})
    expect("all is as before", "as in the cloud" in (shown := run(name, "cloud", "sync")), shown)
    expect("nothing is lost", "Attic" in run(name, "pairings"))


def carry():
    """Takes a copy of one device to another, by way of age itself."""
    key, copy, content, again = (ROOT / name for name in ("passphrase", "copy.age", "copy.json", "again.age"))
    with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(PASSPHRASE + "\n")
    run("four", "device", "copy", str(copy), "--passphrase-file", str(key))
    expect("a copy is its owner's", copy.stat().st_mode & 0o777 == 0o600)
    age("-d", "-o", content, copy)
    expect("age opens a copy", json.loads(content.read_text())["clawradar"] == "device")
    age("-p", "-o", again, content)
    content.unlink()
    os.chmod(again, 0o600)
    shown = run("five", "device", "import", str(again), "--passphrase-file", str(key), "--yes")
    expect("what age has sealed is imported", "Attic" in run("five", "pairings"), shown)
    key.write_text("another passphrase\n")
    run("six", "device", "import", str(again), "--passphrase-file", str(key), "--yes", status=69)
    greedy = again.read_bytes().replace(b" 18\n", b" 30\n", 1)
    again.write_bytes(greedy)
    started = time.monotonic()
    shown = run("six", "device", "import", str(again), "--passphrase-file", str(key), "--yes", status=69)
    expect("a file that demands 2^30 is refused", "2^30" in shown and time.monotonic() - started < 1, shown)


def main():
    with gateway():
        run("one", "pair", "127.0.0.1:3117", "--yes")
        email = user(1)
        code = sign_in("one", email)
        status = run("one", "cloud", "status")
        expect("all is sent", re.search(r"^waits +nothing$", status, re.M), status)
        expect("a refused key", "secret" in run("one", "cloud", "sign-in", PROJECT.split("#")[0] + "#sb_secret_x", status=64))
        sign_in("two", email, code)
        expect("the second device has it", "Attic" in run("two", "pairings"))
        expect("and nothing goes back", "as in the cloud" in run("two", "cloud", "sync"))
        run("two", "alias", "Attic", "Cellar")
        expect("a name waits", "waits       2" in (status := run("two", "cloud", "status")), status)
        run("two", "cloud", "sync")
        run("one", "cloud", "sync")
        expect("it arrives", "Cellar" in run("one", "pairings"))
        run("one", "forget", "Cellar", "--yes")
        run("one", "cloud", "sync")
        expect("an end arrives", "unpaired on another device" in run("two", "cloud", "sync"))
        expect("and is in the bin", "Cellar" not in run("two", "pairings", status=0))
        run("two", "cloud", "sign-out", "--yes")
        expect("the key is gone", "signed out" in run("two", "cloud", "status"))
        run("one", "cloud", "sync")
        email = user(2)
        sign_in("three", email, passphrase=PASSPHRASE)
        run("three", "pair", "127.0.0.1:3117", "--yes")
        run("three", "cloud", "sync")
        sign_in("four", email, passphrase=PASSPHRASE)
        expect("a passphrase opens it, too", "Attic" in run("four", "pairings"))
        carry()
        endure("four")
        log = (STATE / "server.log").read_bytes() + (STATE / "postgres.log").read_bytes() + DUMP()
        for secret in (PASSWORD, PASSPHRASE, code, code.replace("-", "")):
            for form in (secret.encode(), base64.b64encode(secret.encode()).rstrip(b"=")):
                expect("no secret is in a log", form not in log)
        for home in ("one", "two", "three", "four", "five"):
            database = sqlite3.connect(f"file:{ROOT / home}/XDG_DATA_HOME/clawradar/pairings.sqlite?mode=ro", uri=True)
            expect("the store is whole", database.execute("PRAGMA quick_check").fetchone() == ("ok",))
    print(f"{len(passed)} passed, 0 failed")


main()
