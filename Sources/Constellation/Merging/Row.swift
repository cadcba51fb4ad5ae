internal import DNSSD
internal import GatewayProtocol

/// One row of the map, and the state that is needed to maintain it.
struct Row: SlabValue {
    /// The identifier of the row; never changes.
    let key: GatewayID

    /// The row as it is shown, or was shown last.
    var gateway: Gateway

    /// Indicates whether it is shown.
    var isShown = false

    /// Indicates whether a member answered, or had only just stopped, when the row was last refreshed.
    var isAlive = false

    /// Indicates whether a member answered when the row was last refreshed or patched.
    var isAnswering = false

    /// Indicates whether it was hidden, and none of its endpoints has been asked since.
    var isAwaited = false

    /// The candidate whose row it is while nothing has answered.
    var candidate: Slot<Candidate>?

    /// The endpoints that have answered as this gateway, in the order in which they did.
    var members: [Slot<EndpointFacts>] = []

    /// The candidates that led to a member when it answered.
    var instances: [GatewayCandidate] = []

    /// The fingerprint that its members answer with.
    var fingerprint: GatewayFingerprint?

    /// The candidate that was present at the first answer, and its name, for a gateway that reports none.
    var namedBy: (key: GatewayCandidate, name: String)?

    /// The event of its first answer, and of the last one.
    var bornAt: UInt64 = 0
    var answeredAt: UInt64 = 0

    /// The row to which its first endpoint belonged, while this one waits for that to end; and the rows to which
    /// members of this one have gone.
    var predecessor: GatewayID?
    var successors: [GatewayID] = []

    /// The fingerprint of the row whose place this one took.
    var replacedFingerprint: GatewayFingerprint?

    /// Indicates whether a member has shown a certificate. Whoever answers for the row without one after that is flagged.
    var hasShownLeaf = false

    /// Indicates whether a member has answered more than once.
    var hasAnsweredAgain = false

    /// The flags and the advertised fingerprint as they were at its last answer: nothing that others do changes them in
    /// between.
    var flags: Set<GatewayFlag> = []
    var advertisedFingerprint: GatewayFingerprint?

    /// Indicates whether others claim its fingerprint, too: see ``FingerprintClaims/areDisputed``.
    var isDisputed = false

    /// Indicates whether it is among the rows to refresh in this event.
    var isDirty = false

    /// Indicates whether it was removed, and is kept only until the end of the event.
    var isDissolved = false

    init(key: GatewayID) {
        self.key = key
        self.gateway = .nobody
    }

    mutating func vacate() {
        self = Row(key: key)
    }
}
