/// An account of a Clawline provider, to which its devices belong: `user_` and a random UUID.
package struct ClawlineAccount: Hashable, Sendable, CustomStringConvertible {
    private static let prefix = "user_"

    /// The text that the provider knows it by.
    package let description: String

    /// Reads an account; `nil` if the text is none.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), UUIDText.isRandom(text.dropFirst(Self.prefix.utf8.count)) else { return nil }
        description = text
    }

    /// Makes an account that no provider has yet: a decision that names it creates it.
    package init(using generator: inout some RandomNumberGenerator) {
        description = Self.prefix + UUIDText.random(using: &generator)
    }
}
