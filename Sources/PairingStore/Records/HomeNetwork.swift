public import DNSSD

/// The network in which a gateway was paired without TLS, by what tells it from others that use the same addresses.
///
/// A part that is not known is `nil`, and never equals: a network of which something is unknown is not the same one.
public struct HomeNetwork: Hashable, Sendable {
    /// The network that this host shared with the gateway, with the bits of the host zero.
    public let prefix: IPAddress

    /// The length of the prefix in bits.
    public let prefixLength: Int

    /// The hardware address of the default router; empty where there was no default route.
    public let router: [UInt8]

    /// The hardware address of the gateway, where it was on-link; `nil` where it is this host itself or routed.
    public let gateway: [UInt8]?

    public init(prefix: IPAddress, prefixLength: Int, router: [UInt8], gateway: [UInt8]?) {
        self.prefix = prefix
        self.prefixLength = prefixLength
        self.router = router
        self.gateway = gateway
    }

    /// Indicates whether it can be told from other networks without the gateway: by its default router, or since it is
    /// inside this host. A prefix alone tells nothing, since everybody may use it: `fe80::/64` is everywhere.
    public var isToldApart: Bool { !router.isEmpty || prefix.isLoopback }
}
