"""Takes two devices through the cloud with the tool itself: pair, sign in, a second device, rename, unpair, sign out.

usage: try.py URL#KEY FOLDER BINARIES: see device.py.
"""

import base64
import hmac
import json
import os
import re
import sqlite3
import subprocess
import time
from pathlib import Path

from device import (KEYS, PASSPHRASE, PASSWORD, PROJECT, ROOT, STATE, age, agent, expect, gateway, passed, run, search,
                    sign_in, sql, tell, until, user)

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


def vault_key(code):
    """The key that a recovery code stands for."""
    number = 0
    for letter in code.replace("-", ""):
        number = number << 5 | "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(letter)
    return number.to_bytes(35, "big")[:32]


def tokens(value, key=""):
    """All that JSON has as a token."""
    if isinstance(value, dict):
        return [found for name, part in value.items() for found in tokens(part, name)]
    if isinstance(value, list):
        return [found for part in value for found in tokens(part, key)]
    return [value] if isinstance(value, str) and "token" in key.lower() and len(value) >= 8 else []


def carry():
    """Takes a copy of one device to another, by way of age itself. Returns what was in it."""
    key, copy, content, again = (ROOT / name for name in ("passphrase", "copy.age", "copy.json", "again.age"))
    with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        file.write(PASSPHRASE + "\n")
    run("four", "device", "copy", str(copy), "--passphrase-file", str(key))
    expect("a copy is its owner's", copy.stat().st_mode & 0o777 == 0o600)
    age("-d", "-o", content, copy)
    document = json.loads(content.read_text())
    expect("age opens a copy", document["clawradar"] == "device")
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
    return document


def repair(name, email):
    """Something else has emptied the time of a row: what this device changes arrives nevertheless."""
    rows = f"user_id = (SELECT id FROM auth.users WHERE email = '{email}') AND bot_id = 'bot-1'"
    sql(f"UPDATE bot_pairings SET paired_at = NULL WHERE {rows}")
    run(name, "accent", "Jarvis", "123456")
    run(name, "cloud", "sync")
    expect("a row without a time is replaced", sql(f"SELECT count(*) FROM bot_pairings WHERE {rows} AND paired_at IS NULL") == "0")


def beside(name, email, log):
    """An agent runs beside it all: it connects what comes, sends what changes, and goes on when somebody signs in again."""
    owner = f"user_id = (SELECT id FROM auth.users WHERE email = '{email}')"
    sql(f"UPDATE bot_pairings SET last_connected = NULL WHERE {owner}")
    with agent(name, log):
        sign_in(name, email, passphrase=PASSPHRASE)
        until("what has come is connected", lambda: " connected " in run(name, "status", status=None))
        until("that it was is told", lambda: sql(f"SELECT count(last_connected) FROM bot_pairings WHERE {owner}") != "0")
        before = sql(f"SELECT count(*) FROM auth.sessions WHERE {owner}")
        sign_in(name, email, passphrase=PASSPHRASE)
        expect("the former session has ended", sql(f"SELECT count(*) FROM auth.sessions WHERE {owner}") == before)
        run(name, "alias", "Attic", "Loft")
        until("a name is sent", lambda: re.search(r"^waits +nothing$", run(name, "cloud", "status"), re.M))


def secrets(code, document):
    """All that must be in no log and no dump, each with what it is."""
    yield from (("the password", PASSWORD.encode()), ("the passphrase", PASSPHRASE.encode()))
    for text in (code, document["vault"]["secret"]):
        yield from (("a recovery code", text.encode()), ("a recovery code", text.replace("-", "").encode()),
                    ("a vault key", vault_key(text)))
    found = tokens(document) + tokens(json.loads((ROOT / "gateway.json").read_text()))
    expect("there are tokens to look for", len(found) > 1)
    yield from (("a token", text.encode()) for text in found)
    last = int(sql("SELECT last_value FROM auth.refresh_tokens_id_seq"))
    for number in range(max(1, last - 500), last + 1):
        digest = hmac.digest(KEYS["jwt"].encode(), f"refresh {number}".encode(), "sha256")
        yield "a refresh token", base64.urlsafe_b64encode(digest)[:22]
    for path in ROOT.rglob("sealing.key"):
        text = path.read_text().strip()
        yield from (("a key of a store", text.encode()), ("a key of a store", bytes.fromhex(text)))


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
        document = carry()
        endure("four")
        repair("four", email)
        beside("seven", email, ROOT / "agent.log")
        places = {path.name: path.read_bytes() for path in (STATE / "server.log", STATE / "postgres.log", ROOT / "agent.log")}
        expect("the agent has said something", len(places["agent.log"]) > 100)
        places["the database"] = DUMP()
        search(secrets(code, document), places)
        for place, content in places.items():
            expect(f"no access token is in {place}", not re.search(rb"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.", content))
        for home in ("one", "two", "three", "four", "five", "seven"):
            database = sqlite3.connect(f"file:{ROOT / home}/XDG_DATA_HOME/clawradar/pairings.sqlite?mode=ro", uri=True)
            expect("the store is whole", database.execute("PRAGMA quick_check").fetchone() == ("ok",))
    print(f"{len(passed)} passed, 0 failed")


main()
