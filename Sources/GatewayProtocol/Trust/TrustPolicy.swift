/// The proof that an endpoint must give before it gets a token of a pairing, as it was chosen at pairing.
package enum TrustPolicy: Hashable, Sendable {
    /// TLS with this very certificate, at whatever address, port or name.
    case pinned(LeafFingerprint)

    /// TLS with a certificate for this host name that the system trusts.
    case certified(host: String)

    /// Without TLS: the address and port that it had at pairing, in the same network. This proves nothing, but the user
    /// has consented to it.
    case sameAddress(HomeNetwork)

    /// Without TLS: any address of the network of pairing. This proves nothing, but the user has consented to it.
    case lan(HomeNetwork)

    /// Without TLS, over a tailnet: the address and port that it had at pairing, while they are those of this machine. The
    /// tailnet's service on this host is asked before each sending.
    case tailnet(TailnetNode)

    /// Without TLS, over a tunnel: the address and port that it had at pairing, through this tunnel. This proves nothing, but
    /// the user answers for who is at its other end.
    case tunnel(NetworkTunnel)

    /// No trust yet: no endpoint may have a token before the user has seen what answers. It is stored as trust in an
    /// address of no network, which earlier versions, too, allow nowhere.
    package static let awaited = TrustPolicy.sameAddress(.nowhere)

    /// Indicates whether tokens are sent unencrypted.
    package var isPlain: Bool {
        switch self {
        case .pinned, .certified: false
        case .sameAddress, .lan, .tailnet, .tunnel: true
        }
    }
}
