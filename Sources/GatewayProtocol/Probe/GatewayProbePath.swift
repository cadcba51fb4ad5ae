public import DNSSD

/// A way to a gateway: where to connect, and what stands between.
public struct GatewayProbePath: Hashable, Sendable {
    /// The address and the port that were connected to.
    public let endpoint: Endpoint

    /// The leaf certificate of the peer; `nil` without TLS.
    public let leaf: LeafFingerprint?

    /// Indicates whether the gateway is spoken to through TLS.
    public var isTLS: Bool { leaf != nil }

    public init(endpoint: Endpoint, leaf: LeafFingerprint?) {
        self.endpoint = endpoint
        self.leaf = leaf
    }
}
