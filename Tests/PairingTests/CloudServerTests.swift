import GatewayClient
import GatewayProtocol
import Synchronization
import Testing

@testable import Pairing

/// The answers of a server of the cloud, a hostile one among them, and what is made of them.
@Suite struct CloudServerTests {
    private static func kind(_ status: Int, _ body: String, isWhole: Bool = true) -> CloudError.Kind? {
        var reply = WebReply(status: status, body: Array(body.utf8))
        reply.isWhole = isWhole
        do throws(CloudError) {
            _ = try CloudServer.answer(reply)
            return nil
        } catch {
            return error.kind
        }
    }

    /// Both shapes of errors of the auth server, PostgREST's, OAuth's and the gateway's. Only its own word ends a session.
    @Test func errorsAreRead() {
        #expect(Self.kind(200, "[]") == nil && Self.kind(204, "") == nil)
        #expect(Self.kind(400, #"{"code":400,"error_code":"refresh_token_already_used","msg":"x"}"#) == .ended)
        #expect(Self.kind(400, #"{"code":"refresh_token_not_found","message":"x"}"#) == .ended)
        #expect(Self.kind(400, #"{"code":"invalid_credentials","message":"x"}"#) == .refused)
        #expect(Self.kind(400, #"{"error":"invalid_request","error_description":"x"}"#) == .refused)
        #expect(
            Self.kind(401, #"{"code":"PGRST303","details":null,"hint":null,"message":"JWT expired"}"#) == .unauthorized
        )
        #expect(Self.kind(403, #"{"code":"bad_jwt","message":"x"}"#) == .unauthorized)
        #expect(Self.kind(403, #"{"code":"42501","message":"x"}"#) == .refused)
        #expect(Self.kind(401, #"{"message":"Invalid API key"}"#) == .unauthorized)
        for status in [408, 429, 500, 503, 522] { #expect(Self.kind(status, "<html>") == .passing) }
    }

    /// An older auth server has one word for all that ends a session.
    @Test func anOlderServerEndsASession() {
        #expect(Self.kind(400, #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#) == .ended)
    }

    /// A server that repeats a secret in its words does not get it into a log, or into the store in clear.
    @Test func noSecretIsRepeated() async throws {
        let asked = Mutex("")
        let server = CloudServer(try CloudProject("https://abc.example#sb_publishable_x")) { _ throws(WebFailure) in
            var reply = WebReply(status: 400, body: Array(#"{"code":"x","message":"\#(asked.withLock { $0 })"}"#.utf8))
            reply.isWhole = true
            return reply
        }
        func words(_ body: () async throws -> Void) async -> String {
            do {
                try await body()
                return ""
            } catch {
                return "\(error)"
            }
        }
        for said in ["no: pass-word", "refresh-1 is used", "access-1"] {
            asked.withLock { $0 = said }
            let all = [
                await words { _ = try await server.signIn("me", password: Secret("pass-word")) },
                await words { _ = try await server.renew(Secret("refresh-1")) },
                await words { try await server.signOut(Secret("access-1")) },
            ]
            #expect(all.filter { $0.contains(said) }.count == 2, "\(said)")
            #expect(all.allSatisfy { $0.contains("400") })
        }
    }

    /// A page of a network's sign-in, a cut answer, one without end, and a redirect: nothing is taken from them.
    @Test func whatIsNoAnswerIsNone() {
        #expect(Self.kind(200, "<!doctype html>") == .passing)
        #expect(Self.kind(200, "[]", isWhole: false) == .passing)
        #expect(Self.kind(200, String(repeating: "[", count: CloudServer.answerLimit), isWhole: false) == .passing)
        #expect(Self.kind(307, "") == .refused)
    }

    /// A server may not keep this device away for days.
    @Test func aPauseIsBounded() throws {
        let reply = WebReply(status: 429, retryAfter: "99999999")
        #expect { try CloudServer.answer(reply) } throws: { ($0 as? CloudError)?.pause == .seconds(3_600) }
    }

    /// The key that opens the rows of all users is taken by nothing.
    @Test func onlyAPublishableKeyIsTaken() throws {
        func jwt(_ role: String) -> String { "e30.\(Base64.url.encode(Array(#"{"role":"\#(role)"}"#.utf8))).x" }
        for key in ["sb_publishable_x", jwt("anon")] {
            #expect(try CloudProject("https://abc.example#\(key)").key == key)
            #expect(try CloudProject("http://127.0.0.1:54321/#\(key)").url.port == 54_321)
        }
        for text in [
            "https://abc.example#sb_secret_x", "https://abc.example#\(jwt("service_role"))",
            "https://abc.example#\(jwt("authenticated"))", "https://abc.example#", "https://abc.example",
            "http://abc.example#sb_publishable_x", "https://abc.example/x#sb_publishable_x",
            "abc.example#sb_publishable_x",
            "https://abc.example#sb_publishable_x\r\nX: y",
        ] {
            #expect(throws: CloudError.self, "\(text)") { try CloudProject(text) }
        }
    }

    /// The statements that have the same effect in any order, with whatever is in an identifier.
    @Test func theStatementsAreExact() async throws {
        let asked = Mutex<[String]>([])
        let server = CloudServer(try CloudProject("https://abc.example#sb_publishable_x")) { call throws(WebFailure) in
            asked.withLock { $0.append(call.target) }
            var reply = WebReply(status: 200, body: Array("[]".utf8))
            reply.isWhole = true
            return reply
        }
        let key = CloudRow.Key(user: "u", bot: "a&b=c,d)\"", gateway: "g+h i")
        var row = CloudRow(key: key, device: "d", pairedAt: 1)
        _ = try await server.insert([row], token: Secret("t"))
        try await server.replaceOlder(row, token: Secret("t"))
        row.isActive = false
        try await server.replaceOlder(row, token: Secret("t"))
        _ = try await server.wrappedKeys(of: "u", atMost: 3, token: Secret("t"))
        try await server.noteConnected("g+h i", of: "u", at: 1, token: Secret("t"))
        let table = "/rest/v1/bot_pairings?"
        let match = "user_id=eq.u&bot_id=eq.a%26b%3Dc%2Cd%29%22&gateway_fingerprint=eq.g%2Bh%20i"
        let time = "%221970-01-01T00%3A00%3A00.000001Z%22"
        #expect(
            asked.withLock { $0 } == [
                table
                    + "on_conflict=user_id,bot_id,gateway_fingerprint&select=user_id,bot_id,gateway_fingerprint",
                table + match
                    + "&or=(paired_at.is.null,is_active.is.null,paired_at.lt.\(time),"
                    + "and(paired_at.eq.\(time),is_active.is.true,device_id.lt.%22d%22))",
                table + match
                    + "&or=(paired_at.is.null,is_active.is.null,paired_at.lt.\(time),"
                    + "and(paired_at.eq.\(time),is_active.is.true))",
                table + "select=\(CloudRow.columns)&user_id=eq.u&gateway_fingerprint=like.vault%3A*"
                    + "&order=updated_at.desc&limit=3",
                table + "user_id=eq.u&gateway_fingerprint=eq.g%2Bh%20i&is_active=is.true"
                    + "&or=(last_connected.is.null,last_connected.lt.%221970-01-01T00%3A00%3A00.001000Z%22)",
            ]
        )
    }

    // MARK: Session

    private static func session(_ lifetime: Int) throws -> CloudSession {
        let text = """
            {"access_token":"a","refresh_token":"r","expires_in":\(lifetime),"user":{"id":"U","email":"me@example.org"}}
            """
        return try #require(CloudSession(try JSONValue(parsing: Array(text.utf8))))
    }

    /// A token is renewed before it ends, and once after it was refused; then the attempt ends, whatever the server says.
    @Test func aSessionIsRenewedOnce() throws {
        var access = CloudAccess()
        let now = ContinuousClock.now
        access.begin()
        #expect(access.request(now: now) == .renew)
        access.take(try Self.session(3_600), now: now)
        #expect(access.request(now: now) == .send(Secret("a")))
        #expect(access.refuse() == .giveUp)
        #expect(access.request(now: now) == .giveUp)
        access.begin()
        #expect(access.request(now: now) == .renew)
        access.take(try Self.session(3_600), now: now)
        access.begin()
        #expect(access.request(now: now + .seconds(3_569)) == .send(Secret("a")))
        #expect(access.refuse() == .renew)
        access.take(try Self.session(3_600), now: now)
        access.begin()
        #expect(access.request(now: now + .seconds(3_571)) == .renew)
    }

    /// A clock that is wrong there gives tokens that end at once: they are used in this attempt, and it ends.
    @Test func aTokenWithoutALifeIsUsedOnce() throws {
        var access = CloudAccess()
        let now = ContinuousClock.now
        access.begin()
        access.take(try Self.session(-5), now: now)
        #expect(access.request(now: now) == .send(Secret("a")))
        access.begin()
        #expect(access.request(now: now) == .renew)
    }

    /// An answer without a session, or with a token that would change the header, is none.
    @Test(arguments: [
        "{}", "null", #"{"access_token":"a","refresh_token":"r"}"#, #"{"access_token":"a","user":{"id":"u"}}"#,
        #"{"access_token":"a\r\nx: y","refresh_token":"r","user":{"id":"u"}}"#,
        #"{"access_token":"","refresh_token":"r","user":{"id":"u"}}"#,
    ])
    func whatIsNoSessionIsNone(text: String) throws {
        #expect(CloudSession(try JSONValue(parsing: Array(text.utf8))) == nil)
    }

    /// RFC 7636, appendix B, has the length; the challenge is the digest of what is sent in the end.
    @Test func theVerifierIsOfItsLength() throws {
        let verifier = CloudVerifier()
        #expect(verifier.secret.count == 43 && verifier.challenge.utf8.count == 43)
        let server = CloudServer(try CloudProject("https://abc.example#sb_publishable_x"))
        #expect(
            server.address(of: "google", back: "http://127.0.0.1:1/x", verifier)
                == "https://abc.example/auth/v1/authorize?provider=google&redirect_to=http%3A%2F%2F127.0.0.1%3A1%2Fx"
                + "&code_challenge=\(verifier.challenge)&code_challenge_method=s256"
        )
    }
}
