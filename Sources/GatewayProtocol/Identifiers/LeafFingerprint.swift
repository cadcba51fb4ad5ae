internal import DNSSD

/// The SHA-256 of the DER of a peer's own certificate, by which a self-signed gateway is recognised.
public struct LeafFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Makes a fingerprint from its bytes; `nil` unless there are 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Makes a fingerprint from its 64 hexadecimal digits in either case; `nil` for any other text.
    public init?(_ text: String) {
        let digits = text.utf8.map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0xFF) }
        guard digits.count == 64, digits.allSatisfy({ $0 < 16 }) else { return nil }
        self.bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Hashes all bytes at once: an array hashes each by itself, and the map looks fingerprints up at every event.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The fingerprint as 64 lower-case hexadecimal digits, as in `gatewayTlsSha256`.
    public var description: String { bytes.hexadecimal }
}
