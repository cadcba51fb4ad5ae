/// An opaque identifier of 1–128 bytes of UTF-8 that a gateway gives one of its bots, unique within the gateway.
///
/// It is compared byte for byte, as ``GatewayFingerprint`` is; a bot is identified by its gateway and this identifier.
public struct BotID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The most bytes of an identifier.
    public static let maximumLength = 128

    /// The UTF-8 of the identifier. `String` would treat two canonically equivalent spellings as equal.
    public let bytes: [UInt8]

    /// Makes an identifier; `nil` unless the text has 1 to 128 bytes of UTF-8.
    public init?(_ text: String) {
        guard (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
        self.bytes = Array(text.utf8)
    }

    /// The identifier as text, exactly. It is untrusted: clean it before showing it.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public var description: String { text }

    /// Orders identifiers by their bytes.
    public static func < (lhs: BotID, rhs: BotID) -> Bool {
        lhs.bytes.lexicographicallyPrecedes(rhs.bytes)
    }
}
