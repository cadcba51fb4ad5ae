internal import ArgumentParser
internal import DNSSD
internal import PairingStore

/// The change of the trust in a gateway that the user has consented to.
struct TrustChange: Hashable, Sendable {
    let policy: TrustPolicy

    /// The one place where it is without TLS; `nil` with TLS, where places prove nothing.
    var endpoint: Endpoint?

    /// The change for people, to stand behind a name.
    var text: String {
        (endpoint.map { " at \($0)" } ?? "") + ": " + TrustText.sentence(policy)
    }

    /// Makes the change. The places before are those of whoever has these addresses by now.
    func apply(to pairing: inout StoredPairing) {
        pairing.trust = policy
        if let endpoint { pairing.endpoints = [endpoint] }
    }
}

/// The extent of the consent to a gateway without TLS, as `--trust` takes it.
enum PlainTrust: String, ExpressibleByArgument, CaseIterable {
    /// Its address and port, in the network where it is.
    case address

    /// Any address of the network where it is.
    case lan

    func policy(_ network: HomeNetwork) -> TrustPolicy {
        switch self {
        case .address: .sameAddress(network)
        case .lan: .lan(network)
        }
    }
}
