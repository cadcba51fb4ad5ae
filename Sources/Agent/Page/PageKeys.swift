internal import HostSystem

/// The secrets with which pages ask an agent: logins, each of which works once and soon, and the sessions that they are
/// exchanged for. A browser keeps the address by which it has come, and so that must be worth nothing afterwards. A value.
///
/// A session outlives the agent, and another program may have its port then. So its key is never sent again: a page goes on
/// only with an agent that has proved to have it, with a token that is made of it for one run, which ends when the page is not
/// answered at its port any more. Whatever a page sends to another program then is the token of a run that is over.
struct PageKeys: Sendable {
    /// The time within which a login has to be used.
    static let loginLifetime = Duration.seconds(300)

    /// The time for which a session lasts.
    static let sessionLifetime = Duration.seconds(12 * 3_600)

    /// The most of each; the oldest goes for one more.
    static let most = 16

    /// The number of random bytes in each, and in the nonce of a page.
    static let length = 32

    /// A login, or the key of a session.
    struct Key: Hashable, Sendable {
        let secret: [UInt8]
        let end: ContinuousClock.Instant
    }

    private struct Session: Sendable {
        let key: Key
        let token: [UInt8]

        init(_ key: Key, run: String) {
            self.key = key
            token = Array(PageProof.token(key: key.secret, run: run).utf8)
        }
    }

    /// The name of the run, which no other has.
    let run = String(decoding: RandomSecret.digits(bytes: length), as: UTF8.self)

    private var logins: [(key: Key, link: String?)] = []
    private var sessions: [Session] = []

    /// The keys of the sessions that still last.
    func keys(at now: ContinuousClock.Instant) -> [Key] { sessions.map(\.key).filter { now < $0.end } }

    /// Takes up sessions of a former run.
    mutating func take(_ keys: [Key]) { sessions += keys.suffix(Self.most).map { Session($0, run: run) } }

    /// Ends all sessions.
    mutating func endSessions() { sessions = [] }

    /// Returns those of another run, for which neither logins nor tokens of this one work.
    func renewed(at now: ContinuousClock.Instant) -> PageKeys {
        var next = PageKeys()
        next.take(keys(at: now))
        return next
    }

    /// Makes a login.
    ///
    /// - Parameter link: The link that goes with it: it can hold a secret, which a browser would keep with the address.
    mutating func makeLogin(link: String? = nil, at now: ContinuousClock.Instant) -> String {
        let key = Self.makeKey(until: now + Self.loginLifetime)
        logins = logins.suffix(Self.most - 1) + [(key, link)]
        return String(decoding: key.secret, as: UTF8.self)
    }

    /// Makes a session for whoever has given a login, which is used up then.
    ///
    /// - Returns: The key of the session, the token for this run, and the link of the login; `nil` if there is no such login.
    mutating func exchange(
        _ login: some Collection<UInt8>,
        at now: ContinuousClock.Instant
    ) -> (key: String, token: String, link: String?)? {
        let index = logins.firstIndex { now < $0.key.end && RandomSecret.matches(login, $0.key.secret) }
        guard let index else { return nil }
        let link = logins.remove(at: index).link
        let session = Session(Self.makeKey(until: now + Self.sessionLifetime), run: run)
        sessions = sessions.suffix(Self.most - 1) + [session]
        let key = String(decoding: session.key.secret, as: UTF8.self)
        return (key, String(decoding: session.token, as: UTF8.self), link)
    }

    /// Indicates whether somebody has given the token of a session for this run.
    func hasToken(_ given: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Bool {
        sessions.contains { now < $0.key.end && RandomSecret.matches(given, $0.token) }
    }

    /// Returns the proofs that this agent has the keys of the sessions, one for each.
    ///
    /// - Parameters:
    ///   - nonce: The digits that a page has made up for this.
    ///   - port: The port at which the page is answered.
    func proofs(for nonce: String, port: UInt16, at now: ContinuousClock.Instant) -> [String] {
        keys(at: now).map { PageProof.proof(key: $0.secret, nonce: nonce, run: run, port: port) }
    }

    /// Indicates whether a text has the form of the secrets, and of the nonces.
    static func isSecret(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 2 * length && text.utf8.allSatisfy("0123456789abcdef".utf8.contains)
    }

    private static func makeKey(until end: ContinuousClock.Instant) -> Key {
        Key(secret: RandomSecret.digits(bytes: length), end: end)
    }
}
