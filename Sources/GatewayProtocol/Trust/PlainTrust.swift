package import DNSSD

/// A way to trust a gateway without TLS. It proves nothing: tokens are sent unencrypted to whatever answers there.
@nonexhaustive
public enum PlainTrust: String, Hashable, Sendable, CaseIterable {
    /// At its present address and port, in this network.
    case address
    /// At any address of this network.
    case lan
    /// At its present address and port, while the tailnet's service on this host names the same machine for it.
    case tailnet
    /// At its present address and port, through the tunnel that leads there now.
    case tunnel
}

/// The decision whether a gateway without TLS can be trusted in the way that the user has chosen.
package enum PlainTrustDecision: Hashable, Sendable {
    /// It can, by this policy.
    case allowed(TrustPolicy)

    /// Not yet, or not at all: the router or the machine is not known.
    case unknownNetwork

    /// It cannot: the tailnet does not say which machine has its address.
    case unknownNode

    /// It cannot in any way: nothing would distinguish it from another gateway at its address.
    case indistinct

    /// It cannot anywhere in this network, which no router distinguishes from others: at its address alone.
    case noRouter

    /// It cannot in this way, but in these.
    case otherwise([PlainTrust])

    /// It cannot: only a DNS zone leads to it, and no tailnet says which machine has its address.
    case zoneAlone

    /// It cannot at its address, to which no secret of it goes unencrypted.
    case publicPlace
}

extension NetworkObservation {
    /// The ways to trust a gateway without TLS that the network allows, best first; empty where nothing would distinguish the
    /// gateway from another one at its address. At the end of a tunnel, it is what distinguishes that, or the machine of a
    /// tailnet. One token for all devices goes to the gateway's own place alone.
    ///
    /// - Parameter isFromZoneAlone: Indicates whether only a DNS zone leads there. Whoever writes the zone could have a secret sent
    ///   anywhere on this network, but cannot say whose an address of a tailnet is.
    package func plainChoices(for dialect: GatewayDialect, isFromZoneAlone: Bool = false) -> [PlainTrust] {
        if isFromZoneAlone { return node == nil ? [] : [.tailnet] }
        if let home = homeNetwork, home.distinguishesAddresses {
            return home.isDistinguishable && !dialect.hasOneToken ? [.address, .lan] : [.address]
        }
        if node != nil { return [.tailnet] }
        return tunnel == nil ? [] : [.tunnel]
    }

    fileprivate func policy(_ choice: PlainTrust) -> TrustPolicy? {
        switch choice {
        case .address: homeNetwork.map(TrustPolicy.sameAddress)
        case .lan: homeNetwork.map(TrustPolicy.lan)
        case .tailnet: node.map(TrustPolicy.tailnet)
        case .tunnel: tunnel.map(TrustPolicy.tunnel)
        }
    }
}

extension PlainTrust {
    /// Decides whether a gateway without TLS can be trusted in this way at a place.
    package func decision(
        for dialect: GatewayDialect,
        at place: Endpoint,
        in network: NetworkObservation?
    ) -> PlainTrustDecision {
        guard place.address.mayHaveSecretsInClear else { return .publicPlace }
        return decision(for: dialect, in: network)
    }

    /// Decides whether a gateway without TLS can be trusted in this way.
    ///
    /// - Parameters:
    ///   - dialect: The dialect that it speaks.
    ///   - network: The network through which it is reached; `nil` when that is unknown.
    ///   - isFromZoneAlone: Indicates whether only a DNS zone leads to it.
    package func decision(
        for dialect: GatewayDialect,
        in network: NetworkObservation?,
        isFromZoneAlone: Bool = false
    ) -> PlainTrustDecision {
        let choices = network?.plainChoices(for: dialect, isFromZoneAlone: isFromZoneAlone) ?? []
        if isFromZoneAlone, choices.isEmpty { return .zoneAlone }
        guard let network, !choices.isEmpty else {
            guard network?.homeNetwork != nil else { return .unknownNetwork }
            return self == .tailnet ? .unknownNode : .indistinct
        }
        if choices.contains(self), let policy = network.policy(self) { return .allowed(policy) }
        let lacksRouter = choices == [.address] && network.homeNetwork?.isDistinguishable == false
        return self == .lan && lacksRouter ? .noRouter : .otherwise(choices)
    }
}
