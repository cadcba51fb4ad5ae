import DNSSD

/// A value in a gateway's TXT record that cannot be used. The rest of the record still can.
public struct GatewayAdvertisementProblem: Hashable, Sendable, CustomStringConvertible {
    /// The key, as this program spells it.
    public let key: String

    /// The value that was found, cleaned and shortened for people.
    public let found: String

    /// A description of the value that was expected instead.
    public let expected: String

    init(key: String, found: [UInt8], expected: String) {
        self.key = key
        self.found = DisplayText(String(decoding: found, as: UTF8.self), limit: 48).text
        self.expected = expected
    }

    public var description: String { "TXT \(key): expected \(expected), found \u{201C}\(found)\u{201D}" }
}
