/// The kind of a message (RFC 1035 §4.1.1). Four bits.
public struct DNSOpcode: RawRepresentable, Hashable, Sendable {
    /// The number, 0–15.
    public let rawValue: UInt8

    /// An opcode by its number; bits above the fourth are left out.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue & 0xF
    }

    /// A question or its answer. The only one in multicast DNS (RFC 6762 §18.3).
    public static let query = DNSOpcode(rawValue: 0)
    /// A zone has changed (RFC 1996).
    public static let notify = DNSOpcode(rawValue: 4)
    /// Change a zone (RFC 2136).
    public static let update = DNSOpcode(rawValue: 5)
}
