internal import DNSSD
internal import GatewayProtocol

/// One row of the map, and what is needed to keep it.
struct Row: SlabValue {
    /// The identifier of the row; never changes.
    let key: GatewayID

    /// The row as it is shown, or was shown last.
    var gateway: Gateway

    /// Indicates whether it is shown.
    var isShown = false

    /// Indicates whether a member answered, or had only just stopped, when it was looked at last.
    var isAlive = false

    /// Indicates whether a member answered when it was looked at or patched last.
    var isAnswering = false

    /// Indicates whether it was hidden, and nothing that leads to it has been asked since.
    var isAwaited = false

    /// The candidate whose row it is while nothing has answered.
    var candidate: Slot<Candidate>?

    /// The endpoints that have answered as this gateway, in the order in which they did.
    var members: [Slot<EndpointFacts>] = []

    /// The candidates that led to a member when it answered.
    var instances: [GatewayCandidate] = []

    /// The fingerprint that its members answer with.
    var fingerprint: GatewayFingerprint?

    /// The name of the candidate that was there at the first answer, for a gateway that tells none.
    var namedBy: (key: GatewayCandidate, name: String)?

    /// The event of its first answer, and of the last one.
    var bornAt: UInt64 = 0
    var answeredAt: UInt64 = 0

    /// The row to which its first endpoint belonged, while it waits for the end of that; and the rows to which members of
    /// this have gone.
    var predecessor: GatewayID?
    var successors: [GatewayID] = []

    /// The fingerprint of the row whose place this one took before it was shown.
    var replacedFingerprint: GatewayFingerprint?

    /// Indicates whether a member has answered more than once.
    var hasAnsweredAgain = false

    /// The flags and the advertised fingerprint as they were at its last answer: what others do changes nothing in
    /// between.
    var flags: Set<GatewayFlag> = []
    var advertisedFingerprint: GatewayFingerprint?

    /// Indicates whether it is among the rows to look at in this event.
    var isDirty = false

    /// Indicates whether it is no row any more, and only here until the end of the event.
    var isDissolved = false

    init(key: GatewayID) {
        self.key = key
        self.gateway = .nobody
    }

    mutating func vacate() {
        self = Row(key: key)
    }
}

/// The claimants of one fingerprint.
struct FingerprintClaims: Sendable {
    /// The rows that have answered with it, the oldest first.
    var rows: [Slot<Row>] = []

    /// The candidates that advertise it.
    var candidates: Set<Slot<Candidate>> = []

    /// Claimants that are not shown before the row that has answered with it is heard of again.
    var held: [Slot<Candidate>] = []
    var heldRows: [Slot<Row>] = []

    var isEmpty: Bool { rows.isEmpty && candidates.isEmpty }
}
