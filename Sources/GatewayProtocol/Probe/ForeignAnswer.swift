public import DNSSD

/// An answer that no gateway gives.
public struct ForeignAnswer: Hashable, Sendable {
    /// The most bytes that are kept.
    public static let maximumBytes = 64

    /// A description for people of the kind of service that it looks like: `a web server (HTTP 200)`. Quotes nothing of
    /// the peer.
    public let summary: String

    /// The first bytes of what it said, exactly.
    public let firstBytes: [UInt8]

    /// - Parameters:
    ///   - summary: What it looks like.
    ///   - bytes: What it said; the first ``maximumBytes`` are kept.
    public init(summary: String, bytes: some Collection<UInt8>) {
        self.summary = summary
        self.firstBytes = Array(bytes.prefix(Self.maximumBytes))
    }

    /// The first bytes, as they can be shown.
    public var text: DisplayText {
        DisplayText(String(decoding: firstBytes, as: UTF8.self), limit: Self.maximumBytes)
    }
}
