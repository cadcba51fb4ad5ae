/// An opaque identifier of 1–128 bytes of UTF-8 that a gateway gives one of its bots, unique within the gateway.
///
/// Compared byte for byte, as ``GatewayFingerprint`` is; a bot is known by its gateway and this.
public struct BotID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The most bytes of an identifier.
    public static let maximumLength = 128

    /// Its UTF-8. `String` would take two spellings of one letter for the same.
    public let bytes: [UInt8]

    /// An identifier; `nil` unless it has 1 to 128 bytes of UTF-8.
    public init?(_ text: String) {
        guard (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
        self.bytes = Array(text.utf8)
    }

    /// The identifier as text, exactly. It is untrusted: for people, clean it.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var description: String { text }

    /// By bytes.
    public static func < (lhs: BotID, rhs: BotID) -> Bool {
        lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
    }
}
