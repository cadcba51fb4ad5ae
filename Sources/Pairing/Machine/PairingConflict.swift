internal import Constellation
internal import DNSSD
package import GatewayProtocol
package import PairingStore
internal import Trust

/// A paired gateway that another one claims to be, or in whose place another one is, without the proof of the pairing.
/// Nothing is asked of such a gateway; the user ends this by consenting to its new certificate, and not by pairing anew.
package struct PairingConflict: Hashable, Sendable {
    /// A likeness with a paired gateway that is more than a name. The first that applies counts.
    package enum Likeness: String, Hashable, Sendable, CaseIterable {
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

    /// The pairing.
    package let pairing: StoredPairing

    /// The likeness with the paired gateway.
    package let likeness: Likeness

    /// The certificate that the paired gateway has to show; `nil` where a certified host has to.
    package let expected: LeafFingerprint?

    /// The certificate that was shown; `nil` without TLS.
    package let found: LeafFingerprint?

    /// Indicates whether it says itself that it is another gateway, which may have got the address of the paired one.
    package let isAnother: Bool

    /// Indicates whether it was asked by a host name where the paired gateway has none, or the other way round: behind a front,
    /// it may be another gateway.
    package let isByOtherName: Bool

    /// Returns the conflict of a gateway with pairings that it has not proved to be with; `nil` if there is none.
    init?(_ offer: PairingOffer, _ pairings: [StoredPairing]) {
        for pairing in pairings {
            let expected: LeafFingerprint?
            switch pairing.trust {
            case .pinned(let leaf): expected = leaf
            // A gateway can have several host names that are certified.
            case .certified where offer.certifiedHost == nil: expected = nil
            case .certified, .sameAddress, .lan, .tailnet, .tunnel: continue
            }
            if let expected, expected == offer.leaf { continue }
            guard let likeness = Self.likeness(offer, pairing) else { continue }
            let told = (offer.fingerprint, pairing.fingerprint)
            let isAnother = told.0 != nil && told.1 != nil && told.0 != told.1
            // Whoever says that it is another one may have got an address that the paired one had before, and the
            // address that it had last if there is a proof of who it is. The host that the user named is still the
            // paired one's, wherever its name leads.
            let isInItsPlace = likeness == .host || pairing.endpoints.first?.mayBeSamePlace(as: offer.endpoint) == true
            if isAnother, !isInItsPlace || offer.proof != .unproved { continue }
            // Behind a front, another one may be there by a name, or without: its own proof tells it from the paired one.
            let isByOtherName = likeness == .place && !pairing.endpoints.contains(offer.endpoint)
            if isByOtherName, offer.proof != .unproved { continue }
            self.pairing = pairing
            self.likeness = likeness
            self.expected = expected
            self.found = offer.leaf
            self.isAnother = isAnother
            self.isByOtherName = isByOtherName
            return
        }
        return nil
    }

    private static func likeness(_ offer: PairingOffer, _ pairing: StoredPairing) -> Likeness? {
        if let fingerprint = offer.fingerprint, fingerprint == pairing.fingerprint { return .fingerprint }
        if offer.gatewayID.description == pairing.gatewayID { return .row }
        if pairing.endpoints.contains(where: offer.endpoint.mayBeSamePlace) { return .place }
        if let named = offer.hostName, pairing.trust.isCertificate(for: named) { return .host }
        let bots = Set(offer.bots.map(\.id))
        guard !bots.isEmpty, bots == Set(pairing.bots.map(\.id)), offer.dialect == pairing.dialect,
            offer.name.lowercased() == pairing.name.lowercased()
        else { return nil }
        return .nameAndBots
    }
}

extension PairingConflict {
    /// A sentence for people: what was expected, and what was found.
    var message: String {
        let expected =
            switch pairing.trust {
            case .certified(let host): "a certificate for \(DisplayText(host, limit: 128)) that the system trusts"
            case .pinned, .sameAddress, .lan, .tailnet, .tunnel:
                "its certificate, sha256 \(expected.map { "\($0)" } ?? "")"
            }
        let found = found.map { "another one, sha256 \($0)" } ?? "none: it answers without TLS"
        let claim =
            switch likeness {
            case _ where isAnother: "has the address of a paired gateway"
            case .fingerprint: "has the fingerprint of a paired gateway"
            case .row: "is found as a paired gateway"
            case .place, .host: "has the address of a paired gateway"
            case .nameAndBots: "has the name and bots of a paired gateway"
            }
        return "what answers \(claim): expected \(expected), found \(found)"
    }
}
