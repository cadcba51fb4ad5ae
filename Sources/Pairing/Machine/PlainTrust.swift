package import Trust

/// The ways to trust a gateway without TLS that a network allows, among which the user chooses.
extension NetworkObservation {
    /// The ways, best first; empty where nothing would distinguish the gateway from another one at its address. At the end
    /// of a tunnel, it is what distinguishes that, or the machine of a tailnet.
    package var plainChoices: [PairingConsent.PlainTrust] {
        if let home = homeNetwork, home.distinguishesAddresses {
            return home.isDistinguishable ? [.address, .lan] : [.address]
        }
        if node != nil { return [.tailnet] }
        return tunnel == nil ? [] : [.tunnel]
    }

    /// Returns the policy of one of these ways; `nil` for one that the network does not allow.
    package func policy(for choice: PairingConsent.PlainTrust) -> TrustPolicy? {
        guard plainChoices.contains(choice) else { return nil }
        return switch choice {
        case .address: homeNetwork.map(TrustPolicy.sameAddress)
        case .lan: homeNetwork.map(TrustPolicy.lan)
        case .tailnet: node.map(TrustPolicy.tailnet)
        case .tunnel: tunnel.map(TrustPolicy.tunnel)
        }
    }
}
