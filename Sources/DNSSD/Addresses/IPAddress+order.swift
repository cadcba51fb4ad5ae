extension IPAddress: Comparable {
    /// Orders the address that a person would try first in front.
    ///
    /// Ordinary IPv4 addresses lead: gateways bind to them by default, and every tool accepts them. IPv6 addresses that
    /// need no scope follow, then link-local addresses, then loopback addresses, and last unspecified and multicast
    /// addresses, which name no host.
    public static func < (lhs: IPAddress, rhs: IPAddress) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank < rhs.rank }
        switch (lhs, rhs) {
        case (.v4(let left), .v4(let right)):
            return left.bits < right.bits
        case (.v6(let left), .v6(let right)):
            if left.bits != right.bits { return left.bits < right.bits }
            guard let rightScope = right.scope else { return false }
            return left.scope.map { $0 < rightScope } ?? true
        case (.v4, .v6):
            return true
        case (.v6, .v4):
            return false
        }
    }

    private var rank: Int {
        if isUnspecified || isMulticast { return 4 }
        if isLoopback { return 3 }
        if isLinkLocal { return 2 }
        return family == .ipv4 ? 0 : 1
    }
}
