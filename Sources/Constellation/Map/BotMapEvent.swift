public import DNSSD
public import GatewayProtocol

/// One thing that was learned: what a ``BotMap`` is fed with.
///
/// Each event sets one fact: of a candidate, of an endpoint, or of a bot. Of what has not answered, events about different
/// facts may come in any order, and lead to the same map.
public enum BotMapEvent: Hashable, Sendable {
    /// A service is there, or something about it is new.
    case serviceFound(DiscoveredService)

    /// A service is lost. What it led to stays while it answers.
    case serviceLost(ServiceInstance)

    /// An endpoint was entered by hand, or is remembered from pairing. Those with the same `entry` are addresses of one
    /// gateway, such as those of one host name.
    case endpointAdded(Endpoint, Reach, entry: String? = nil)

    /// An endpoint is no longer wanted.
    case endpointRemoved(Endpoint)

    /// An endpoint was asked what it is, and how long its answer took; an answer of a gateway is one of liveness too.
    case probed(Endpoint, ProbeOutcome, roundTrip: Duration? = nil)

    /// The strength of the proof that an endpoint is the gateway that it says it is: from pairing, a pinned or certified
    /// leaf, or a session that has authenticated the gateway. `unproved` withdraws it.
    ///
    /// It is a fact apart from what a probe says. One that names the leaf shown in its handshake holds for that leaf alone,
    /// until it is withdrawn or another one takes its place, and may come before the probe that meets it. `certified` and
    /// `pinnedLeaf` are proofs of a leaf: without one they count as `unproved`.
    ///
    /// A `token` without a leaf is of the gateway that answers there: it is ignored where none does, and ends when another
    /// one answers, when the endpoint is ``Liveness/gone``, and when its session ends. Whoever reports it tells what was
    /// proved with it, as ``probed(_:_:roundTrip:)`` in the same call of `apply`: or what has answered since would be taken for
    /// it. `sameAddress` ends when another gateway answers.
    case proved(Endpoint, GatewayProof, leaf: LeafFingerprint? = nil)

    /// The liveness of an endpoint as checks have found it, and the time that its answer took; `nil` keeps the last time.
    case liveness(Endpoint, Liveness, roundTrip: Duration? = nil)

    /// The word of a session, or of whatever else talks with an endpoint all the time, on its liveness, and the time that
    /// its last answer took; `nil` when it has ended and its word counts no more.
    ///
    /// An endpoint has one word: who has several sessions with it says the best of theirs, and `nil` when the last has
    /// ended. It ends too when something else answers there.
    ///
    /// It makes one verdict with that of ``liveness(_:_:roundTrip:)``: a session that lives is proof of life, whatever a
    /// check has said; of one that doubts or has lost the endpoint, the word counts until a check has an answer, also
    /// when it has ended.
    case sessionLiveness(Endpoint, Liveness?, roundTrip: Duration? = nil)

    /// Indicates whether an endpoint sends more than anybody has asked for. While it does, it is suspect where it would be
    /// answering.
    case flooding(Endpoint, Bool)

    /// The reason why an endpoint that is to be asked has not been; `nil` when it waits no longer.
    case waiting(Endpoint, WaitingReason?)

    /// The machine that has an endpoint's address, as this host's kernel knows it; `nil` when it is not known any more.
    case located(Endpoint, Machine?)

    /// An endpoint has been silent for so long that it does not lead its row any more.
    case retired(Endpoint)

    /// A bot is paired: from the store, or as pairing's result.
    case paired(PairedBot)

    /// The user has unpaired a bot.
    case unpaired(BotKey)

    /// The gateway said, proved, that a bot is not paired any more.
    case revoked(BotKey)

    /// Pairing or a connection has come to another state.
    case stateChanged(BotKey, BotState)

    /// The event that a browser's change is.
    public init(_ change: ServiceChange) {
        switch change {
        case .found(let service), .changed(let service, _): self = .serviceFound(service)
        case .lost(let service, _): self = .serviceLost(service.instance)
        }
    }
}

/// The machine that has an address, as this host's own kernel knows it: no packet from the network says so.
public enum Machine: Hashable, Sendable {
    /// This host.
    case thisHost

    /// The neighbour with this hardware address.
    case neighbour(hardwareAddress: [UInt8])
}
