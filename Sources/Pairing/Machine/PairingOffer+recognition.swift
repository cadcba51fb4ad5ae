internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// The recognition of an offered gateway: as the one that the user means, and as one that is paired already.
extension PairingOffer {
    /// Returns the proof that it is the gateway of a target.
    func proof(for target: PairingTarget) -> PairingProof {
        if let demanded = target.leaf, demanded == leaf, target.leafSource != .answer { return target.leafSource.proof }
        if certifiedHost != nil { return .certified }
        // A pairing without TLS was never proved.
        guard let pairing, !pairing.trust.isPlain else { return .unproved }
        return .pinnedBefore
    }

    /// Returns the name under which the gateway at an endpoint is advertised, for one that tells none itself and was named by
    /// its address, as by a code; `nil` unless one service alone says so.
    static func advertisedName(at endpoint: Endpoint, among rows: [Gateway]) -> String? {
        let found = rows.filter { row in
            row.paths.contains { !$0.contradicts && $0.endpoint.unnamed == endpoint.unnamed }
        }
        guard found.count == 1, let service = found[0].services.first, found[0].services.count == 1 else { return nil }
        return service.name
    }

    /// Returns whether the user gave its very address for a target, or has paired with it there, and has paired with no
    /// other gateway that was there.
    func isAtGivenAddress(of target: PairingTarget, _ pairings: [StoredPairing]) -> Bool {
        guard pairing == nil else { return true }
        let places = pairings.flatMap(\.endpoints)
        guard !places.contains(where: endpoint.mayBeSamePlace) else { return false }
        return switch target.place {
        // The addresses of a row of the map are behind its name.
        case .endpoints: target.gatewayID == nil && target.hostName == nil
        case .host(let host, port: _): IPAddress(host) != nil
        case .remote: false
        }
    }

    /// The place and the kind of connection, for people.
    var place: String {
        let host = certifiedHost.map { "\(DisplayText($0, limit: 128)) (\(endpoint))" } ?? "\(endpoint)"
        return isPlain ? "\(host) without TLS" : "\(host) with TLS"
    }

    /// Indicates whether a pairing without TLS is with this gateway, as it was before it had TLS: at the same place, and with
    /// the same fingerprint or name. A pairing with its certificate takes the place of that one.
    func replaces(_ pairing: StoredPairing) -> Bool {
        guard !isPlain, pairing.trust.isPlain, pairing.dialect == dialect,
            pairing.endpoints.first?.mayBeSamePlace(as: endpoint) == true
        else { return false }
        if let fingerprint, fingerprint == pairing.fingerprint { return true }
        return pairing.name.lowercased() == name.lowercased()
    }

    /// Indicates whether a pairing is with this gateway, which then may have the pairing's tokens.
    func isGateway(of pairing: StoredPairing) -> Bool {
        pairing.terms.isGateway(of: attempt(knownEndpoints: pairing.endpoints), dialect, telling: fingerprint)
    }

    /// Returns the conflict with the first of some pairings that it is like, and has not proved to be with; `nil` if there is
    /// none.
    func conflict(with pairings: [StoredPairing]) -> PairingConflict? {
        for pairing in pairings {
            guard let likeness = likeness(to: pairing),
                let contest = pairing.terms.contest(
                    by: attempt(knownEndpoints: pairing.endpoints),
                    telling: fingerprint,
                    likeness,
                    isProved: proof != .unproved
                )
            else { continue }
            return PairingConflict(
                pairing: pairing,
                likeness: likeness,
                expected: contest.expected,
                found: leaf,
                isAnother: contest.isAnother,
                isByOtherName: contest.isByOtherName
            )
        }
        return nil
    }

    private func likeness(to pairing: StoredPairing) -> GatewayLikeness? {
        if let fingerprint, fingerprint == pairing.fingerprint { return .fingerprint }
        if gatewayID.description == pairing.gatewayID { return .row }
        if pairing.endpoints.contains(where: endpoint.mayBeSamePlace) { return .place }
        if let hostName, pairing.trust.isCertificate(for: hostName) { return .host }
        let ids = Set(bots.map(\.id))
        guard !ids.isEmpty, ids == Set(pairing.bots.map(\.id)), dialect == pairing.dialect,
            name.lowercased() == pairing.name.lowercased()
        else { return nil }
        return .nameAndBots
    }
}
