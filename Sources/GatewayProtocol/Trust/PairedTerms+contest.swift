internal import DNSSD

/// A likeness of a gateway with a paired one that is more than a name.
package enum GatewayLikeness: String, Hashable, Sendable, CaseIterable {
    /// It answers with the fingerprint of the pairing.
    case fingerprint
    /// It has the row of the pairing in the map: the same service, or the same place.
    case row
    /// It has an address and port at which the paired gateway was verified.
    case place
    /// The user has named the host of the paired gateway.
    case host
    /// It has the name and all bots of the paired gateway.
    case nameAndBots
}

/// A gateway that stands in the place of a paired one without the proof of the pairing.
package struct GatewayContest: Hashable, Sendable {
    /// The certificate that the paired gateway has to show; `nil` where a certified host has to.
    package let expected: LeafFingerprint?

    /// Indicates whether it says itself that it is another gateway, which may have got the address of the paired one.
    package let isAnother: Bool

    /// Indicates whether it was asked by a host name where the paired gateway has none, or the other way round: behind a front,
    /// it may be another gateway.
    package let isByOtherName: Bool
}

extension PairedTerms {
    /// Returns how a gateway that is like the paired one, and is not that by its proof, stands in its place; `nil` if it does
    /// not. Nothing is asked of such a gateway. Without TLS, nothing tells it from the paired one.
    ///
    /// - Parameters:
    ///   - attempt: The connection to it.
    ///   - told: The fingerprint that it has told there.
    ///   - likeness: Its likeness with the paired gateway.
    ///   - isProved: Indicates whether it is proved to be the one that the user means.
    package func contest(
        by attempt: TrustAttempt,
        telling told: GatewayFingerprint?,
        _ likeness: GatewayLikeness,
        isProved: Bool
    ) -> GatewayContest? {
        guard isLackingProof(attempt) else { return nil }
        let isAnother = told != nil && fingerprint != nil && told != fingerprint
        // Whoever says that it is another one may have got an address that the paired one had before, and the
        // address that it had last if there is a proof of who it is. The host that the user named is still the
        // paired one's, wherever its name leads.
        let isInItsPlace = likeness == .host || endpoints.first?.mayBeSamePlace(as: attempt.endpoint) == true
        if isAnother, !isInItsPlace || isProved { return nil }
        // Behind a front, another one may be there by a name, or without: its own proof tells it from the paired one.
        let isByOtherName = likeness == .place && !endpoints.contains(attempt.endpoint)
        if isByOtherName, isProved { return nil }
        let expected: LeafFingerprint? = if case .pinned(let leaf) = policy { leaf } else { nil }
        return GatewayContest(expected: expected, isAnother: isAnother, isByOtherName: isByOtherName)
    }

    /// Indicates whether a peer has not given the proof that the pairing demands by TLS.
    private func isLackingProof(_ attempt: TrustAttempt) -> Bool {
        switch policy {
        case .pinned: !policy.decision(for: attempt).isAllowed
        case .certified:
            // A gateway can have several host names that are certified.
            if case .certified = attempt.shown { false } else { true }
        case .sameAddress, .lan, .tailnet, .tunnel: false
        }
    }
}
