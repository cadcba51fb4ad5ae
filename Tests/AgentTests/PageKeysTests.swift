import Testing

@testable import Agent

/// The secrets with which a page asks: none works for longer, or more often, than it has to.
@Suite struct PageKeysTests {
    private let now = ContinuousClock.now

    /// The address of the page stays in the history of the browser, and must be worth nothing there.
    @Test func aLoginWorksOnceAndSoon() throws {
        var keys = PageKeys()
        let login = keys.makeLogin(at: now)
        #expect(keys.exchange("other".utf8, at: now) == nil)
        #expect(keys.exchange(login.utf8.dropLast(), at: now) == nil)
        let exchanged = keys.exchange(login.utf8, at: now + PageKeys.loginLifetime - .seconds(1))
        let (key, token, _) = try #require(exchanged)
        #expect(keys.exchange(login.utf8, at: now) == nil)
        #expect(Set([login, key, token]).count == 3 && token.utf8.count == 64 && PageKeys.isSecret(key))
        let late = keys.makeLogin(at: now)
        #expect(keys.exchange(late.utf8, at: now + PageKeys.loginLifetime) == nil)
    }

    /// The link can hold a one-time secret, and is not in the address: it comes with the token.
    @Test func aLinkComesWithTheToken() throws {
        var keys = PageKeys()
        let login = keys.makeLogin(link: "optaplus://pair?token=hush", at: now)
        #expect(!PageOpening.address(port: 7_417, login: login).contains("hush"))
        #expect(keys.exchange(login.utf8, at: now)?.link == "optaplus://pair?token=hush")
    }

    @Test func aTokenWorksForItsTime() throws {
        var keys = PageKeys()
        let login = keys.makeLogin(at: now)
        #expect(!keys.hasToken(login.utf8, at: now))
        let exchanged = keys.exchange(login.utf8, at: now)
        let (key, token, _) = try #require(exchanged)
        #expect(keys.hasToken(token.utf8, at: now + PageKeys.sessionLifetime - .seconds(1)))
        #expect(!keys.hasToken(token.utf8, at: now + PageKeys.sessionLifetime))
        #expect(!keys.hasToken("".utf8, at: now) && !keys.hasToken(login.utf8, at: now))
        // The key is never sent, so that it is no token either.
        #expect(!keys.hasToken(key.utf8, at: now))
        #expect(!PageKeys().hasToken(token.utf8, at: now))
    }

    /// Another program may have the port between two agents, and gets the token of the page that is still open.
    @Test func aTokenIsWorthNothingInTheNextRun() throws {
        var former = PageKeys()
        let login = former.makeLogin(at: now)
        let exchanged = former.exchange(login.utf8, at: now)
        let (key, token, _) = try #require(exchanged)
        let lost = former.makeLogin(at: now)
        var next = former.renewed(at: now)
        #expect(next.exchange(lost.utf8, at: now) == nil)
        #expect(next.run != former.run && !next.hasToken(token.utf8, at: now))
        let renewed = PageProof.token(key: Array(key.utf8), run: next.run)
        #expect(next.hasToken(renewed.utf8, at: now) && !former.hasToken(renewed.utf8, at: now))
        #expect(!next.hasToken(renewed.utf8, at: now + PageKeys.sessionLifetime))
    }

    /// The proof is for one question, and one port: whoever has taken the former one may ask the agent at its new one.
    @Test func whatAnswersProvesItself() throws {
        var keys = PageKeys()
        #expect(keys.proofs(for: "n", port: 1, at: now).isEmpty)
        for _ in 0..<2 {
            let login = keys.makeLogin(at: now)
            _ = keys.exchange(login.utf8, at: now)
        }
        let proofs = keys.proofs(for: "n", port: 1, at: now)
        #expect(Set(proofs).count == 2)
        #expect(Set(proofs + keys.proofs(for: "m", port: 1, at: now)).count == 4)
        #expect(Set(proofs + keys.proofs(for: "n", port: 2, at: now)).count == 4)
        for proof in proofs { #expect(!keys.hasToken(proof.utf8, at: now)) }
        #expect(keys.proofs(for: "n", port: 1, at: now + PageKeys.sessionLifetime).isEmpty)
    }

    /// The page makes the same codes: `Tests/PageTests/session.test.mjs`.
    @Test func theCodesAreThoseOfThePage() {
        let key = Array(String(repeating: "0123456789abcdef", count: 4).utf8)
        let (run, nonce) = (String(repeating: "ab", count: 32), String(repeating: "cd", count: 32))
        #expect(
            PageProof.token(key: key, run: run) == "272797acb0575265137140246c624fd3257a224948dc5a5ebf5915bf3532ff4e"
        )
        #expect(
            PageProof.proof(key: key, nonce: nonce, run: run, port: 7_417)
                == "97d0f5ba776a2be7f4ab02394f4521f73b4aa57c1a7a39eaf3c9abc8507aabc1"
        )
    }

    @Test func theOldestGoesForOneMore() throws {
        var keys = PageKeys()
        let logins = (0...PageKeys.most).map { _ in keys.makeLogin(at: now) }
        #expect(Set(logins).count == logins.count)
        #expect(keys.exchange(logins[0].utf8, at: now) == nil)
        #expect(keys.exchange(logins[1].utf8, at: now) != nil)
    }
}
