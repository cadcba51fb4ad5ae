package import DNSSD

/// The marks of a pairing, which compare this host's network with that of pairing.
extension PairedTerms {
    /// Returns the marks by which the gateway is recognized now.
    ///
    /// - Parameters:
    ///   - network: Returns the network that leads to an address now.
    ///   - seen: Endpoints besides its own at which it may be, where the user trusts any place of the network.
    package func marks(_ network: (IPAddress) -> NetworkObservation?, seen: [Endpoint] = []) -> PairedMarks {
        let proof: PairedMarks.Proof =
            switch policy {
            case .pinned(let leaf): .leaf(leaf)
            case .certified: .certificate
            case .sameAddress, .lan, .tailnet, .tunnel: .address
            }
        var moves: [Endpoint: MoveReason] = [:]
        let compared = policy.isPlain ? Set(endpoints + (place == nil ? [] : seen)) : []
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

    /// Returns in what the network that leads to an endpoint of a gateway without TLS differs from that of pairing; `nil`
    /// if in nothing, as far as it is known: a kernel that has not yet reached a neighbour is no reason for an alarm. A
    /// token is sent only once it is known.
    private func difference(at endpoint: Endpoint, _ network: NetworkObservation?) -> MoveReason? {
        guard let network else { return nil }
        let attempt = TrustAttempt(shown: .plain, endpoint: endpoint, knownEndpoints: endpoints, network: network)
        return switch policy.decision(for: attempt) {
        case .allowed: nil
        // The tailnet's service is asked for a sending alone; where another network leads there, it need not be.
        case .moved(.unknownNode): network.homeNetwork?.distinguishesAddresses == true ? .unknownNode : nil
        case .moved(.unknownNetwork): network.isIncomplete ? nil : .unknownNetwork
        case .moved(let reason): reason
        case .changedLeaf, .refused: .address
        }
    }

    /// Returns the change of transport that the answers at the places of the pairing show: with TLS where it was paired
    /// without, or the other way round, and nowhere as it was. Nothing is sent there.
    package func changeOfTransport(_ answers: some Sequence<(Endpoint, GatewayIdentity)>) -> MoveReason? {
        let found = answers.filter { place, identity in
            identity.dialect == dialect && endpoints.contains(endpoints.naming(place))
        }
        guard !found.isEmpty, found.allSatisfy({ ($0.1.leaf == nil) != policy.isPlain }) else { return nil }
        return policy.isPlain ? .hasTLS : .lostTLS
    }
}
