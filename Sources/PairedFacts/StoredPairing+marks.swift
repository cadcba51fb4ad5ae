package import Constellation
package import DNSSD
internal import GatewayProtocol
package import PairingStore

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
    func marks(_ network: PairedGateways.Network) -> PairedMarks {
        let proof: PairedMarks.Proof =
            switch trust {
            case .pinned(let leaf): .leaf(leaf)
            case .certified: .certificate
            case .sameAddress, .lan: .address
            }
        let places = trust.isPlain ? endpoints.filter { isAsAtPairing($0, network($0.address)) } : endpoints
        return PairedMarks(dialect: dialect, proof: proof, home: endpoints.first, places: places)
    }

    /// Indicates whether the marks of an earlier version were others.
    func isRecognizedOtherwise(_ former: StoredPairing) -> Bool {
        trust != former.trust || endpoints != former.endpoints || dialect != former.dialect
    }

    /// Indicates whether an endpoint of a gateway without TLS is in the network of pairing, as far as that is known: a
    /// kernel that has not yet reached a neighbour is no reason for an alarm. A token is sent only once it is known.
    private func isAsAtPairing(_ endpoint: Endpoint, _ network: NetworkObservation?) -> Bool {
        guard let network else { return true }
        let attempt = TrustAttempt(shown: .plain, endpoint: endpoint, knownEndpoints: endpoints, network: network)
        return switch trust.decision(for: attempt) {
        case .allowed: true
        case .moved(.unknownNetwork): network.isIncomplete
        case .moved, .changedLeaf, .refused: false
        }
    }
}
