package import DNSSD

/// The network in which a gateway was paired without TLS, by the features that distinguish it from others with the same
/// addresses.
///
/// It is complete: while any part of a network is unknown, there is no ``NetworkObservation/homeNetwork``.
package struct HomeNetwork: Hashable, Sendable {
    /// The prefix of the network that this host shared with the gateway, with the host bits zero.
    package let prefix: IPAddress

    /// The length of the prefix in bits.
    package let prefixLength: Int

    /// The hardware address of the default router; empty where there was no default route.
    package let router: [UInt8]

    /// The hardware address of the gateway, if it was on-link; `nil` if the gateway is this host itself or is reached
    /// through a router.
    package let gateway: [UInt8]?

    /// Creates a network. The host bits of the prefix have to be zero: networks are compared as they are. Most are made
    /// by ``NetworkObservation/homeNetwork``.
    package init(prefix: IPAddress, prefixLength: Int, router: [UInt8], gateway: [UInt8]?) {
        self.prefix = prefix
        self.prefixLength = prefixLength
        self.router = router
        self.gateway = gateway
    }

    /// No network at all, which none that is observed equals.
    package static let nowhere = HomeNetwork(
        prefix: .v4(IPv4Address(bits: 0)),
        prefixLength: 0,
        router: [],
        gateway: nil
    )

    /// Indicates whether the network can be distinguished from others without the gateway's hardware address: by its
    /// default router, or because it is inside this host. A prefix alone distinguishes nothing, since anybody may use
    /// it: `fe80::/64` is everywhere.
    package var isDistinguishable: Bool { !router.isEmpty || prefix.isLoopback }

    /// Indicates whether an address in the network can be distinguished from the same address elsewhere: by the default
    /// router or the gateway's hardware address, or because it is inside this host. A tunnel has neither: the same
    /// address at the other end of another tunnel looks the same.
    package var distinguishesAddresses: Bool { isDistinguishable || gateway != nil }
}
