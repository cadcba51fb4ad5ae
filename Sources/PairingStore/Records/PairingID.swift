/// The identifier of a pairing: random, and independent of the gateway, so that it survives a new fingerprint,
/// certificate or name.
public struct PairingID: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// 32 lower-case hexadecimal digits.
    public let description: String

    /// Creates an identifier of 128 random bits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates an identifier of 128 bits from a generator.
    public init(using generator: inout some RandomNumberGenerator) {
        self.description = RandomDigits.make(using: &generator)
    }

    /// Reads an identifier; `nil` unless it is 32 lower-case hexadecimal digits.
    public init?(_ description: String) {
        guard RandomDigits.areIn(description) else { return nil }
        self.description = description
    }

    public static func < (lhs: PairingID, rhs: PairingID) -> Bool { lhs.description < rhs.description }
}
