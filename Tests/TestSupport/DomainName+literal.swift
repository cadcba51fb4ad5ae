package import DNSSD

/// String literals as domain names, for tests.
extension DomainName: ExpressibleByStringLiteral {
    /// Creates the name with this escaped text, or the root if the text is not valid: a test that uses an invalid text
    /// fails, since none expects the root.
    package init(stringLiteral text: String) {
        self = (try? DomainName(escaped: text)) ?? .root
    }
}
