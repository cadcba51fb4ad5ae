/// The bytes of a message, and how much of it is in them.
public struct DNSEncodedMessage: Hashable, Sendable {
    /// The packet.
    public let bytes: [UInt8]

    /// The number of entries of each section that are in it, always the first ones. All after the first that did not
    /// fit are left out.
    public let counts: DNSSectionCounts

    /// Indicates whether everything is in it.
    public let isComplete: Bool
}
