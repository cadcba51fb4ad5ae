/// A name that the user has given to a gateway, and what identifies that: its certificate, its fingerprint or, without
/// these, the identifier of its row, which is that of its service or address.
package struct GatewayAlias: Hashable, Sendable {
    /// The identifier of the row of the gateway.
    package let gatewayID: String

    /// The fingerprint with which it answers.
    package let fingerprint: GatewayFingerprint?

    /// The certificate that it shows.
    package let leaf: LeafFingerprint?

    /// The name.
    package let name: String

    /// Creates an alias.
    package init(gatewayID: String, fingerprint: GatewayFingerprint?, leaf: LeafFingerprint?, name: String) {
        self.gatewayID = gatewayID
        self.fingerprint = fingerprint
        self.leaf = leaf
        self.name = name
    }

    /// Indicates whether two aliases are for the same gateway.
    package func isForSameGateway(as other: GatewayAlias) -> Bool {
        if leaf != other.leaf || fingerprint != other.fingerprint { return gatewayID == other.gatewayID }
        // With a fingerprint it is the same wherever it is; a certificate alone may be that of a front.
        return fingerprint != nil || gatewayID == other.gatewayID
    }
}
