package import DNSSD

/// Names are written as text in tests.
extension DomainName: ExpressibleByStringLiteral {
    /// The name with this escaped text, or the root, which no test expects by mistake.
    package init(stringLiteral text: String) {
        self = (try? DomainName(escaped: text)) ?? .root
    }
}
