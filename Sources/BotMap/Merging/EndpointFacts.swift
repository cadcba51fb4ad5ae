internal import DNSSD

/// What is known of one endpoint, whatever leads to it.
struct EndpointFacts: SlabValue {
    /// Which endpoint.
    let key: Endpoint

    // What a check of liveness needs comes first, close together.

    /// What the last check of liveness said.
    var checked: Liveness?

    /// Indicates whether it sends more than anybody has asked for.
    var isFlooding = false

    /// Why it has not been asked yet.
    var waiting: WaitingReason?

    /// Whether it waits among those that nothing leads to, to be forgotten.
    var isRemembered = false

    /// Whether it was told that too many lead to it.
    var isCrowded = false

    /// How far away it is, by what leads to it or led to it last.
    var reach = Reach.local

    /// How long the last answer took.
    var roundTrip: Duration?

    /// The row that it is a member of: set while what answered last is a gateway.
    var row: Slot<Row>?

    /// What came of the last probe.
    var outcome: ProbeOutcome?

    /// What leads to it, in the order in which it came.
    var candidates: [Slot<Candidate>] = []

    /// The event of its first answer as what it is now; the last possible one when it has lost its place by silence.
    var seniority: UInt64 = 0

    /// The event of the last probe, and of the last one that told of another name or other bots.
    var probedAt: UInt64 = 0
    var changedAt: UInt64 = 0

    /// The machine that has its address.
    var machine: Machine?

    init(_ endpoint: Endpoint) {
        self.key = endpoint
    }

    /// Indicates whether it answers: a gateway that has just answered a probe does, until a check says otherwise. What
    /// floods is suspect even so.
    var liveness: Liveness? {
        let liveness = checked ?? (row == nil ? nil : .answering)
        return isFlooding && liveness == .answering ? .suspect : liveness
    }

    /// Whether nothing was learned of it.
    var isBlank: Bool { outcome == nil && checked == nil && waiting == nil && !isFlooding }

    /// Whether it is shown in its row: while it answers, and while something leads to it.
    var isVisible: Bool { !candidates.isEmpty || liveness?.isAlive == true }

    mutating func vacate() {
        self = EndpointFacts(key)
    }
}
