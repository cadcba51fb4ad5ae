package import DNSSD
package import GatewayProtocol

/// The certificates that are shown now where a paired gateway was verified: the one rule for which other certificate is
/// taken for its own, and which identity comes with that. A value, which asks nobody.
///
/// Digits that somebody gives are accepted only where they are shown: one that is mistyped would end the pairing, since
/// nobody could ever prove itself by it.
package struct ShownCertificates: Hashable, Sendable {
    /// The answer at one place.
    struct Answer: Hashable, Sendable {
        let place: Endpoint

        /// The certificate.
        let leaf: LeafFingerprint

        /// Indicates whether it is a gateway that says who it is, as those of the pairing's dialect may.
        let isGateway: Bool

        /// The fingerprint that it tells.
        let fingerprint: GatewayFingerprint?
    }

    /// The pairing with the gateway.
    package let pairing: StoredPairing

    /// The places that were asked, the one that counts first.
    let places: [Endpoint]

    /// The answers there over TLS, in the order of the places.
    let answers: [Answer]

    /// The other pairings; `nil` if they could not be read.
    let others: [StoredPairing]?

    /// The certificates, each once.
    package var leaves: [LeafFingerprint] {
        answers.reduce(into: []) { if !$0.contains($1.leaf) { $0.append($1.leaf) } }
    }

    /// Returns the place that shows a certificate.
    package func place(of leaf: LeafFingerprint) -> Endpoint? { answers.first { $0.leaf == leaf }?.place }

    /// Returns the identity that is shown with a certificate.
    ///
    /// A certificate proves no more than a front, behind which there may be others: the gateway keeps its fingerprint if
    /// anyone tells it, and another one is only taken from the place where the gateway was last.
    ///
    /// - Returns: The identity; `nil` if nobody shows the certificate.
    package func identity(with leaf: LeafFingerprint) -> AcceptedIdentity? {
        let showing = answers.filter { $0.leaf == leaf }
        guard !showing.isEmpty else { return nil }
        guard pairing.dialect.tellsFingerprint else { return .untold }
        if let own = pairing.fingerprint, showing.contains(where: { $0.fingerprint == own }) { return .told(own) }
        guard let first = showing.first, first.place == places.first, first.isGateway, let others else {
            return .unknown
        }
        guard let fingerprint = first.fingerprint else { return .untold }
        let other = others.first { $0.id != pairing.id && $0.fingerprintToTell == fingerprint }
        return other.map(AcceptedIdentity.anotherPaired) ?? .told(fingerprint)
    }

    /// Returns the change to a certificate, and to the fingerprint that the gateway tells with it.
    ///
    /// - Parameters:
    ///   - leaf: The certificate.
    ///   - place: The place at which the gateway is by the user's word; `nil` for where it was.
    package func change(to leaf: LeafFingerprint, at place: Endpoint? = nil) -> TrustChange {
        var change = TrustChange(policy: .pinned(leaf))
        if let place, self.place(of: leaf) == place { change.place = place }
        change.fingerprint = identity(with: leaf)?.fingerprint(of: pairing)
        change.isRenewed = change.fingerprint != nil && change.fingerprint != pairing.fingerprint
        return change
    }

    /// The sentence about digits that nobody shows.
    package func doubt(about leaf: LeafFingerprint) -> String {
        let shown = leaves.map { "sha256 \($0)" }.joined(separator: " and ")
        let places = places.prefix(4).map(\.description).joined(separator: ", ")
        return shown.isEmpty
            ? "nobody shows a certificate where it was (\(places)) that sha256 \(leaf) could be compared with"
            : "expected the digits of a certificate that is shown where it was: \(shown), found sha256 \(leaf)"
    }
}

/// The identity that is shown with a certificate which the user accepts for a paired gateway.
package enum AcceptedIdentity: Hashable, Sendable {
    /// The gateway tells this fingerprint there.
    case told(GatewayFingerprint)

    /// The gateway tells no fingerprint there: its certificate is all that tells it from others.
    case untold

    /// The place shows the certificate and is no gateway of this kind, or is not where the gateway was last.
    case unknown

    /// Another gateway answers there that is paired, too: the certificate is that of their front.
    case anotherPaired(StoredPairing)

    /// Returns the fingerprint of a pairing from then on; `nil` if that is not known.
    ///
    /// - Parameter pairing: The pairing of which the identity was asked.
    package func fingerprint(of pairing: StoredPairing) -> GatewayFingerprint? {
        switch self {
        case .told(let fingerprint): fingerprint
        case .anotherPaired: pairing.fingerprint
        case .untold, .unknown: nil
        }
    }
}
