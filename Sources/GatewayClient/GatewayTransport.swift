public import GatewayProtocol

/// The transport of a connection to a gateway: TCP alone, or TLS.
public enum GatewayTransport: Hashable, Sendable {
    /// TCP alone.
    case plain

    /// TLS. Gateways sign their certificates themselves and name no host in them, so that the only thing to check is
    /// which certificate it is: with a pin, another one ends the connection before anything is sent; without, it is
    /// reported and proves nothing.
    case tls(pin: LeafFingerprint? = nil)

    /// Indicates whether the transport is TLS.
    public var isTLS: Bool { self != .plain }
}
