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
        let token = try #require(exchanged).token
        #expect(keys.exchange(login.utf8, at: now) == nil)
        #expect(token != login && token.utf8.count == 64)
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

    /// The port may be another program's once the page is not answered there any more.
    @Test func nothingWorksOnceThePageIsNotAnswered() throws {
        let access = PageAccess()
        let token = try #require(access.exchange(access.makeLogin())).token
        let login = access.makeLogin()
        #expect(access.hasToken(token.utf8))
        access.ends()
        #expect(!access.hasToken(token.utf8))
        #expect(access.exchange(login) == nil)
    }

    @Test func aTokenWorksForItsTime() throws {
        var keys = PageKeys()
        let login = keys.makeLogin(at: now)
        #expect(!keys.hasToken(login.utf8, at: now))
        let exchanged = keys.exchange(login.utf8, at: now)
        let token = try #require(exchanged).token
        #expect(keys.hasToken(token.utf8, at: now + PageKeys.tokenLifetime - .seconds(1)))
        #expect(!keys.hasToken(token.utf8, at: now + PageKeys.tokenLifetime))
        #expect(!keys.hasToken("".utf8, at: now) && !keys.hasToken(login.utf8, at: now))
        // Those of another run are none.
        #expect(!PageKeys().hasToken(token.utf8, at: now))
    }

    @Test func theOldestGoesForOneMore() throws {
        var keys = PageKeys()
        let logins = (0...PageKeys.most).map { _ in keys.makeLogin(at: now) }
        #expect(Set(logins).count == logins.count)
        #expect(keys.exchange(logins[0].utf8, at: now) == nil)
        #expect(keys.exchange(logins[1].utf8, at: now) != nil)
    }
}
