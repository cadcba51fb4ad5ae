package import DNSSD

/// A tunnel of this host through which an endpoint is reached, by what distinguishes it from others: its interface.
///
/// It says which tunnel, not who is at its other end: for that, whoever has set it up answers.
package struct NetworkTunnel: Hashable, Sendable, CustomStringConvertible {
    /// A kind of interface whose name somebody has chosen for one tunnel. Those of `tun` and `tap` are given out in turn:
    /// the same name is that of another tunnel tomorrow.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// WireGuard in the kernel.
        case wireguard
    }

    /// The name of the interface.
    package let name: String

    /// The kind of the interface.
    package let kind: Kind

    /// The address of this host in the tunnel.
    package let address: IPAddress

    /// Creates the description of a tunnel.
    package init(name: String, kind: Kind, address: IPAddress) {
        self.name = name
        self.kind = kind
        self.address = address
    }

    /// The kind and name, such as `wireguard wg0`.
    package var description: String { "\(kind.rawValue) \(name)" }
}
