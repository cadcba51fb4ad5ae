package import DNSSD

/// The verdict on the endpoints at which a paired gateway may be.
extension PairedMarks {
    /// Returns the verdict on an endpoint: the same for whoever shows the gateway, and for the choice of where its token
    /// may go.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - outcome: The outcome of its last probe.
    ///   - isNear: Indicates whether it is on this network: not known from a DNS zone alone, and not at the end of a tunnel.
    ///   - own: The fingerprint of the paired gateway; `nil` if it told none at pairing.
    ///   - isAnywhere: Indicates whether, without TLS, the user trusts any place of the network.
    ///   - others: The verdicts on other places that show its certificate, which the map has found. Other ports
    ///     and paths that are not among them are refused.
    package func verdict(
        on endpoint: Endpoint,
        _ outcome: ProbeOutcome?,
        isNear: Bool,
        of own: GatewayFingerprint?,
        isAnywhere: Bool,
        others: [Endpoint: PathVerdict]
    ) -> PathVerdict {
        let identity = outcome?.identity
        if case .leaf(let pin) = proof, let leaf = outcome?.shownLeaf, leaf != pin { return .changedLeaf(found: leaf) }
        // A leaf is that of a front. Without a fingerprint, the port and path tell which gateway it is behind that.
        if isKnownByLeafAlone(own) {
            if let verdict = others[endpoint] { return verdict }
            if !places.hasSite(of: naming(endpoint)) { return .refused }
        }
        if let identity, isAnother(identity, than: own) { return .moved(.gateway) }
        switch proof {
        case .leaf, .certificate:
            return identity.map { isGiven(by: $0, at: endpoint) ? .own : .unproved } ?? .possible
        case .address:
            let (endpoint, isAnswering) = (naming(endpoint), identity != nil)
            let verdict = verdict(onPlain: endpoint, isNear: isNear, isAnswering: isAnswering, isAnywhere: isAnywhere)
            // One that has TLS by now is sought without, and proves nothing in this way.
            return identity?.leaf != nil && verdict.maySeek ? .unproved : verdict
        }
    }

    private func verdict(
        onPlain endpoint: Endpoint,
        isNear: Bool,
        isAnswering: Bool,
        isAnywhere: Bool
    ) -> PathVerdict {
        guard endpoint.address.mayHaveSecretsInClear else { return .refused }
        if let reason = moves[endpoint] ?? moves[endpoint.unnamed] { return .moved(reason) }
        if places.hasPlace(endpoint) { return isAnswering ? .own : .possible }
        // An endpoint that is known only from a DNS zone gets no token unencrypted, unless the user has consented to it.
        guard isNear else { return .refused }
        guard isAnywhere else { return .moved(.address) }
        // Where not even its own place is in the network of pairing, no other one is.
        return places.isEmpty ? .moved(home.flatMap { moves[$0] } ?? .address) : .possible
    }

    /// Indicates whether an answer is that of another gateway: in another dialect or, where the dialect tells who it is,
    /// with another fingerprint.
    private func isAnother(_ identity: GatewayIdentity, than own: GatewayFingerprint?) -> Bool {
        if identity.dialect != dialect { return true }
        return dialect.tellsFingerprint && own != nil && identity.fingerprint != own
    }

    // MARK: Behind a front

    /// Indicates whether only its certificate, which is that of a front, and its port and path there tell the gateway from
    /// others: it told no fingerprint at pairing, or its dialect has no question for one.
    ///
    /// - Parameter own: The fingerprint of the paired gateway; `nil` if it told none at pairing.
    package func isKnownByLeafAlone(_ own: GatewayFingerprint?) -> Bool {
        guard case .leaf = proof else { return false }
        return !dialect.tellsFingerprint || own == nil
    }

    /// Indicates whether an endpoint is at a place of the pairing, and has another name than that: as it may be the gateway
    /// or, behind a front, another one, it says nothing about it.
    package func isNamedOtherwise(_ endpoint: Endpoint) -> Bool {
        !places.contains(naming(endpoint)) && places.contains { $0.unnamed == endpoint.unnamed }
    }

    /// Returns the verdict on another port or path than that of the pairing, of a gateway whose dialect has no question
    /// for who it is: a certificate proves a front, behind which each place may be a gateway of its own. Its own place is
    /// a part of the proof until it has been asked and nothing answers there, not even its front; and after that until
    /// one place alone is left that shows its certificate, and is not that of another pairing. One token for all devices,
    /// which opens all of a gateway, does not follow the certificate there even then, and none follows it to another name
    /// than that of the pairing, or to another path at its very address and port: the user is asked.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - all: All that show the certificate, or are places of the pairing.
    package func verdict(onOther place: SeenPlace, among all: [SeenPlace]) -> PathVerdict {
        guard place.outcome?.identity?.dialect == dialect else { return .refused }
        let own = all.filter { places.hasSite(of: naming($0.endpoint)) }
        guard !own.isEmpty, own.allSatisfy(\.isSilent) else { return .refused }
        guard !dialect.hasOneToken, !isNamedByAnother(place.endpoint), !isAtItsDoor(place.endpoint) else {
            return .moved(.port)
        }
        let isAlone = all.allSatisfy { other in
            other.endpoint.isSameSite(as: place.endpoint) || places.hasSite(of: naming(other.endpoint)) || other.isDead
                || other.outcome?.identity?.dialect != dialect || other.outcome?.shownLeaf != place.outcome?.shownLeaf
        }
        guard isAlone else { return .moved(.port) }
        return .own
    }

    /// Indicates whether an endpoint has the address and port of a place of the pairing: what answers there shows that the
    /// front is back, whose refusal was all that was known of the gateway's own path.
    private func isAtItsDoor(_ endpoint: Endpoint) -> Bool {
        places.contains { $0.address == endpoint.address && $0.port == endpoint.port }
    }

    /// Indicates whether the user has named a place by another name than those by which the gateway was paired.
    private func isNamedByAnother(_ endpoint: Endpoint) -> Bool {
        let names = Set(places.compactMap(\.serverName))
        return !names.isEmpty && endpoint.serverName.map { !names.contains($0) } == true
    }
}
