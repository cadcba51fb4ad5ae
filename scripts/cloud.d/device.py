"""Devices with folders of their own, which use the cloud with the tool as somebody at a terminal does; for try.py and bench.py.

Their arguments: URL#KEY FOLDER BINARIES — BINARIES is the folder with clawradar and reference-gateway. `scripts/cloud up` has run.
"""

import base64
import contextlib
import json
import os
import pty
import re
import select
import shutil
import signal
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
ROOT = Path(tempfile.mkdtemp(prefix="clawradar-cloud-"))
passed = []
# The time at which something was typed last.
typed_at = [0.0]


def expect(what, condition, shown=""):
    if not condition:
        sys.exit(f"FAILED: {what}\n{shown}")
    passed.append(what)


def environment(name):
    home = ROOT / name
    folders = {key: str(home / key) for key in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")}
    for folder in folders.values():
        os.makedirs(folder, mode=0o700, exist_ok=True)
    return {**os.environ, **folders, "HOME": str(home), "TERM": "xterm"}


def run(name, *arguments, status=0, timeout=60):
    done = subprocess.run([BINARIES / "clawradar", *arguments], env=environment(name), capture_output=True, text=True, timeout=timeout,
                          stdin=subprocess.DEVNULL, check=False)
    expect(f"{name}: {' '.join(arguments)} ends with {done.returncode}", status in (done.returncode, None), done.stdout + done.stderr)
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
            typed_at[0] = time.monotonic()
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


def sql(statement):
    """Asks the database, as its owner."""
    done = subprocess.run([Path(__file__).parent.parent / "cloud", "sql", "--quiet", "--tuples-only", "--no-align", "--command", statement],
                          capture_output=True, text=True, check=True, env={**os.environ, "CLAWRADAR_CLOUD_STATE": str(STATE)})
    return done.stdout.strip()


def user(number):
    email = f"try-{os.getpid()}-{number}@example.org"
    request = urllib.request.Request(
        PROJECT.split("#")[0].rstrip("/") + "/auth/v1/admin/users", method="POST",
        headers={"apikey": KEYS["secret"], "Content-Type": "application/json"},
        data=json.dumps({"email": email, "password": PASSWORD, "email_confirm": True}).encode())
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10).close()
    return email


def until(what, holds, limit=60):
    """Waits for something, and returns the time at which it was there."""
    deadline = time.monotonic() + limit
    while not holds():
        expect(what, time.monotonic() < deadline)
        time.sleep(0.05)
    return time.monotonic()


@contextlib.contextmanager
def agent(name, log=os.devnull):
    """An agent of a device, and all that it says."""
    with open(log, "wb") as output:
        process = subprocess.Popen([BINARIES / "clawradar", "agent", "--verbose"], env=environment(name), stdout=output, stderr=output)
    try:
        until("an agent", lambda: ", process " in run(name, "agent", "status", status=None))
        yield
    finally:
        process.terminate()
        process.wait(10)


def forms(secret):
    """The forms in which bytes could lie somewhere: as they are, in hexadecimal, and as a part of base64 of either alphabet."""
    yield from (secret, secret.hex().encode(), secret.hex().upper().encode())
    for offset, start in enumerate((0, 2, 3)):
        part = base64.b64encode(bytes(offset) + secret)[start:(offset + len(secret)) * 8 // 6]
        yield from (part, part.translate(bytes.maketrans(b"+/", b"-_")))


def search(secrets, places):
    """Looks for secrets, each with what it is, in the contents of places."""
    expect("the search finds what is there", all(
        any(form in said for form in forms(b"needle"))
        for text in (b"a needle", b"xneedle", b"needles") for said in (text, text.hex().encode(), base64.b64encode(text))))
    found = [f"{what} is in {place}" for what, secret in secrets for place, content in places.items()
             if any(form in content for form in forms(secret))]
    expect("no secret is anywhere", not found, "\n".join(found))


def age(*arguments):
    """Runs age, which asks for the passphrase on a terminal alone."""
    def answer(shown):
        return PASSPHRASE if shown.rsplit("\n", 1)[-1].rstrip().endswith(":") else None

    status, shown = converse("age", [str(argument) for argument in arguments], answer, shutil.which("age"))
    expect(f"age {arguments[0]} ends with {status}", status == 0, shown)


@contextlib.contextmanager
def gateway():
    """A gateway at port 3117; at the end all devices are removed."""
    process = subprocess.Popen(  # pylint: disable=consider-using-with
        [BINARIES / "reference-gateway", "--name", "Attic", "--host", "127.0.0.1", "--port", "3117", "--no-advertise", "--bot",
         "bot-1=Jarvis", "--bot", "bot-2=Friday", "--state", ROOT / "gateway.json"],
        env=environment("gateway"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(10)
        shutil.rmtree(ROOT, ignore_errors=True)
