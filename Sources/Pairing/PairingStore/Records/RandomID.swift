internal import DNSSD

/// The identifier of a pairing: random, and independent of the gateway, so that it survives a new fingerprint,
/// certificate or name.
public typealias PairingID = RandomID<StoredPairing>

/// The identifier of a credential: random, without a meaning.
public typealias CredentialID = RandomID<StoredCredential>

/// An identifier of 128 random bits, with a type of its own for each kind of thing that it identifies.
public struct RandomID<Subject>: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// 32 lower-case hexadecimal digits.
    public let description: String

    /// Creates an identifier of 128 random bits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates an identifier of 128 bits from a generator.
    public init(using generator: inout some RandomNumberGenerator) {
        self.description = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }

    /// Creates an identifier of 16 bytes.
    init(hexadecimal bytes: [UInt8]) { self.description = bytes.hexadecimal }

    /// Reads an identifier; `nil` unless it is 32 lower-case hexadecimal digits.
    public init?(_ description: String) {
        let digits = description.utf8
        guard digits.count == 32, digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.description = description
    }

    /// Orders by the digits, which are random: the order is stable, and has no meaning.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.description < rhs.description }
}
