"""What both halves of the test server share: answers, signed tokens, connections, and the clock."""

import base64
import hashlib
import hmac
import json
import queue
import time
from contextlib import contextmanager

import psycopg


class Answer(Exception):
    """A response that ends a request, whatever was being done."""

    def __init__(self, status, body=None, headers=None):
        super().__init__(status)
        self.status = status
        self.headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            self.headers.setdefault("Content-Type", "application/json; charset=utf-8")
            body = json.dumps(body)
        self.body = (body or "").encode()


def unmodelled(what):
    """Nobody is to lean on what this server does not do as the real ones."""
    return Answer(501, {"message": f"not modelled by scripts/cloud: {what}"})


class Clock:
    """The server's time, which can be wrong."""

    offset = 0.0

    def now(self):
        return time.time() + self.offset


class Database:
    """Connections of one role, used again."""

    def __init__(self, folder, role):
        self.settings = {"host": folder, "user": role, "dbname": "postgres", "application_name": "cloud"}
        self.idle = queue.LifoQueue()

    @contextmanager
    def transaction(self):
        try:
            connection = self.idle.get_nowait()
        except queue.Empty:
            connection = psycopg.connect(**self.settings, options="-c TimeZone=UTC")
        try:
            with connection.transaction():
                yield connection
        finally:
            if connection.closed or connection.broken:
                connection.close()
            else:
                self.idle.put(connection)


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sign(claims, key):
    """A JWT by HS256."""
    head = encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    text = f"{head}.{encode(json.dumps(claims).encode())}"
    return f"{text}.{encode(hmac.digest(key, text.encode(), 'sha256'))}"


def claims_of(token, key):
    """The claims of a JWT, or None if it was not signed with this key. Its times are not looked at."""
    try:
        text, _, signature = token.rpartition(".")
        if not hmac.compare_digest(decode(signature), hmac.digest(key, text.encode(), "sha256")):
            return None
        head, _, body = text.partition(".")
        return json.loads(decode(body)) if json.loads(decode(head)).get("alg") == "HS256" else None
    except (ValueError, TypeError):
        return None


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
