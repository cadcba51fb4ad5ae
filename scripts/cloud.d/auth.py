"""The part of Supabase's auth server that is modelled: sessions by password, one-time code and PKCE, and their renewal.

After supabase/auth: internal/api/{token,verify,otp,logout,external}.go and internal/tokens/service.go. Providers are not modelled:
whoever is sent to one comes back at once as the user that `scripts/cloud consent` has named.
"""

import datetime
import hashlib
import hmac
import json
import re
import secrets
import time
import uuid
from urllib.parse import urlencode, urlsplit

from common import Answer, claims_of, digest, encode, sign, unmodelled

VERSION = "2024-01-01"
LIFETIME = 3600
REUSE_INTERVAL = 10
CODE_LIFETIME = 3600
FLOW_LIFETIME = 300


class Auth:
    def __init__(self, database, gate, clock, key, url):
        self.database = database
        self.gate = gate
        self.clock = clock
        self.key = key
        self.url = url
        self.providers = {"google"}
        self.consent = None
        self.codes = {}
        self.flows = {}
        self.mail = []

    def handle(self, method, path, query, headers, body):
        self.versioned = headers.get("X-Supabase-Api-Version") == VERSION
        # A browser comes without one.
        if path != "authorize":
            self.gate.check(headers)
        single = dict(query)
        call = {("POST", "token"): self.token, ("POST", "otp"): self.otp, ("POST", "verify"): self.verify,
                ("POST", "logout"): self.logout, ("GET", "user"): self.user, ("GET", "settings"): self.settings,
                ("GET", "authorize"): self.authorize, ("POST", "admin/users"): self.create}.get((method, path))
        if call is None:
            raise unmodelled(f"{method} /auth/v1/{path}")
        content = {}
        if method == "POST" and body:
            try:
                content = json.loads(body)
            except ValueError:
                raise self.error(400, "bad_json", "Could not parse request body as JSON")
        return call(single, headers, content)

    # Answers

    def error(self, status, code, message):
        if self.versioned:
            return Answer(status, {"code": code, "message": message}, {"X-Supabase-Api-Version": VERSION})
        return Answer(status, {"code": status, "error_code": code, "msg": message})

    @staticmethod
    def oauth_error(code, description):
        return Answer(400, {"error": code, "error_description": description})

    @staticmethod
    def stamp(seconds):
        return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat().replace("+00:00", "Z")

    def described(self, identifier, email, created):
        time_of = self.stamp(created.timestamp())
        return {"id": str(identifier), "aud": "authenticated", "role": "authenticated", "email": email, "phone": "",
                "email_confirmed_at": time_of, "confirmed_at": time_of, "last_sign_in_at": self.stamp(self.clock.now()),
                "app_metadata": {"provider": "email", "providers": ["email"]}, "user_metadata": {}, "identities": [],
                "created_at": time_of, "updated_at": time_of, "is_anonymous": False}

    # Tokens

    def token_text(self, number):
        return encode(hmac.digest(self.key, f"refresh {number}".encode(), "sha256"))[:22]

    def issue_token(self, connection, session, parent=None):
        number = connection.execute("SELECT nextval('auth.refresh_tokens_id_seq')").fetchone()[0]
        text = self.token_text(number)
        connection.execute("INSERT INTO auth.refresh_tokens (id, session_id, digest, parent, updated_at) VALUES (%s, %s, %s, %s, %s)",
                           (number, session, digest(text), parent, self.clock.now()))
        return text

    def new_session(self, email, method):
        with self.database.transaction() as connection:
            user = connection.execute("SELECT id FROM auth.users WHERE email = %s", (email,)).fetchone()[0]
            session = connection.execute("INSERT INTO auth.sessions (user_id, method) VALUES (%s, %s) RETURNING id",
                                         (user, method)).fetchone()[0]
            return self.session(connection, session, self.issue_token(connection, session))

    def session(self, connection, session, refresh_token):
        user, email, created, method = connection.execute(
            "SELECT u.id, email, u.created_at, method FROM auth.sessions s JOIN auth.users u ON u.id = user_id WHERE s.id = %s",
            (session,)).fetchone()
        now = int(self.clock.now())
        claims = {"iss": f"{self.url}/auth/v1", "sub": str(user), "aud": "authenticated", "exp": now + LIFETIME, "iat": now,
                  "email": email, "phone": "", "app_metadata": {"provider": "email"}, "user_metadata": {}, "role": "authenticated",
                  "aal": "aal1", "amr": [{"method": method, "timestamp": now}], "session_id": str(session), "is_anonymous": False}
        return Answer(200, {"access_token": sign(claims, self.key), "token_type": "bearer", "expires_in": LIFETIME,
                            "expires_at": now + LIFETIME, "refresh_token": refresh_token,
                            "user": self.described(user, email, created)})

    def token(self, query, headers, content):
        grant = query.get("grant_type")
        if grant == "password":
            return self.password(content)
        if grant == "refresh_token":
            return self.refresh(content)
        if grant == "pkce":
            return self.exchange(content)
        raise self.oauth_error("unsupported_grant_type", "") if not grant else unmodelled(f"grant_type={grant}")

    @staticmethod
    def hashed(password, salt):
        return hashlib.scrypt(password.encode(), salt=salt, n=4096, r=8, p=1).hex()

    def password(self, content):
        with self.database.transaction() as connection:
            found = connection.execute("SELECT password_hash FROM auth.users WHERE email = %s",
                                       (str(content.get("email")).lower(),)).fetchone()
        salt, _, wanted = (found and found[0] or "00:").partition(":")
        if not hmac.compare_digest(self.hashed(str(content.get("password")), bytes.fromhex(salt)), wanted):
            raise self.error(400, "invalid_credentials", "Invalid login credentials")
        return self.new_session(content["email"].lower(), "password")

    def refresh(self, content):
        text = content.get("refresh_token")
        if not text:
            raise self.oauth_error("invalid_request", "refresh_token required")
        with self.database.transaction() as connection:
            found = connection.execute("SELECT id, session_id, revoked, updated_at FROM auth.refresh_tokens WHERE digest = %s",
                                       (digest(text),)).fetchone()
            if not found:
                raise self.error(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
            number, session, _, _ = found
            connection.execute("SELECT 1 FROM auth.sessions WHERE id = %s FOR UPDATE", (session,))
            revoked, updated = connection.execute("SELECT revoked, updated_at FROM auth.refresh_tokens WHERE id = %s",
                                                  (number,)).fetchone()
            active = connection.execute("SELECT id, parent FROM auth.refresh_tokens WHERE session_id = %s AND NOT revoked "
                                        "ORDER BY id DESC LIMIT 1", (session,)).fetchone()
            if not revoked:
                connection.execute("UPDATE auth.refresh_tokens SET revoked = true, updated_at = %s WHERE id = %s",
                                   (self.clock.now(), number))
                return self.session(connection, session, self.issue_token(connection, session, number))
            # The parent of the active one: its client could not store what it got.
            if active and active[1] == number:
                return self.session(connection, session, self.token_text(active[0]))
            if self.clock.now() <= updated + REUSE_INTERVAL and active:
                connection.execute("UPDATE auth.refresh_tokens SET revoked = true, updated_at = %s WHERE id = %s",
                                   (self.clock.now(), active[0]))
                return self.session(connection, session, self.issue_token(connection, session, number))
            # The whole family ends, and that is kept although the request fails.
            connection.execute("UPDATE auth.refresh_tokens SET revoked = true, updated_at = %s WHERE session_id = %s AND NOT revoked",
                               (self.clock.now(), session))
        raise self.error(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")

    # One-time codes

    def otp(self, query, headers, content):
        email = str(content.get("email", "")).lower()
        if not re.fullmatch(r"[^@\s]+@[^@\s]+", email):
            raise self.error(400, "validation_failed", "Unable to validate email address: invalid format")
        with self.database.transaction() as connection:
            known = connection.execute("SELECT 1 FROM auth.users WHERE email = %s", (email,)).fetchone()
            if not known and content.get("create_user") is False:
                raise self.error(422, "otp_disabled", "Signups not allowed for otp")
            if not known:
                connection.execute("INSERT INTO auth.users (email) VALUES (%s)", (email,))
        last = self.codes.get(email)
        if last and self.clock.now() < last[1] + 60:
            raise self.error(429, "over_email_send_rate_limit", "For security purposes, you can only request this after 60 seconds.")
        code = f"{secrets.randbelow(1_000_000):06}"
        self.codes[email] = (code, self.clock.now())
        self.mail.append({"to": email, "code": code})
        return Answer(200, {})

    def verify(self, query, headers, content):
        if content.get("type") not in ("email", "magiclink"):
            raise unmodelled(f"verification of {content.get('type')}")
        email = str(content.get("email", "")).lower()
        code, sent = self.codes.get(email, ("", 0))
        if not code or not hmac.compare_digest(code, str(content.get("token"))) or self.clock.now() > sent + CODE_LIFETIME:
            raise self.error(403, "otp_expired", "Token has expired or is invalid")
        del self.codes[email]
        return self.new_session(email, "otp")

    # Providers

    def authorize(self, query, headers, content):
        if query.get("provider") not in self.providers:
            raise self.error(400, "validation_failed", "Unsupported provider: provider is not enabled")
        challenge = query.get("code_challenge", "")
        if not re.fullmatch(r"[a-zA-Z._~0-9-]{43,128}", challenge):
            raise unmodelled("providers without PKCE") if not challenge else self.error(
                400, "validation_failed", "code challenge has to be between 43 and 128 characters")
        if query.get("code_challenge_method", "").lower() != "s256":
            raise unmodelled("a plain code challenge")
        back = query.get("redirect_to", "")
        # The real one takes loopback addresses and what its project lists.
        if urlsplit(back).hostname not in ("127.0.0.1", "::1"):
            raise unmodelled(f"coming back to {back}")
        if self.consent is None:
            return Answer(302, None, {"Location": f"{back}?{urlencode({'error': 'access_denied', 'error_description': 'denied'})}"})
        code = str(uuid.uuid4())
        self.flows[code] = (challenge, self.consent, self.clock.now())
        return Answer(302, None, {"Location": f"{back}?{urlencode({'code': code})}"})

    def exchange(self, content):
        if not content.get("auth_code") or not content.get("code_verifier"):
            raise self.error(400, "validation_failed", "invalid request: both auth code and code verifier should be non-empty")
        flow = self.flows.get(content["auth_code"])
        if not flow:
            raise self.error(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
        challenge, email, begun = flow
        if self.clock.now() > begun + FLOW_LIFETIME:
            raise self.error(422, "flow_state_expired", "invalid flow state, flow state has expired")
        if encode(hashlib.sha256(content["code_verifier"].encode()).digest()) != challenge:
            raise self.error(400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
        del self.flows[content["auth_code"]]
        return self.new_session(email, "oauth")

    # With a session

    def claims(self, headers):
        scheme, _, token = headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise self.error(401, "no_authorization", "This endpoint requires a valid Bearer token")
        claims = claims_of(token, self.key)
        if claims is None or claims.get("exp", 0) <= self.clock.now():
            raise self.error(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, " + (
                "signature is invalid" if claims is None else "token has invalid claims: token is expired"))
        return claims

    def logout(self, query, headers, content):
        claims = self.claims(headers)
        scope = query.get("scope", "global")
        if scope not in ("global", "local", "others"):
            raise self.error(400, "validation_failed", f'Unsupported logout scope "{scope}"')
        with self.database.transaction() as connection:
            if not connection.execute("SELECT 1 FROM auth.sessions WHERE id = %s", (claims.get("session_id"),)).fetchone():
                raise self.error(403, "session_not_found", "Session from session_id claim in JWT does not exist")
            condition = {"global": "", "local": " AND id = %s", "others": " AND id <> %s"}[scope]
            connection.execute("DELETE FROM auth.sessions WHERE user_id = %s" + condition,
                               (claims["sub"], claims["session_id"])[:2 if condition else 1])
        return Answer(204)

    def user(self, query, headers, content):
        claims = self.claims(headers)
        with self.database.transaction() as connection:
            if not connection.execute("SELECT 1 FROM auth.sessions WHERE id = %s", (claims.get("session_id"),)).fetchone():
                raise self.error(403, "session_not_found", "Session from session_id claim in JWT does not exist")
            found = connection.execute("SELECT id, email, created_at FROM auth.users WHERE id = %s", (claims["sub"],)).fetchone()
        return Answer(200, self.described(*found))

    def settings(self, query, headers, content):
        names = ("apple", "google", "github", "email")
        return Answer(200, {"external": {name: name == "email" or name in self.providers for name in names},
                            "disable_signup": False, "mailer_autoconfirm": True, "phone_autoconfirm": False, "sms_provider": ""})

    def create(self, query, headers, content):
        if self.gate.role(headers)[0] != "service_role":
            raise self.error(403, "not_admin", "User not allowed")
        salt = secrets.token_bytes(16)
        with self.database.transaction() as connection:
            found = connection.execute(
                "INSERT INTO auth.users (email, password_hash) VALUES (%s, %s) ON CONFLICT DO NOTHING RETURNING id, email, created_at",
                (content["email"].lower(), f"{salt.hex()}:{self.hashed(content['password'], salt)}")).fetchone()
        if not found:
            raise self.error(422, "email_exists", "A user with this email address has already been registered")
        return Answer(200, self.described(*found))
