package import DNSSD

/// An answer from something that is not a gateway.
package struct ForeignAnswer: Hashable, Sendable {
    /// The most bytes that are kept.
    package static let maximumBytes = 64

    /// A description for people of the kind of service that it looks like: `a web server (HTTP 200)`. Quotes nothing
    /// that the peer sent.
    package let summary: String

    /// The first bytes that it sent, unchanged.
    package let firstBytes: [UInt8]

    /// Creates an answer that keeps the first bytes.
    ///
    /// - Parameters:
    ///   - summary: The kind of service that it looks like.
    ///   - bytes: The bytes that it sent; the first ``maximumBytes`` are kept.
    package init(summary: String, bytes: some Collection<UInt8>) {
        self.summary = summary
        self.firstBytes = Array(bytes.prefix(Self.maximumBytes))
    }

    /// The first bytes, cleaned so that they can be shown.
    package var text: DisplayText {
        DisplayText(String(decoding: firstBytes, as: UTF8.self), limit: Self.maximumBytes)
    }
}
