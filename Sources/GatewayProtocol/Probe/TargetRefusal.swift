/// The reason why an endpoint that somebody advertised is not connected to.
package enum TargetRefusal: String, Hashable, Sendable, CustomStringConvertible, CaseIterable {
    /// Port 0.
    case port = "port 0 cannot be connected to"
    /// 0.0.0.0/8 or ::, which reach this host.
    case unspecified = "the unspecified address"
    /// A loopback address, in an advertisement from another host.
    case loopback = "a loopback address that another host advertises"
    /// An address of this host, in an advertisement from another host.
    case ownAddress = "an address of this host that another host advertises"
    /// A group of hosts.
    case multicast = "a multicast address"
    /// All hosts of a link.
    case broadcast = "a broadcast address"
    /// An address at which clouds hand out credentials.
    case metadata = "a cloud's metadata address"
    /// An IPv6 address that embeds an IPv4 address: 64:ff9b::/96, 2002::/16 or ::/96.
    case translated = "an address that a translator would rewrite"
    /// A link-local address without the interface that it belongs to.
    case missingScope = "a link-local address without its interface"
    /// A link-local address in a DNS zone.
    case linkLocal = "a link-local address, which a DNS zone cannot mean"
    /// A public address, although the advertisement can only come from the local network.
    case notLocal = "an address outside the local network"

    package var description: String { rawValue }
}
