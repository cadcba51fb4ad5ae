package import Constellation
package import DNSSD
package import PairingStore
package import Trust

extension StoredPairing {
    /// Returns the identifier of its row in the map. A gateway that merely claimed its fingerprint at pairing has been
    /// proved since, and is identified by the fingerprint.
    package func rowID(interfaces: [NetworkInterface]) -> GatewayID? {
        switch GatewayID(gatewayID, interfaces: interfaces) {
        case .claimant(let fingerprint, _): .fingerprint(fingerprint)
        case let id?: id
        // The interface of its address does not exist now.
        case nil: fingerprint.map(GatewayID.fingerprint) ?? endpoints.first.map { .candidate(.endpoint($0)) }
        }
    }

    /// Returns the marks by which its gateway is recognized now.
    ///
    /// - Parameters:
    ///   - network: Returns the network that leads to an address now.
    ///   - seen: Endpoints besides its own at which it may be, where the user trusts any place of the network.
    package func marks(_ network: PairedGateways.Network, seen: [Endpoint] = []) -> PairedMarks {
        let proof: PairedMarks.Proof =
            switch trust {
            case .pinned(let leaf): .leaf(leaf)
            case .certified: .certificate
            case .sameAddress, .lan, .tailnet, .tunnel: .address
            }
        var moves: [Endpoint: MoveReason] = [:]
        let compared = trust.isPlain ? Set(endpoints + (place == nil ? [] : seen)) : []
        for endpoint in compared { moves[endpoint] = difference(at: endpoint, network(endpoint.address)) }
        return PairedMarks(
            dialect: dialect,
            proof: proof,
            home: endpoints.first,
            places: endpoints.filter { moves[$0] == nil },
            moves: moves,
            compared: compared
        )
    }

    /// Indicates whether the marks of an earlier version were others.
    func isRecognizedOtherwise(_ former: StoredPairing) -> Bool {
        trust != former.trust || endpoints != former.endpoints || dialect != former.dialect
    }

    /// Returns in what the network that leads to an endpoint of a gateway without TLS differs from that of pairing; `nil`
    /// if in nothing, as far as it is known: a kernel that has not yet reached a neighbour is no reason for an alarm. A
    /// token is sent only once it is known.
    private func difference(at endpoint: Endpoint, _ network: NetworkObservation?) -> MoveReason? {
        guard let network else { return nil }
        let attempt = TrustAttempt(shown: .plain, endpoint: endpoint, knownEndpoints: endpoints, network: network)
        return switch trust.decision(for: attempt) {
        case .allowed: nil
        // The tailnet's service is asked for a sending alone; where another network leads there, it need not be.
        case .moved(.unknownNode): network.homeNetwork?.distinguishesAddresses == true ? .unknownNode : nil
        case .moved(.unknownNetwork): network.isIncomplete ? nil : .unknownNetwork
        case .moved(let reason): reason
        case .changedLeaf, .refused: .address
        }
    }
}
