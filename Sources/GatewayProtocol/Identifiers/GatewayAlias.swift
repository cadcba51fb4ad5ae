/// A name that the user has given to a gateway, and what identifies that: its certificate, its fingerprint or, without
/// these, the identifier of its row, which is that of its service or address.
public struct GatewayAlias: Hashable, Sendable {
    /// The identifier of the row of the gateway.
    public let gatewayID: String

    /// The fingerprint with which it answers.
    public let fingerprint: GatewayFingerprint?

    /// The certificate that it shows.
    public let leaf: LeafFingerprint?

    /// The name.
    public let name: String

    /// Creates an alias.
    public init(gatewayID: String, fingerprint: GatewayFingerprint?, leaf: LeafFingerprint?, name: String) {
        self.gatewayID = gatewayID
        self.fingerprint = fingerprint
        self.leaf = leaf
        self.name = name
    }

    /// Indicates whether two aliases are for the same gateway.
    public func isForSameGateway(as other: GatewayAlias) -> Bool {
        if leaf != other.leaf || fingerprint != other.fingerprint { return gatewayID == other.gatewayID }
        // With a fingerprint it is the same wherever it is; a certificate alone may be that of a front.
        return fingerprint != nil || gatewayID == other.gatewayID
    }
}
