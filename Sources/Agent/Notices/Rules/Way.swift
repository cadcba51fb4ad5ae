/// A kind of network over which a gateway is reached. Addresses of one kind count as one way, since they come and go.
package enum Way: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A loopback address.
    case thisHost = "this-host"
    /// The local network, by IPv4.
    case lanIPv4 = "lan-ipv4"
    /// The local network, by IPv6.
    case lanIPv6 = "lan-ipv6"
    /// A tailnet: 100.64.0.0/10 or fd7a:115c:a1e0::/48.
    case tailnet
    /// Anywhere else.
    case remote

    /// The way in words.
    package var words: String {
        switch self {
        case .thisHost: "this host"
        case .lanIPv4: "the local network (IPv4)"
        case .lanIPv6: "the local network (IPv6)"
        case .tailnet: "the tailnet"
        case .remote: "the remote address"
        }
    }

    package static func < (left: Way, right: Way) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
