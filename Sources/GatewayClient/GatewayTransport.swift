internal import DNSSD
package import GatewayProtocol

/// The transport of a connection to a gateway: TCP alone, or TLS.
package enum GatewayTransport: Hashable, Sendable {
    /// TCP alone.
    case plain

    /// TLS with a self-signed certificate. Gateways sign their certificates themselves and name no host in them, so the
    /// only thing to check is which certificate it is: with a pin, any other certificate ends the connection before
    /// anything is sent; without a pin, the certificate is reported and proves nothing.
    case tls(pin: LeafFingerprint? = nil)

    /// TLS with a certificate for a host name, as public tunnels have: the certificate must name this host (RFC 9525),
    /// and be issued by an authority that this system trusts; otherwise the connection ends before anything is sent. An
    /// IP address is not a host name, and a certificate for the address of the host proves nothing.
    case certified(host: String)

    /// Returns the host name that the peer is asked for: the one that it must prove, else that by which the user named it.
    func host(at endpoint: Endpoint) -> String? {
        guard case .certified(let host) = self else { return endpoint.serverName?.description }
        return host
    }

    /// Indicates whether the transport is TLS.
    package var isTLS: Bool { self != .plain }
}
