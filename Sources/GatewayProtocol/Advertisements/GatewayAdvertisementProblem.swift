import DNSSD

/// A value in a gateway's TXT record that cannot be used. The rest of the record still can.
package struct GatewayAdvertisementProblem: Hashable, Sendable, CustomStringConvertible {
    /// The key, as this program spells it.
    package let key: String

    /// The value that was found, cleaned and shortened for people.
    package let found: String

    /// A description of the value that was expected instead.
    package let expected: String

    init(key: String, found: [UInt8], expected: String) {
        self.key = key
        self.found = DisplayText(String(decoding: found, as: UTF8.self), limit: 48).text
        self.expected = expected
    }

    package var description: String { "TXT \(key): expected \(expected), found \u{201C}\(found)\u{201D}" }
}
