/// An opaque identifier of 1–128 bytes that a gateway gives itself and keeps wherever it runs.
///
/// It is compared byte for byte. It is not a hash that could be normalised: `home-gw` and `e` are both fingerprints. A
/// fingerprint from a TXT record is only a hint and proves nothing, since anybody can advertise it.
public struct GatewayFingerprint: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The most bytes of a fingerprint.
    public static let maximumLength = 128

    /// The bytes, exactly as the gateway sent them.
    public let bytes: [UInt8]

    /// Makes a fingerprint of these bytes; `nil` unless there are 1 to 128.
    public init?(bytes: some Collection<UInt8>) {
        guard (1...Self.maximumLength).contains(bytes.count) else { return nil }
        self.bytes = Array(bytes)
    }

    /// Makes a fingerprint of the UTF-8 of a text; `nil` unless it has 1 to 128 bytes.
    public init?(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// The fingerprint as text, exactly; `nil` when it is not UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The fingerprint as text; bytes that are not UTF-8 are shown as `U+FFFD`. It is untrusted: clean it before
    /// showing it.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Hashes all bytes at once: an array hashes each by itself, and the map looks fingerprints up at every event.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Orders fingerprints by their bytes.
    public static func < (lhs: GatewayFingerprint, rhs: GatewayFingerprint) -> Bool {
        lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
    }
}
