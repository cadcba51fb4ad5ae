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

        /// The link that goes with a login: it can hold a secret, which a browser would keep with the address.
        var link: String?

        func isGiven(by given: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Bool {
            now < end && RandomSecret.matches(given, secret)
        }
    }

    private var logins: [Key] = []
    private var tokens: [Key] = []

    /// Makes a login.
    mutating func makeLogin(link: String? = nil, at now: ContinuousClock.Instant) -> String {
        Self.add(to: &logins, until: now + Self.loginLifetime, link)
    }

    /// Makes a token for whoever has given a login, which is used up then.
    ///
    /// - Returns: The token, and the link of the login; `nil` if there is no such login.
    mutating func exchange(
        _ login: some Collection<UInt8>,
        at now: ContinuousClock.Instant
    ) -> (token: String, link: String?)? {
        guard let index = logins.firstIndex(where: { $0.isGiven(by: login, at: now) }) else { return nil }
        let link = logins.remove(at: index).link
        return (Self.add(to: &tokens, until: now + Self.tokenLifetime), link)
    }

    /// Indicates whether somebody has given a token.
    func hasToken(_ given: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Bool {
        tokens.contains { $0.isGiven(by: given, at: now) }
    }

    private static func add(
        to keys: inout [Key],
        until end: ContinuousClock.Instant,
        _ link: String? = nil
    ) -> String {
        let secret = RandomSecret.digits(bytes: length)
        keys = keys.suffix(most - 1) + [Key(secret: secret, end: end, link: link)]
        return String(decoding: secret, as: UTF8.self)
    }
}
