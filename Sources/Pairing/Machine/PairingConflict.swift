internal import DNSSD
package import GatewayProtocol
internal import Scanning

/// A paired gateway that another one claims to be, or in whose place another one is, without the proof of the pairing.
/// Nothing is asked of such a gateway; the user ends this by consenting to its new certificate, and not by pairing anew.
package struct PairingConflict: Hashable, Sendable {
    /// The pairing.
    package let pairing: StoredPairing

    /// The likeness with the paired gateway; the first that applies.
    package let likeness: GatewayLikeness

    /// The certificate that the paired gateway has to show; `nil` where a certified host has to.
    package let expected: LeafFingerprint?

    /// The certificate that was shown; `nil` without TLS.
    package let found: LeafFingerprint?

    /// Indicates whether it says itself that it is another gateway, which may have got the address of the paired one.
    package let isAnother: Bool

    /// Indicates whether it was asked by a host name where the paired gateway has none, or the other way round: behind a front,
    /// it may be another gateway.
    package let isByOtherName: Bool
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
