public import DNSSD

/// An answer from something that is not a gateway.
public struct ForeignAnswer: Hashable, Sendable {
    /// The most bytes that are kept.
    public static let maximumBytes = 64

    /// A description for people of the kind of service that it looks like: `a web server (HTTP 200)`. Quotes nothing
    /// that the peer sent.
    public let summary: String

    /// The first bytes that it sent, unchanged.
    public let firstBytes: [UInt8]

    /// Creates an answer that keeps the first bytes.
    ///
    /// - Parameters:
    ///   - summary: The kind of service that it looks like.
    ///   - bytes: The bytes that it sent; the first ``maximumBytes`` are kept.
    public init(summary: String, bytes: some Collection<UInt8>) {
        self.summary = summary
        self.firstBytes = Array(bytes.prefix(Self.maximumBytes))
    }

    /// The first bytes, cleaned so that they can be shown.
    public var text: DisplayText {
        DisplayText(String(decoding: firstBytes, as: UTF8.self), limit: Self.maximumBytes)
    }
}
