public import GatewayProtocol

/// What stands between us and a gateway.
public enum GatewayTransport: Hashable, Sendable {
    /// TCP alone.
    case plain

    /// TLS. Gateways sign their certificates themselves and name no host in them, so that the only thing to check is
    /// which certificate it is: with a pin, another one ends the connection before anything is sent; without, it is
    /// reported and proves nothing.
    case tls(pin: LeafFingerprint? = nil)

    /// Whether it is TLS.
    public var isTLS: Bool { self != .plain }
}
