package import DNSSD

/// The marks by which the gateway of a pairing is recognized when it answers, and told from others that answer alike.
///
/// They are facts of the pairing: the map compares them with what each endpoint shows, and so every view of a row has
/// the same verdict on it.
package struct PairedMarks: Hashable, Sendable {
    /// The kind of proof that the pairing demands.
    package enum Proof: Hashable, Sendable {
        /// The pinned leaf, shown at whatever address.
        case leaf(LeafFingerprint)

        /// A trusted certificate for the host of the pairing. Only a session checks it: until then, a TLS gateway at an
        /// address of the pairing is as it was.
        case certificate

        /// Nothing but the address, in the network of pairing.
        case address
    }

    /// The dialect that the gateway speaks.
    package let dialect: GatewayDialect

    /// The proof that it must give.
    package let proof: Proof

    /// The endpoint at which it was verified last, where another certificate or another gateway is news.
    package let home: Endpoint?

    /// The endpoints at which it was verified; without TLS only those where the network is as it was at pairing, as far
    /// as that is known.
    package let places: [Endpoint]

    /// The endpoints, of a gateway without TLS, where this host's network is known not to be the one of pairing, and in what
    /// it differs. Places among them are not in ``places``. Recordings do not have it: it explains, and decides only where
    /// the user trusts any place of the network.
    package let moves: [Endpoint: MoveReason]

    /// The endpoints, of a gateway without TLS, whose network has been compared with the one of pairing, as far as it is
    /// known; `nil` if nobody compares them, as in a recording.
    package let compared: Set<Endpoint>?

    /// Creates the marks of a pairing; by default without anything that is known against an endpoint, and nobody compares
    /// networks.
    package init(
        dialect: GatewayDialect,
        proof: Proof,
        home: Endpoint?,
        places: [Endpoint],
        moves: [Endpoint: MoveReason] = [:],
        compared: Set<Endpoint>? = nil
    ) {
        self.dialect = dialect
        self.proof = proof
        self.home = home
        self.places = places
        self.moves = moves
        self.compared = compared
    }

    /// Indicates whether the network of an endpoint is yet to be compared with the one of pairing.
    package func isToBeCompared(_ endpoint: Endpoint) -> Bool { compared.map { !$0.contains(endpoint) } ?? false }

    /// The endpoints at which an answer is of interest: its places, the last one, and each without the name by which it is
    /// asked, since what is advertised has none.
    package var endpoints: Set<Endpoint> {
        let known = places + (home.map { [$0] } ?? [])
        return Set(known + known.map(\.unnamed))
    }

    /// Returns an endpoint by the name by which the gateway is asked at its port and path, if it has none itself.
    package func naming(_ endpoint: Endpoint) -> Endpoint {
        ((home.map { [$0] } ?? []) + places).naming(endpoint)
    }
}
