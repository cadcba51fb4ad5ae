package import DNSSD
package import GatewayProtocol

/// One fact that was learned, as input for a ``BotMap``.
///
/// Each event sets one fact: about a candidate, an endpoint or a bot. As long as nothing has answered, events about
/// different facts may come in any order, and lead to the same map.
package enum BotMapEvent: Hashable, Sendable {
    /// A service was found, or has changed.
    case serviceFound(DiscoveredService)

    /// A service is lost, for this reason. Endpoints that it led to stay while they answer.
    case serviceLost(ServiceInstance, LossReason = .withdrawn)

    /// An endpoint was entered by hand, or is remembered from pairing. Endpoints with the same `entry` are addresses of
    /// one gateway, such as those of one host name. With a `source`, it was found, and nobody has named it.
    case endpointAdded(Endpoint, Reach, entry: String? = nil, source: PlaceSource? = nil)

    /// An endpoint is no longer wanted.
    case endpointRemoved(Endpoint)

    /// The outcome of a gateway probe of an endpoint, and the time that its answer took. The answer of a gateway also
    /// counts for its liveness.
    case probed(Endpoint, ProbeOutcome, roundTrip: Duration? = nil)

    /// The strength of the proof that an endpoint is the gateway that it claims to be: from pairing, a pinned or
    /// certified leaf, or a session that has authenticated the gateway. `unproved` withdraws it.
    ///
    /// It is independent of what a probe finds. A proof that names the leaf shown in its handshake holds for that leaf
    /// alone, until it is withdrawn or replaced, and may come before the probe that finds the leaf. `certified` and
    /// `pinnedLeaf` are proofs of a leaf: without one they count as `unproved`.
    ///
    /// A `token` without a leaf proves the gateway that answers there: it is ignored where none does, and ends when
    /// another one answers, when the endpoint is ``Liveness/gone``, and when its session ends. Its source must report
    /// the identity that was proved, as ``probed(_:_:roundTrip:)``, in the same call of `apply`: otherwise a gateway
    /// that has answered since would be taken for the proved one. `sameAddress` ends when another gateway answers.
    case proved(Endpoint, GatewayProof, leaf: LeafFingerprint? = nil)

    /// The liveness of an endpoint as checks have found it, and the time that its answer took; `nil` keeps the previous
    /// time.
    case liveness(Endpoint, Liveness, roundTrip: Duration? = nil)

    /// The liveness that a session, or anything else in constant contact with an endpoint, reports for it, and the time
    /// that its last answer took; the liveness is `nil` when the session has ended.
    ///
    /// An endpoint has one such liveness: a source with several sessions reports the best of them, and `nil` when the
    /// last has ended. It also ends when something else answers there.
    ///
    /// It is combined with ``liveness(_:_:roundTrip:)``: a session that is answered is proof of life, whatever a check
    /// has found. A report that the endpoint is suspect or gone counts until a check gets an answer, even after the
    /// session has ended.
    case sessionLiveness(Endpoint, Liveness?, roundTrip: Duration? = nil)

    /// Indicates whether an endpoint sends more than was asked for. While it does, it is suspect even if it answers.
    case flooding(Endpoint, Bool)

    /// The readiness that the gateway at an endpoint reports; `nil` if it is not known any more. It counts while a gateway
    /// answers there, and ends when another one does, or the endpoint is ``Liveness/gone``.
    case readiness(Endpoint, Readiness?)

    /// The reason why an endpoint that is to be asked has not been asked yet; `nil` when it no longer waits.
    case waiting(Endpoint, WaitingReason?)

    /// The machine that has an endpoint's address, as this host's kernel knows it; `nil` when it is not known any more.
    case located(Endpoint, Machine?)

    /// An endpoint has been silent for so long that it no longer leads its row.
    case retired(Endpoint)

    /// All names that the user has given to gateways, in place of those before.
    case aliased([GatewayAlias])

    /// A bot is paired: from the store, or as pairing's result.
    indirect case paired(PairedBot)

    /// The user has unpaired a bot.
    case unpaired(BotKey)

    /// The gateway, which has proved itself, reported that a bot is no longer paired.
    case revoked(BotKey)

    /// Pairing or a connection has reached another state.
    case stateChanged(BotKey, BotState)
}

/// The machine that has an address, as this host's own kernel knows it, rather than a packet from the network claims.
package enum Machine: Hashable, Sendable {
    /// This host.
    case thisHost

    /// The neighbour with this hardware address.
    case neighbour(hardwareAddress: [UInt8])
}
