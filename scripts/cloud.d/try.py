"""Takes two devices through the cloud with the tool itself: pair, sign in, a second device, rename, unpair, sign out.

usage: try.py URL#KEY FOLDER BINARIES — BINARIES is the folder with clawradar and reference-gateway. `scripts/cloud up` has run.
"""

import base64
import json
import os
import pty
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PROJECT, STATE, BINARIES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
KEYS = json.loads((STATE / "keys.json").read_text())
PASSWORD = "correct horse battery"
PASSPHRASE = "staple of the correct horse"
DUMP = lambda: subprocess.run([Path(__file__).parent.parent / "cloud", "dump"], capture_output=True, check=True).stdout
ROOT = Path(tempfile.mkdtemp(prefix="clawradar-cloud-"))
passed = 0


def expect(what, condition, shown=""):
    global passed  # pylint: disable=global-statement
    if not condition:
        sys.exit(f"try: FAILED: {what}\n{shown}")
    passed += 1


def environment(name):
    home = ROOT / name
    folders = {key: str(home / key) for key in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")}
    for folder in folders.values():
        os.makedirs(folder, mode=0o700, exist_ok=True)
    return {**os.environ, **folders, "HOME": str(home), "TERM": "xterm"}


def run(name, *arguments, status=0):
    done = subprocess.run([BINARIES / "clawradar", *arguments], env=environment(name), capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL, check=False)
    expect(f"{name}: {' '.join(arguments)} ends with {done.returncode}", done.returncode == status, done.stdout + done.stderr)
    return done.stdout + done.stderr


def converse(name, arguments, answer, program=BINARIES / "clawradar"):
    """Runs a verb on a terminal; `answer` says what is typed after what is shown, or nothing."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(program, [Path(program).name, *arguments], environment(name))
    shown, asked, deadline = "", 0, time.monotonic() + 90
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.7)
        if ready:
            try:
                shown += os.read(terminal, 65536).decode(errors="replace").replace("\r", "")
            except OSError:
                break
        elif len(shown) > asked and (typed := answer(shown)) is not None:
            asked = len(shown)
            os.write(terminal, typed.encode() + b"\n")
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), shown


def sign_in(name, email, code=None, passphrase=None):
    """Returns the recovery code, which the first device shows, or the passphrase."""
    def answer(shown):
        # What was answered has a line feed after it, however long it takes then.
        last = shown.rsplit("\n", 1)[-1]
        if last.endswith("password (not shown): "):
            return PASSWORD
        if last.startswith("[1-2, default 2] "):
            return "1" if passphrase else ""
        if "A passphrase of at least" in last or last.endswith("The same again: ") or "or your passphrase" in last:
            return passphrase
        if "recovery code of your other device" in last:
            return code
        if group := re.search(r"group (\d+) of \d+, from what you wrote down: $", last):
            return recovery(shown).split("-")[int(group[1]) - 1]
        return None

    status, shown = converse(name, ["cloud", "sign-in", PROJECT, "--email", email], answer)
    expect(f"{name} signs in", status == 0 and "signed in as" in shown, shown)
    expect("no password is shown", PASSWORD not in shown, shown)
    if passphrase:
        expect("no passphrase is shown", passphrase not in shown, shown)
    return code or passphrase or recovery(shown)


def recovery(shown):
    lines = re.search(r"^((?:[0-9A-Z]{4}-){6}[0-9A-Z]{4})\n((?:[0-9A-Z]{4}-){6}[0-9A-Z]{4})$", shown, re.MULTILINE)
    expect("the recovery code is shown", lines is not None, shown)
    return f"{lines[1]}-{lines[2]}"


def tell(path, content):
    """Makes the server do what a server should not do."""
    request = urllib.request.Request(PROJECT.split("#")[0].rstrip("/") + path, method="POST", data=json.dumps(content).encode())
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10).close()


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


def user(number):
    email = f"try-{os.getpid()}-{number}@example.org"
    request = urllib.request.Request(
        PROJECT.split("#")[0].rstrip("/") + "/auth/v1/admin/users", method="POST",
        headers={"apikey": KEYS["secret"], "Content-Type": "application/json"},
        data=json.dumps({"email": email, "password": PASSWORD, "email_confirm": True}).encode())
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10).close()
    return email


def age(*arguments):
    """Runs age, which asks for the passphrase on a terminal alone."""
    def answer(shown):
        return PASSPHRASE if shown.rsplit("\n", 1)[-1].rstrip().endswith(":") else None

    status, shown = converse("age", [str(argument) for argument in arguments], answer, shutil.which("age"))
    expect(f"age {arguments[0]} ends with {status}", status == 0, shown)


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
    gateway = subprocess.Popen(  # pylint: disable=consider-using-with
        [BINARIES / "reference-gateway", "--name", "Attic", "--host", "127.0.0.1", "--port", "3117", "--no-advertise", "--bot",
         "bot-1=Jarvis", "--bot", "bot-2=Friday", "--state", ROOT / "gateway.json"],
        env=environment("gateway"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
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
    finally:
        gateway.send_signal(signal.SIGINT)
        gateway.wait(10)
        shutil.rmtree(ROOT, ignore_errors=True)
    print(f"{passed} passed, 0 failed")


main()
