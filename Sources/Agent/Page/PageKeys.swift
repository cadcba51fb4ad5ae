internal import HostSystem

/// The secrets with which a page asks an agent: logins, each of which works once and soon, and the tokens that they are
/// exchanged for. A browser keeps the address by which it has come, and so that must be worth nothing afterwards. A value.
struct PageKeys: Sendable {
    /// The time within which a login has to be used.
    static let loginLifetime = Duration.seconds(300)

    /// The time for which a token works.
    static let tokenLifetime = Duration.seconds(12 * 3_600)

    /// The most of each; the oldest goes for one more.
    static let most = 16

    /// The number of random bytes in each.
    private static let length = 32

    private struct Key: Sendable {
        let secret: [UInt8]
        let end: ContinuousClock.Instant

        func isGiven(by given: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Bool {
            now < end && RandomSecret.matches(given, secret)
        }
    }

    private var logins: [Key] = []
    private var tokens: [Key] = []

    /// Makes a login.
    mutating func makeLogin(at now: ContinuousClock.Instant) -> String {
        Self.add(to: &logins, until: now + Self.loginLifetime)
    }

    /// Makes a token for whoever has given a login, which is used up then.
    ///
    /// - Returns: `nil` if there is no such login.
    mutating func exchange(_ login: some Collection<UInt8>, at now: ContinuousClock.Instant) -> String? {
        guard let index = logins.firstIndex(where: { $0.isGiven(by: login, at: now) }) else { return nil }
        logins.remove(at: index)
        return Self.add(to: &tokens, until: now + Self.tokenLifetime)
    }

    /// Indicates whether somebody has given a token.
    func hasToken(_ given: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Bool {
        tokens.contains { $0.isGiven(by: given, at: now) }
    }

    private static func add(to keys: inout [Key], until end: ContinuousClock.Instant) -> String {
        let secret = RandomSecret.digits(bytes: length)
        keys = keys.suffix(most - 1) + [Key(secret: secret, end: end)]
        return String(decoding: secret, as: UTF8.self)
    }
}
