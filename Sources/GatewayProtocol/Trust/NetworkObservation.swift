package import DNSSD

/// The network through which an endpoint is reached at one moment, by the features that distinguish it from others with
/// the same addresses.
package struct NetworkObservation: Hashable, Sendable {
    /// The state of knowledge about a machine on the link.
    package enum Neighbour: Hashable, Sendable {
        /// There is none: no default router, or the gateway is this host itself, routed, or behind a tunnel.
        case none

        /// There is one, but the kernel has not reached it yet.
        case unknown

        /// There is one with this hardware address.
        case at([UInt8])
    }

    /// The prefix of the network of the interface that leads there, with the host bits zero.
    package let prefix: IPAddress

    /// The length of the prefix in bits.
    package let prefixLength: Int

    /// The default router of the link: IPv4's where it has one, else IPv6's.
    package let router: Neighbour

    /// The gateway itself.
    package let gateway: Neighbour

    /// The tunnel that leads there, if it is one that has a name of its own.
    package let tunnel: NetworkTunnel?

    /// The machine that has the address in the tailnet that leads there, by the word of the tailnet's service on this host;
    /// `nil` where there is none, and where it was not asked.
    package let node: TailnetNode?

    /// Creates an observation; by default of no tunnel. The host bits of the prefix have to be zero. `PairingStore` has
    /// functions that create one from the state of this host.
    package init(
        prefix: IPAddress,
        prefixLength: Int,
        router: Neighbour,
        gateway: Neighbour,
        tunnel: NetworkTunnel? = nil,
        node: TailnetNode? = nil
    ) {
        self.prefix = prefix
        self.prefixLength = prefixLength
        self.router = router
        self.gateway = gateway
        self.tunnel = tunnel
        self.node = node
    }

    /// Returns the same observation after the tailnet's service was asked for the machine.
    package func at(_ node: TailnetNode?) -> NetworkObservation {
        NetworkObservation(
            prefix: prefix,
            prefixLength: prefixLength,
            router: router,
            gateway: gateway,
            tunnel: tunnel,
            node: node
        )
    }

    /// Returns the same observation with the machine that was named on an earlier one; with none where another network leads
    /// there by now, in which anybody may have that address.
    package func at(nodeOf earlier: NetworkObservation?) -> NetworkObservation {
        at(earlier?.at(nil) == at(nil) ? earlier?.node : nil)
    }

    /// The network inside this host, which no other host is in.
    package static let ownHost = NetworkObservation(
        prefix: .v4(IPv4Address(bits: 127 << 24)),
        prefixLength: 8,
        router: .none,
        gateway: .none
    )

    /// Indicates whether there is a machine on the link that the kernel has not reached yet.
    package var isIncomplete: Bool { router == .unknown || gateway == .unknown }

    /// The network as it is stored with a pairing; `nil` while any part of it is unknown.
    package var homeNetwork: HomeNetwork? {
        let router: [UInt8]
        switch self.router {
        case .unknown: return nil
        case .none: router = []
        case .at(let hardware): router = hardware
        }
        switch gateway {
        case .unknown: return nil
        case .none: return HomeNetwork(prefix: prefix, prefixLength: prefixLength, router: router, gateway: nil)
        case .at(let hardware):
            return HomeNetwork(prefix: prefix, prefixLength: prefixLength, router: router, gateway: hardware)
        }
    }
}
