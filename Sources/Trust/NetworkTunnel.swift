public import DNSSD

/// A tunnel of this host through which an endpoint is reached, by what distinguishes it from others: its interface.
///
/// It says which tunnel, not who is at its other end: for that, whoever has set it up answers.
public struct NetworkTunnel: Hashable, Sendable, CustomStringConvertible {
    /// A kind of interface whose name somebody has chosen for one tunnel. Those of `tun` and `tap` are given out in turn:
    /// the same name is that of another tunnel tomorrow.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// WireGuard in the kernel.
        case wireguard
    }

    /// The name of the interface.
    public let name: String

    /// The kind of the interface.
    public let kind: Kind

    /// The address of this host in the tunnel.
    public let address: IPAddress

    /// Creates the description of a tunnel.
    public init(name: String, kind: Kind, address: IPAddress) {
        self.name = name
        self.kind = kind
        self.address = address
    }

    /// The kind and name, such as `wireguard wg0`.
    public var description: String { "\(kind.rawValue) \(name)" }
}
