public import GatewayProtocol

/// The transport of a connection to a gateway: TCP alone, or TLS.
public enum GatewayTransport: Hashable, Sendable {
    /// TCP alone.
    case plain

    /// TLS. Gateways sign their certificates themselves and name no host in them, so that the only thing to check is
    /// which certificate it is: with a pin, another one ends the connection before anything is sent; without, it is
    /// reported and proves nothing.
    case tls(pin: LeafFingerprint? = nil)

    /// TLS towards a host with a certificate of its own, such as a public tunnel: the certificate must be one of this host
    /// name, and vouched for by somebody whom this system trusts; else the connection ends before anything is sent. An
    /// address is no host name.
    case certified(host: String)

    /// The host name that the peer must prove.
    var host: String? {
        guard case .certified(let host) = self else { return nil }
        return host
    }

    /// Indicates whether the transport is TLS.
    public var isTLS: Bool { self != .plain }
}
