internal import DNSSD

extension TrustPolicy {
    /// Decides whether a secret may be sent over a connection. It is called before every such sending.
    ///
    /// With TLS, the certificate decides, at whatever address: the pinned leaf, or a certificate for the host name of
    /// the pairing that the system trusts. A gateway that was paired with TLS never gets a secret without it.
    ///
    /// Without TLS, nothing is proved. The user has consented to one address and port, or to any local address, in one
    /// network: its prefix, the hardware address of its default router and, unless any address will do, that of the
    /// gateway must be the same as at pairing. Unknown counts as different, and so does a network of which nothing but
    /// the prefix is known, such as a tunnel: any address will do only in a network that has a default router, or
    /// inside this host. In a tunnel, the user has consented to one address and port through this very tunnel; in a
    /// tailnet, while they are those of one machine, by the word of the tailnet's service at this moment. A gateway that
    /// has TLS by now is held to the same rules.
    package func decision(for attempt: TrustAttempt) -> TrustDecision {
        switch self {
        case .pinned(let pin):
            switch attempt.shown {
            case .plain, .certified(_, nil): .refused(.notTLS)
            case .leaf(let leaf), .certified(_, let leaf?): leaf == pin ? .allowed : .changedLeaf(found: leaf)
            }
        case .certified:
            switch attempt.shown {
            case .plain: .refused(.notTLS)
            case .leaf: .refused(.notCertified)
            case .certified(let shown, _):
                isCertificate(for: shown) ? .allowed : .refused(.notCertified)
            }
        case .sameAddress(let home):
            Self.plainDecision(for: attempt, home: home, isBoundToAddress: true)
        case .lan(let home):
            Self.plainDecision(for: attempt, home: home, isBoundToAddress: false)
        case .tailnet(let node):
            Self.obstacle(to: attempt, isBoundToAddress: true) ?? Self.decision(node, in: attempt.network)
        case .tunnel(let tunnel):
            Self.obstacle(to: attempt, isBoundToAddress: true)
                ?? (attempt.network?.tunnel == tunnel ? .allowed : .moved(.tunnel))
        }
    }

    private static func decision(_ node: TailnetNode, in network: NetworkObservation?) -> TrustDecision {
        guard let found = network?.node else { return .moved(.unknownNode) }
        return found == node ? .allowed : .moved(.node)
    }

    /// Returns what forbids a sending in clear whatever network leads there; `nil` if nothing does.
    private static func obstacle(to attempt: TrustAttempt, isBoundToAddress: Bool) -> TrustDecision? {
        guard attempt.endpoint.address.mayHaveSecretsInClear else { return .refused(.publicAddress) }
        return !isBoundToAddress || attempt.knownEndpoints.hasPlace(attempt.endpoint) ? nil : .moved(.address)
    }

    private static func plainDecision(
        for attempt: TrustAttempt,
        home: HomeNetwork,
        isBoundToAddress: Bool
    ) -> TrustDecision {
        guard home != .nowhere else { return .moved(.unproved) }
        if let obstacle = obstacle(to: attempt, isBoundToAddress: isBoundToAddress) { return obstacle }
        guard let network = attempt.network else { return .moved(.unknownNetwork) }
        guard network.prefix == home.prefix, network.prefixLength == home.prefixLength else { return .moved(.prefix) }
        guard isBoundToAddress ? home.distinguishesAddresses : home.isDistinguishable else {
            return .moved(.unknownNetwork)
        }
        switch network.router {
        case .unknown: return .moved(.unknownNetwork)
        case .none: if !home.router.isEmpty { return .moved(.router) }
        case .at(let hardware): if hardware != home.router { return .moved(.router) }
        }
        guard isBoundToAddress else { return .allowed }
        switch network.gateway {
        case .unknown: return .moved(.unknownNetwork)
        case .none: return home.gateway == nil ? .allowed : .moved(.machine)
        case .at(let hardware): return hardware == home.gateway ? .allowed : .moved(.machine)
        }
    }

    /// Indicates whether it demands a trusted certificate for a host, whatever the case of its name and with or without a
    /// dot at the end.
    package func isCertificate(for name: String) -> Bool {
        guard case .certified(let host) = self else { return false }
        func plain(_ host: String) -> String { host.hasSuffix(".") ? String(host.dropLast()) : host }
        return !name.isEmpty && plain(name).lowercased() == plain(host).lowercased()
    }
}
