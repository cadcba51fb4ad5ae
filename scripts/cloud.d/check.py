"""Asks the test server what the tool asks, by the official clients of Supabase: whatever they cannot read is a fault of the server.

usage: check.py URL FOLDER
"""

import json
import sys
import time
import uuid
from pathlib import Path

import httpx
from postgrest import APIError, SyncPostgrestClient
from supabase_auth import SyncGoTrueClient, SyncMemoryStorage
from supabase_auth.errors import AuthApiError

from common import claims_of, sign

URL, KEYS = sys.argv[1], json.loads((Path(sys.argv[2]) / "keys.json").read_text())
KEY = "user_id,bot_id,gateway_fingerprint"
HTTP = httpx.Client(base_url=URL, trust_env=False)
passed = 0


def expect(what, condition):
    global passed  # pylint: disable=global-statement
    if not condition:
        sys.exit(f"check: FAILED: {what}")
    passed += 1


def raises(what, code, call, kind=APIError):
    try:
        call()
    except kind as failure:
        expect(f"{what}: {failure.code} {failure.message}, expected {code}", failure.code == code)
    else:
        expect(f"{what}: no error, expected {code}", False)


def auth(flow="implicit"):
    client = httpx.Client(trust_env=False)
    return SyncGoTrueClient(url=f"{URL}/auth/v1", headers={"apikey": KEYS["publishable"]}, storage=SyncMemoryStorage(),
                            auto_refresh_token=False, flow_type=flow, http_client=client)


def rest(token, key="publishable"):
    headers = {"apikey": KEYS[key], **({"Authorization": f"Bearer {token}"} if token else {})}
    client = httpx.Client(base_url=f"{URL}/rest/v1", headers=headers, trust_env=False)
    return SyncPostgrestClient(f"{URL}/rest/v1", headers=headers, http_client=client, retry_enabled=False).from_("bot_pairings")


def user(password):
    email = f"{uuid.uuid4().hex[:12]}@example.org"
    answer = HTTP.post("/auth/v1/admin/users", headers={"apikey": KEYS["secret"]},
                       json={"email": email, "password": password, "email_confirm": True})
    expect(f"a user is made: {answer.text}", answer.status_code == 200)
    return email


def row(owner, bot, paired_at, device="device-1", token="sealed", **more):
    return {"user_id": owner, "bot_id": bot, "gateway_fingerprint": "fp", "encrypted_token": token, "device_id": device,
            "paired_at": paired_at, "is_active": True, "updated_at": "now", **more}


def sessions():
    email = user("correct horse")
    client = auth()
    raises("a wrong password", "invalid_credentials",
           lambda: client.sign_in_with_password({"email": email, "password": "wrong"}), AuthApiError)
    session = client.sign_in_with_password({"email": email, "password": "correct horse"}).session
    expect("who signed in", client.get_user().user.email == email and session.expires_in == 3600)
    first = session.refresh_token
    second = client.refresh_session(first).session.refresh_token
    expect("another refresh token", second != first)
    expect("the one before the last brings the last again, since its answer may be lost",
           auth().refresh_session(first).session.refresh_token == second)
    third = client.refresh_session(second).session.refresh_token
    expect("one more", third != second)
    HTTP.post("/test/clock", json={"offset": 60})
    raises("a used refresh token", "refresh_token_already_used", lambda: auth().refresh_session(first), AuthApiError)
    raises("the newest, after that", "refresh_token_already_used", lambda: auth().refresh_session(third), AuthApiError)
    HTTP.post("/test/clock", json={"offset": 0})
    raises("an unknown one", "refresh_token_not_found", lambda: auth().refresh_session("x" * 22), AuthApiError)
    old = HTTP.post("/auth/v1/token?grant_type=password", headers={"apikey": KEYS["publishable"]}, json={"email": email, "password": "x"})
    expect("the older shape of errors", old.status_code == 400 and old.json() == {
        "code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"})
    oauth = HTTP.post("/auth/v1/token?grant_type=refresh_token", headers={"apikey": KEYS["publishable"]}, json={})
    expect("the shape of OAuth's errors", oauth.json() == {"error": "invalid_request", "error_description": "refresh_token required"})
    none = HTTP.post("/auth/v1/token?grant_type=password", json={})
    expect("no key", none.status_code == 401 and "message" in none.json())

    raises("a code that nobody sent", "otp_expired",
           lambda: client.verify_otp({"type": "email", "email": email, "token": "000000"}), AuthApiError)
    client.sign_in_with_otp({"email": email, "options": {"should_create_user": False}})
    raises("a second code at once", "over_email_send_rate_limit", lambda: client.sign_in_with_otp({"email": email}), AuthApiError)
    raises("a stranger's code", "otp_disabled", lambda: client.sign_in_with_otp(
        {"email": "stranger@example.org", "options": {"should_create_user": False}}), AuthApiError)
    code = [mail["code"] for mail in HTTP.get("/test/mail").json() if mail["to"] == email][-1]
    expect("a one-time code", client.verify_otp({"type": "email", "email": email, "token": code}).session.user.email == email)
    raises("the same code again", "otp_expired",
           lambda: client.verify_otp({"type": "email", "email": email, "token": code}), AuthApiError)

    offered = HTTP.get("/auth/v1/settings", headers={"apikey": KEYS["publishable"]}).json()["external"]
    expect("Google is offered, Apple is not", offered["google"] and not offered["apple"])
    HTTP.post("/test/consent", json={"email": email})
    browser = auth("pkce")
    there = browser.sign_in_with_oauth({"provider": "google", "options": {"redirect_to": "http://127.0.0.1:1/back"}}).url
    back = httpx.get(there, trust_env=False).headers["Location"]
    expect("back from the provider", back.startswith("http://127.0.0.1:1/back?code="))
    code = back.partition("code=")[2]
    raises("another verifier", "bad_code_verifier",
           lambda: auth("pkce").exchange_code_for_session({"auth_code": code, "code_verifier": "x" * 64}), AuthApiError)
    expect("PKCE", browser.exchange_code_for_session({"auth_code": code}).session.user.email == email)
    raises("the same code twice", "flow_state_not_found",
           lambda: auth("pkce").exchange_code_for_session({"auth_code": code, "code_verifier": "x" * 64}), AuthApiError)

    token = browser.get_session().access_token
    expect("others stay signed in", client.get_user().user.email == email)
    browser.sign_out({"scope": "local"})
    raises("after signing out", "session_not_found", lambda: auth().get_user(token), AuthApiError)
    expect("others stay signed in", client.get_user().user.email == email)


def signed_in():
    client = auth()
    session = client.sign_in_with_password({"email": user("another horse"), "password": "another horse"}).session
    return session.user.id, session.access_token


def rows():
    owner, token = signed_in()
    stranger, other = signed_in()
    table = lambda: rest(token)

    def insert(content, resolution):
        answer = HTTP.post(f"/rest/v1/bot_pairings?on_conflict={KEY}", json=content, headers={
            "apikey": KEYS["publishable"], "Authorization": f"Bearer {token}", "Prefer": f"resolution={resolution}-duplicates,return=minimal"})
        return answer.status_code, answer.headers.get("Preference-Applied"), answer.text

    noon, later = "2026-11-29T12:00:00.000001+00:00", "2026-11-29T12:00:00.000002+00:00"
    applied = "resolution=ignore-duplicates, return=minimal"
    expect("an insertion", insert([row(owner, "a", noon)], "ignore") == (201, applied, ""))
    expect("the same again", insert([row(owner, "a", later, token="other")], "ignore") == (201, applied, ""))
    found = table().select("*").eq("bot_id", "a").execute().data
    expect("it was ignored", [one["encrypted_token"] for one in found] == ["sealed"])
    expect("microseconds", found[0]["paired_at"] == noon)
    expect("a merge of what is there", insert([row(owner, "a", noon)], "merge")[0] == 200)
    expect("a merge of both", insert([row(owner, "a", noon), row(owner, "b", noon)], "merge")[0] == 201)
    expect("an upsert by the client", len(table().upsert([row(owner, "c", noon)], on_conflict=KEY, ignore_duplicates=True).execute().data) == 1)
    expect("and again, which tells nothing", table().upsert([row(owner, "c", noon)], on_conflict=KEY, ignore_duplicates=True).execute().data == [])

    def newer(bot, when, device, content):
        condition = (f'paired_at.is.null,is_active.is.null,paired_at.lt."{when}",'
                     f'and(paired_at.eq."{when}",is_active.is.true,device_id.lt."{device}")')
        return table().update({**content, "updated_at": "now"}).eq("bot_id", bot).or_(condition).execute().data

    expect("an older one changes nothing", newer("a", "2026-11-29T11:00:00Z", "z", {"encrypted_token": "old"}) == [])
    expect("nor one of the same time by a lower device", newer("a", noon, "device-0", {"encrypted_token": "old"}) == [])
    expect("a higher device wins", newer("a", noon, "device-2", {"encrypted_token": "tie", "device_id": "device-2"})[0]["encrypted_token"] == "tie")
    changed = newer("a", later, "device-1", {"encrypted_token": "new", "paired_at": later, "device_id": "device-1"})
    expect("a newer one wins", changed[0]["encrypted_token"] == "new" and changed[0]["updated_at"] > found[0]["updated_at"])

    def ended(when):
        condition = f'paired_at.is.null,is_active.is.null,paired_at.lt."{when}",and(paired_at.eq."{when}",is_active.is.true)'
        content = {"is_active": False, "encrypted_token": "", "device_id": "", "paired_at": when, "updated_at": "now"}
        return table().update(content).eq("bot_id", "a").or_(condition).execute().data

    expect("the end of an older token", ended("2026-11-29T12:00:00.000001+00:00") == [])
    end = ended("2026-11-29T12:00:00.000999+00:00")
    expect("the end of this one", end[0]["is_active"] is False and end[0]["encrypted_token"] == "")
    expect("no name brings it back", newer("a", "2026-11-29T12:00:00.000998Z", "z", {"is_active": True}) == [])
    expect("nor whoever ends it again", ended("2026-11-29T12:00:00.000999+00:00") == [])
    expect("a later token does", newer("a", "2026-11-29T12:00:00.001Z", "a", {"is_active": True, "paired_at": "2026-11-29T12:00:00.001Z"})[0]["is_active"])

    for column in ("paired_at", "is_active"):
        table().update({column: None}).eq("bot_id", "a").execute()
        shown = newer("a", "2020-01-01T00:00:00Z", "0", {"is_active": True, "paired_at": later, "encrypted_token": column})
        expect(f"a row whose {column} something else has emptied is replaced", shown[0]["encrypted_token"] == column)

    def connected(when):
        return table().update({"last_connected": when, "updated_at": "now"}).eq("bot_id", "a").is_("is_active", "true").or_(
            f'last_connected.is.null,last_connected.lt."{when}"').execute().data

    expect("a first connection is noted", len(connected(noon)) == 1)
    expect("a later one, too, and no earlier one", (len(connected(later)), connected(noon)) == (1, []))

    marker = table().select("updated_at").order("updated_at", desc=True).limit(1).execute().data[0]["updated_at"]
    insert([row(owner, f"many-{number:04}", noon, token="x" * 64) for number in range(1200)], "ignore")
    page = table().select("*").gt("updated_at", marker).order("updated_at").order("id").limit(500).execute().data
    expect("a page", len(page) == 500 and page == sorted(page, key=lambda one: (one["updated_at"], one["id"])))
    last = page[-1]
    rest_of = (f'updated_at.gt."{last["updated_at"]}",and(updated_at.eq."{last["updated_at"]}",id.gt.{last["id"]})')
    following = table().select("*").or_(rest_of).order("updated_at").order("id").limit(500).execute().data
    expect("the next page", len(following) == 500 and not {one["id"] for one in page} & {one["id"] for one in following})
    expect("never more than a thousand", len(table().select("id").execute().data) == 1000)

    expect("another user sees nothing", rest(other).select("*").execute().data == [])
    expect("changes nothing", rest(other).update({"encrypted_token": "mine"}).eq("user_id", owner).execute().data == [])
    expect("deletes nothing", rest(other).delete().eq("user_id", owner).execute().data == [])
    raises("and puts nothing there", "42501", lambda: rest(other).insert(row(owner, "d", noon)).execute())
    raises("nor takes a row over", "42501", lambda: table().update({"user_id": stranger}).eq("bot_id", "b").execute())
    raises("nobody in particular puts nothing there", "42501", lambda: rest(None).insert(row(owner, "d", noon)).execute())
    claims = {key: value for key, value in claims_of(token, KEYS["jwt"].encode()).items() if key != "sub"}
    expect("a token without a user", rest(sign(claims, KEYS["jwt"].encode())).select("*").execute().data == [])
    raises("a token with another signature", "PGRST301", lambda: rest(sign(claims, b"x")).select("*").execute())
    claims["exp"] = int(time.time()) - 60
    raises("an expired token", "PGRST303", lambda: rest(sign(claims, KEYS["jwt"].encode())).select("*").execute())
    expect("the secret key sees all, which is why it is refused", rest(None, "secret").select("id").limit(1).execute().data != [])

    raises("no time", "22007", lambda: table().select("*").gt("updated_at", "yesterday-ish").execute())
    raises("a missing value", "23502", lambda: table().insert({"user_id": owner, "bot_id": "e"}).execute())
    raises("a taken key", "23505", lambda: table().insert(row(owner, "b", noon)).execute())
    raises("an unknown column", "PGRST204", lambda: table().insert({"user_id": owner, "colour": "blue"}).execute())
    unknown = HTTP.get("/rest/v1/nothing", headers={"apikey": KEYS["publishable"]})
    expect("an unknown table", (unknown.status_code, unknown.json()["code"]) == (404, "PGRST205"))
    expect("what is not modelled", HTTP.get("/rest/v1/rpc/x?select=a(b)", headers={"apikey": KEYS["publishable"]}).status_code in (404, 501))
    minimal = HTTP.patch("/rest/v1/bot_pairings?bot_id=eq.b", json={"bot_name": "B"}, headers={
        "apikey": KEYS["publishable"], "Authorization": f"Bearer {token}", "Prefer": "return=minimal"})
    expect("an update without its rows", (minimal.status_code, minimal.text, minimal.headers["Content-Range"]) == (204, "", "0-0/*"))


def faults():
    key = {"apikey": KEYS["publishable"]}
    HTTP.post("/test/faults", json=[{"do": "status", "status": 429, "headers": {"Retry-After": "7"}}, {"do": "redirect", "to": "http://127.0.0.1:1/"},
                                    {"do": "html"}, {"do": "cut"}])
    answers = [HTTP.get("/auth/v1/settings", headers=key) for _ in range(3)]
    expect("too many", (answers[0].status_code, answers[0].headers["Retry-After"]) == (429, "7"))
    expect("a redirect, and a page", (answers[1].status_code, answers[2].headers["Content-Type"]) == (307, "text/html"))
    try:
        HTTP.get("/auth/v1/settings", headers=key)
        expect("a cut connection", False)
    except httpx.RemoteProtocolError:
        pass
    expect("no fault any more", HTTP.get("/auth/v1/settings", headers=key).status_code == 200)


sessions()
rows()
faults()
print(f"{passed} passed, 0 failed")
