"""A test server in place of a Supabase project: the gateway with its keys, and faults that are made on purpose.

usage: server.py FOLDER PORT — FOLDER is that of scripts/cloud. Answers 501 to whatever it does not model.
"""

import json
import sys
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import parse_qsl, urlsplit

from auth import Auth
from common import Answer, Clock, Database, claims_of, unmodelled
from rest import Rest, error

BODY_LIMIT = 16 * 1024 * 1024


class Gate:
    """The keys of the project, and the roles that requests come to by them."""

    def __init__(self, keys, clock):
        self.keys = keys
        self.clock = clock
        self.roles = {keys["publishable"]: "anon", keys["anon"]: "anon", keys["secret"]: "service_role",
                      keys["service_role"]: "service_role"}
        self.jwt_key = keys["jwt"].encode()

    def check(self, headers):
        """The role of the API key; the gateway of a project lets nobody pass without one."""
        key = headers.get("apikey")
        if not key:
            raise Answer(401, {"message": "No API key found in request", "hint": "No `apikey` request header or url param was found."})
        if key not in self.roles:
            raise Answer(401, {"message": "Invalid API key", "hint": "Double check your API key."})
        return self.roles[key]

    def role(self, headers):
        """The role and the claims for the database."""
        base = self.check(headers)
        scheme, _, token = headers.get("Authorization", "").partition(" ")
        if not token or token in self.roles:
            role = self.roles.get(token, base)
            return role, {"role": role}
        claims = claims_of(token, self.jwt_key) if scheme.lower() == "bearer" else None
        if claims is None:
            raise error(401, "PGRST301", "No suitable key or wrong key type", headers={"WWW-Authenticate": "Bearer"})
        if claims.get("exp", 0) <= self.clock.now() - 30:
            description = 'Bearer error="invalid_token", error_description="JWT expired"'
            raise error(401, "PGRST303", "JWT expired", headers={"WWW-Authenticate": description})
        role = claims.get("role", "anon")
        if role not in ("anon", "authenticated", "service_role"):
            raise error(403, "42501", f'permission denied to set role "{role}"')
        return role, claims


class Faults:
    """Faults for the requests to come, in order: each a dictionary with `do`, and `match` (a part of "METHOD /path?query"),
    `times`, and what that needs.
    """

    def __init__(self):
        self.lock = Lock()
        self.list = []

    def take(self, line):
        with self.lock:
            for fault in self.list:
                if fault.get("match", "") in line:
                    fault["times"] = fault.get("times", 1) - 1
                    if not fault["times"]:
                        self.list.remove(fault)
                    return fault
        return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "cloud"
    sys_version = ""

    def respond(self, answer):
        self.send_response_only(answer.status)
        for name, value in {"Date": formatdate(self.server.clock.now(), usegmt=True), **answer.headers}.items():
            self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def serve(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > BODY_LIMIT or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            return self.respond(Answer(413, {"message": "Payload Too Large"}))
        body = self.rfile.read(length)
        url = urlsplit(self.path)
        line = f"{self.command} {self.path}"
        fault = None if url.path.startswith("/test/") else self.server.faults.take(line)
        started = time.monotonic()
        answer = self.faulty(fault, url, body) if fault else self.answer(url, body)
        with self.server.log_lock:
            told = fault["do"] if fault else ""
            print(f"{line} {answer.status if answer else '-'} {1000 * (time.monotonic() - started):.1f} ms {told}".rstrip(),
                  file=self.server.log, flush=True)
        if answer is None:
            self.close_connection = True
        else:
            self.respond(answer)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = do_HEAD = do_OPTIONS = serve

    def answer(self, url, body):
        query = parse_qsl(url.query, keep_blank_values=True)
        try:
            if url.path.startswith("/rest/v1/"):
                return self.server.rest.handle(self.command, url.path[len("/rest/v1/"):], query, self.headers, body)
            if url.path.startswith("/auth/v1/"):
                return self.server.auth.handle(self.command, url.path[len("/auth/v1/"):], query, self.headers, body)
            if url.path.startswith("/test/"):
                return self.test(url.path[len("/test/"):], body)
            raise unmodelled(url.path)
        except Answer as answer:
            return answer
        except Exception as failure:  # pylint: disable=broad-except
            print(f"{type(failure).__name__}: {failure}", file=self.server.log, flush=True)
            return Answer(500, {"message": "Internal Server Error"})

    def faulty(self, fault, url, body):
        """Answers a request with a fault; None closes the connection without an answer."""
        match fault["do"]:
            case "status":
                return Answer(fault["status"], fault.get("body", {"message": "made by scripts/cloud"}), fault.get("headers"))
            case "expired":
                return error(401, "PGRST303", "JWT expired")
            case "slow":
                time.sleep(fault["seconds"])
                return self.answer(url, body)
            case "cut":
                return None
            case "lose":  # Done, and nobody hears of it.
                self.answer(url, body)
                return None
            case "twice":
                self.answer(url, body)
                return self.answer(url, body)
            case "redirect":
                return Answer(307, None, {"Location": fault["to"]})
            case "html":
                return Answer(200, "<!doctype html><title>Sign in to this network</title>", {"Content-Type": "text/html"})
            case "endless":
                self.send_response_only(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Connection", "close")
                self.end_headers()
                try:
                    for _ in range(fault.get("megabytes", 64) * 16):
                        self.wfile.write(b"[" * 65536)
                except OSError:
                    pass
                return None
        return Answer(500, {"message": f"no such fault: {fault['do']}"})

    def test(self, path, body):
        """What a test does to the server itself."""
        server = self.server
        content = json.loads(body) if body else None
        match path:
            case "faults":
                with server.faults.lock:
                    server.faults.list = content
            case "clock":
                server.clock.offset = content["offset"]
            case "consent":
                server.auth.consent = content["email"]
            case "mail":
                return Answer(200, server.auth.mail)
            case _:
                raise unmodelled(self.path)
        return Answer(204)

    def log_message(self, format, *arguments):  # pylint: disable=redefined-builtin
        """The log has lines of its own."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """A client that is gone is no news."""


def main():
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    keys = json.loads((folder / "keys.json").read_text())
    server = Server(("127.0.0.1", port), Handler)
    server.clock, server.faults, server.log_lock = Clock(), Faults(), Lock()
    server.log = open(folder / "server.log", "a", encoding="utf-8")  # pylint: disable=consider-using-with
    gate = Gate(keys, server.clock)
    server.rest = Rest(Database(str(folder), "authenticator"), gate)
    server.auth = Auth(Database(str(folder), "auth_admin"), gate, server.clock, gate.jwt_key, f"http://127.0.0.1:{port}")
    server.serve_forever()


main()
