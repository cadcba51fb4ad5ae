/// The bytes of a message, and how much of it is in them.
public struct DNSEncodedMessage: Hashable, Sendable {
    /// The packet.
    public let bytes: [UInt8]

    /// How many of each section are in it: the first so many. All after the first that did not fit are left out.
    public let counts: DNSSectionCounts

    /// Whether everything is in it.
    public let isComplete: Bool
}
