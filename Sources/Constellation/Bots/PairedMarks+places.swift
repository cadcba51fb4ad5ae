package import DNSSD
package import GatewayProtocol

/// The verdict on the endpoints at which a paired gateway may be.
extension PairedMarks {
    /// Returns the verdict on an endpoint: the same for whoever shows the gateway, and for the choice of where its token
    /// may go.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - outcome: The outcome of its last probe.
    ///   - reach: The distance to it.
    ///   - id: The row of the paired gateway.
    ///   - isAnywhere: Indicates whether, without TLS, the user trusts any place of the network.
    ///   - others: The verdicts on other places that show its certificate, as the map has found them (see
    ///     ``Gateway/otherPlaces``). Other ports and paths that are not among them are refused.
    package func verdict(
        on endpoint: Endpoint,
        _ outcome: ProbeOutcome?,
        _ reach: Reach,
        of id: GatewayID,
        isAnywhere: Bool,
        others: [Endpoint: PathVerdict]
    ) -> PathVerdict {
        let identity = outcome?.identity
        if case .leaf(let pin) = proof, let leaf = outcome?.shownLeaf, leaf != pin { return .changedLeaf(found: leaf) }
        // A leaf is that of a front. Without a fingerprint, the port and path tell which gateway it is behind that.
        if isKnownByLeafAlone(id) {
            if let verdict = others[endpoint] { return verdict }
            if !isItsPlace(endpoint) { return .refused }
        }
        if let identity, isAnother(identity, than: id) { return .moved(.gateway) }
        switch proof {
        case .leaf:
            guard let identity else { return .possible }
            let isTold = identity.fingerprint != nil || isItsPlace(endpoint)
            return identity.leaf != nil && isTold ? .own : .unproved
        case .certificate:
            guard let identity else { return .possible }
            return identity.leaf != nil && places.contains(endpoint) ? .own : .unproved
        case .address:
            let verdict = verdict(onPlain: endpoint, reach, isAnswering: identity != nil, isAnywhere: isAnywhere)
            // One that has TLS by now is sought without, and proves nothing in this way.
            return identity?.leaf != nil && verdict.maySeek ? .unproved : verdict
        }
    }

    private func verdict(
        onPlain endpoint: Endpoint,
        _ reach: Reach,
        isAnswering: Bool,
        isAnywhere: Bool
    ) -> PathVerdict {
        let address = endpoint.address.unmapped
        guard address.isLoopback || address.isLocalNetwork, !address.isMetadataService else { return .refused }
        if let reason = moves[endpoint] { return .moved(reason) }
        let unscoped = endpoint.unscoped
        if places.contains(where: { $0.unscoped == unscoped }) { return isAnswering ? .own : .possible }
        // An endpoint that is known only from a DNS zone gets no token unencrypted, unless the user has consented to it.
        guard reach == .local else { return .refused }
        guard isAnywhere else { return .moved(.address) }
        // Where not even its own place is in the network of pairing, no other one is.
        return places.isEmpty ? .moved(home.flatMap { moves[$0] } ?? .address) : .possible
    }

    /// Indicates whether an answer is that of another gateway: in another dialect or, where the dialect tells who it is,
    /// with another fingerprint.
    private func isAnother(_ identity: GatewayIdentity, than id: GatewayID) -> Bool {
        if identity.dialect != dialect { return true }
        guard dialect.tellsFingerprint, case .fingerprint(let own) = id else { return false }
        return identity.fingerprint != own
    }

    // MARK: Behind a front

    /// Indicates whether only its certificate, which is that of a front, and its port and path there tell the gateway from
    /// others: it told no fingerprint at pairing, or its dialect has no question for one.
    package func isKnownByLeafAlone(_ id: GatewayID) -> Bool {
        guard case .leaf = proof else { return false }
        guard dialect.tellsFingerprint, case .fingerprint = id else { return true }
        return false
    }

    /// Indicates whether an endpoint has a port and path of the pairing, at whatever address.
    package func isItsPlace(_ endpoint: Endpoint) -> Bool {
        places.contains { $0.port == endpoint.port && $0.resource == endpoint.resource }
    }

    /// Returns the verdict on another port or path than that of the pairing, of a gateway whose dialect has no question
    /// for who it is: a certificate proves a front, behind which each place may be a gateway of its own. Its own place is
    /// a part of the proof until it has been asked and nothing answers there, not even its front; and after that until
    /// one place alone is left that shows its certificate, and is not that of another pairing. One token for all devices,
    /// which opens all of a gateway, does not follow the certificate there even then: the user is asked.
    ///
    /// - Parameters:
    ///   - path: The path to it.
    ///   - all: All paths that show the certificate, or are at a place of the pairing.
    package func verdict(onOtherPlace path: GatewayPath, among all: [GatewayPath]) -> PathVerdict {
        guard path.outcome?.identity?.dialect == dialect else { return .refused }
        let own = all.filter { isItsPlace($0.endpoint) }
        guard !own.isEmpty, own.allSatisfy(\.isSilent) else { return .refused }
        guard !dialect.hasOneToken else { return .moved(.port) }
        let isAlone = all.allSatisfy { other in
            let isThere = other.endpoint.port == path.endpoint.port && other.endpoint.resource == path.endpoint.resource
            return isThere || isItsPlace(other.endpoint) || other.isDead || other.outcome?.identity?.dialect != dialect
                || other.outcome?.shownLeaf != path.outcome?.shownLeaf
        }
        guard isAlone else { return .moved(.port) }
        return .own
    }
}

extension GatewayPath {
    /// Indicates whether it is known that nothing is there: neither the gateway, nor its front alone, nor something else.
    /// A front may also wait for a gateway that hangs, so that silence alone says nothing.
    package var isSilent: Bool {
        switch (silence, outcome) {
        // Of one that tells who it is, its own answers decide.
        case (.refused, let known), (.unreachable, let known): known?.identity?.isKnownByLeafAlone == true
        case (nil, .nothing(.refused)), (nil, .nothing(.unreachable)): true
        default: false
        }
    }

    /// Indicates whether nothing answers there: a probe has found nothing, or it has not answered for long.
    package var isDead: Bool {
        if case .nothing = outcome, liveness != .answering { return true }
        return liveness == .gone
    }
}

extension ProbeOutcome {
    /// The certificate that the endpoint showed; `nil` if it showed none.
    package var shownLeaf: LeafFingerprint? {
        switch self {
        case .gateway(let identity): identity.leaf
        case .nothing(.wrongLeaf(let found)): found
        case .nothing, .somethingElse: nil
        }
    }
}
