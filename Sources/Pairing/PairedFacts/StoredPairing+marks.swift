package import DNSSD
package import GatewayProtocol
package import Scanning

extension StoredPairing {
    /// Returns the identifier of its row in the map. A gateway that merely claimed its fingerprint at pairing has been
    /// proved since, and is identified by the fingerprint.
    package func rowID(interfaces: [NetworkInterface]) -> GatewayID? {
        guard let id = GatewayID(gatewayID, interfaces: interfaces) else {
            // The interface of its address does not exist now.
            return fingerprint.map(GatewayID.fingerprint) ?? endpoints.first.map { .candidate(.endpoint($0)) }
        }
        return if case .claimant(let fingerprint, _) = id.form { .fingerprint(fingerprint) } else { id }
    }

    /// Returns the marks by which its gateway is recognized now.
    ///
    /// - Parameters:
    ///   - network: Returns the network that leads to an address now.
    ///   - seen: Endpoints besides its own at which it may be, where the user trusts any place of the network.
    package func marks(_ network: PairedGateways.Network, seen: [Endpoint] = []) -> PairedMarks {
        terms.marks(network, seen: seen)
    }

    /// Indicates whether the marks of an earlier version were others.
    func isRecognizedOtherwise(_ former: StoredPairing) -> Bool {
        trust != former.trust || endpoints != former.endpoints || dialect != former.dialect
    }
}
