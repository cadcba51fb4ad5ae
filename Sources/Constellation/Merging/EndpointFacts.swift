internal import DNSSD
internal import GatewayProtocol

/// The facts known of one endpoint, whatever leads to it.
struct EndpointFacts: SlabValue {
    /// The address and port of the endpoint.
    let key: Endpoint

    // What a check of liveness needs comes first, close together.

    /// The result of the last check of liveness.
    var checked: Liveness? {
        didSet { if checked == .answering { isSessionOutdated = true } }
    }

    /// Indicates whether it is checked: somebody will say when it answers no more, also when nothing leads there.
    var isChecked = false

    /// The word of a session with it; `nil` without one.
    private(set) var session: Liveness?

    /// Indicates whether a check has had an answer since the session's last word.
    private var isSessionOutdated = false

    /// Indicates whether it sends more than anybody has asked for.
    var isFlooding = false

    /// The reason why it has not been asked yet.
    var waiting: WaitingReason?

    /// Indicates whether it is among the endpoints that nothing leads to, which wait to be forgotten.
    var isRemembered = false

    /// Indicates whether it has been reported that too many lead to it.
    var isCrowded = false

    /// The distance to it, by what leads to it or led to it last.
    var reach = Reach.local

    /// The time that the last answer took.
    var roundTrip: Duration?

    /// The row that it is a member of: set while what answered last is a gateway.
    var row: Slot<Row>?

    /// The outcome of the last probe.
    var outcome: ProbeOutcome?

    /// The proof that was reported, by whatever has one, and the leaf that was shown when it was given.
    private(set) var reportedProof = GatewayProof.unproved
    private(set) var provedLeaf: LeafFingerprint?

    /// The candidates that lead to it, in the order in which they came.
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

    /// Indicates whether it answers: a session that lives is proof of it, and a gateway that has just answered a probe does,
    /// until a check says otherwise. What floods is suspect even so.
    var liveness: Liveness? {
        let word = session == .answering || !isSessionOutdated ? session : nil
        let liveness = word ?? checked ?? (row == nil ? nil : .answering)
        return isFlooding && liveness == .answering ? .suspect : liveness
    }

    /// Takes in the word of a session; `nil` when it has ended. A loss that it reported last is newer than the last check,
    /// and outlives it.
    mutating func hear(session word: Liveness?) {
        if word == nil, let session, session != .answering, !isSessionOutdated { checked = session }
        session = word
        isSessionOutdated = false
    }

    /// The strength of the proof of what answers there now.
    var proof: GatewayProof {
        guard reportedProof != .unproved, let identity = outcome?.identity else { return .unproved }
        return proof(of: identity)
    }

    /// Returns the strength of the proof, if this identity answers there: a proof over TLS holds for the leaf of then alone.
    func proof(of identity: GatewayIdentity) -> GatewayProof {
        provedLeaf == nil || provedLeaf == identity.leaf ? reportedProof : .unproved
    }

    /// Takes in a proof, or its withdrawal. Without the leaf that was shown, nothing is a proof of a leaf, and a proof of what
    /// answers there is one only while something does.
    ///
    /// - Returns: Whether that is news.
    mutating func prove(_ proof: GatewayProof, leaf: LeafFingerprint?) -> Bool {
        if proof == .token, leaf == nil, row == nil || liveness == .gone { return false }
        let isOfNoLeaf = leaf == nil && (proof == .certified || proof == .pinnedLeaf)
        let proof = isOfNoLeaf ? .unproved : proof
        let leaf = proof == .unproved ? nil : leaf
        guard reportedProof != proof || provedLeaf != leaf else { return false }
        reportedProof = proof
        provedLeaf = leaf
        return true
    }

    /// Ends the proof of what answered there until now. One of a leaf is kept: it says nothing of whoever shows another, and
    /// who shows this one again is the same.
    mutating func endProof() {
        if provedLeaf == nil { _ = prove(.unproved, leaf: nil) }
    }

    /// Ends a proof that nobody else can have that has no leaf, since what gave it has ended: who answers there next may say
    /// all that the former one said. A mere address is the same as before.
    mutating func endProofOfSession() {
        if reportedProof.isConclusive { endProof() }
    }

    /// Indicates whether nothing was learned of it.
    var isBlank: Bool {
        outcome == nil && checked == nil && session == nil && waiting == nil && !isFlooding
            && reportedProof == .unproved
    }

    /// Indicates whether it is shown in its row: while it answers, and while something leads to it.
    var isVisible: Bool { !candidates.isEmpty || liveness?.isAlive == true }

    mutating func vacate() {
        self = EndpointFacts(key)
    }
}
