internal import ArgumentParser
internal import DNSSD
internal import GatewayProtocol
internal import PairedFacts
internal import PairingStore
internal import Trust

/// The change of the trust in a gateway that the user has consented to.
struct TrustChange: Hashable, Sendable {
    let policy: TrustPolicy

    /// The fingerprint of the gateway with the accepted certificate; `nil` if that is not known.
    var fingerprint: GatewayFingerprint?

    /// Indicates whether that is another one than before.
    var isRenewed = false

    /// The only endpoint of a gateway without TLS; `nil` with TLS, where the address proves nothing.
    var endpoint: Endpoint?

    /// Where a gateway with TLS shows the certificate by the user's word; `nil` where it was.
    var place: Endpoint?

    /// A description of the change for people, which continues after the name of the gateway.
    var text: String {
        let told = isRenewed ? fingerprint : nil
        let renewed = told.map { ". Its fingerprint is \(DisplayText("\($0)", limit: 64)) now" } ?? ""
        return (endpoint.map { " at \($0)" } ?? "") + ": " + TrustText.sentence(policy) + renewed
    }

    /// Applies the change. Earlier endpoints of a gateway without TLS are removed, because anybody may have these
    /// addresses by now.
    func apply(to pairing: inout StoredPairing) {
        pairing.accept(policy, telling: fingerprint)
        if let endpoint { pairing.endpoints = [endpoint] }
        if let place { pairing.noteVerified(at: place) }
    }
}

/// The extent of the consent to a gateway without TLS, as `--trust` takes it.
enum PlainTrust: String, ExpressibleByArgument, CaseIterable {
    /// Only the address and port of the gateway, in the network where it is now.
    case address

    /// Any address of the network where the gateway is now.
    case lan

    /// Only the address and port of the gateway, while the tailnet has the same machine there.
    case tailnet

    /// Only the address and port of the gateway, through the tunnel that leads there now.
    case tunnel
}
