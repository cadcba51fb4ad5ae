/// The identifier of a credential: random, and of no meaning.
public struct CredentialID: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// 32 lower-case hexadecimal digits.
    public let description: String

    /// A new one, of 128 random bits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// A new one, of 128 bits of a generator.
    public init(using generator: inout some RandomNumberGenerator) {
        self.description = RandomDigits.make(using: &generator)
    }

    /// Reads one; `nil` unless it is 32 lower-case hexadecimal digits.
    public init?(_ description: String) {
        guard RandomDigits.areIn(description) else { return nil }
        self.description = description
    }

    public static func < (lhs: CredentialID, rhs: CredentialID) -> Bool { lhs.description < rhs.description }
}
