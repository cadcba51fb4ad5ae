internal import DNSSD

/// The SHA-256 of the DER of a peer's own certificate: what a self-signed gateway is known by.
public struct LeafFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// A fingerprint by its bytes; `nil` unless there are 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// A fingerprint by its 64 hexadecimal digits in either case; `nil` otherwise.
    public init?(_ text: String) {
        let digits = text.utf8.map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0xFF) }
        guard digits.count == 64, digits.allSatisfy({ $0 < 16 }) else { return nil }
        self.bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// 64 lower-case hexadecimal digits, as in `gatewayTlsSha256`.
    public var description: String { bytes.hexadecimal }
}
