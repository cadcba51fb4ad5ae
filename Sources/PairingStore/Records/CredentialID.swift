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
        self.description = (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Reads one; `nil` unless it is 32 lower-case hexadecimal digits.
    public init?(_ description: String) {
        guard description.utf8.count == 32,
            description.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.description = description
    }

    public static func < (lhs: CredentialID, rhs: CredentialID) -> Bool { lhs.description < rhs.description }
}
