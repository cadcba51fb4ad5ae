internal import DNSSD
internal import GatewayProtocol

/// The facts known of one endpoint, whatever leads to it.
struct EndpointFacts: SlabValue {
    /// The endpoint.
    let key: Endpoint

    // The properties that a liveness check needs come first, close together.

    /// The result of the last liveness check.
    var checked: Liveness? {
        didSet {
            guard checked == .answering else { return }
            isSessionOutdated = true
            silence = nil
        }
    }

    /// Indicates whether it is checked, so that it will be reported when it stops answering, even if nothing leads
    /// there.
    var isChecked = false

    /// The liveness that a session with it reports; `nil` without a session.
    private(set) var session: Liveness?

    /// Indicates whether a check has had an answer since the session's last report.
    private var isSessionOutdated = false

    /// Indicates whether it sends more than was asked for.
    var isFlooding = false

    /// The reason why it has not been asked yet.
    var waiting: WaitingReason?

    /// Indicates whether it is in the queue of endpoints to which nothing leads, which wait to be forgotten.
    var isRemembered = false

    /// Indicates whether it has been reported that too many candidates lead to it.
    var isCrowded = false

    /// The distance to it, according to the candidates that lead to it, or last led to it.
    var reach = Reach.local

    /// The time that the last answer took.
    var roundTrip: Duration?

    /// The row that it is a member of: set while its last answer is that of a gateway.
    var row: Slot<Row>?

    /// The outcome of the last probe.
    var outcome: ProbeOutcome?

    /// The finding in place of the gateway that was there: see ``GatewayPath/silence``.
    var silence: NoAnswer?

    /// The proof that was reported, and the leaf that was shown with it.
    private(set) var reportedProof = GatewayProof.unproved
    private(set) var provedLeaf: LeafFingerprint?

    /// The candidates that lead to it, in the order in which they came.
    var candidates: [Slot<Candidate>] = []

    /// The event of its first answer with its current identity; the maximum when it has lost its place by silence.
    var seniority: UInt64 = 0

    /// The event of the last probe, and of the last one that reported another name or other bots.
    var probedAt: UInt64 = 0
    var changedAt: UInt64 = 0

    /// The event of the last answer, to a probe, a check or a session, of whatever answers there.
    var answeredAt: UInt64 = 0

    /// The machine that has its address.
    var machine: Machine?

    init(_ endpoint: Endpoint) {
        self.key = endpoint
    }

    /// The liveness of the endpoint: a session that is answered proves it, and so does a gateway's answer to a probe,
    /// until a check finds otherwise. An endpoint that floods is suspect even so.
    var liveness: Liveness? {
        let current = session == .answering || !isSessionOutdated ? session : nil
        let liveness = current ?? checked ?? (row == nil ? nil : .answering)
        return isFlooding && liveness == .answering ? .suspect : liveness
    }

    /// Takes in the liveness that a session reports; `nil` when it has ended. A loss that it last reported is newer
    /// than the last check, and outlives the session.
    mutating func noteSession(_ liveness: Liveness?) {
        if liveness == nil, let session, session != .answering, !isSessionOutdated { checked = session }
        session = liveness
        isSessionOutdated = false
        if liveness == .answering { silence = nil }
    }

    /// The strength of the proof of the gateway that answers there now.
    var proof: GatewayProof {
        guard reportedProof != .unproved, let identity = outcome?.identity else { return .unproved }
        return proof(of: identity)
    }

    /// Returns the strength of the proof if this identity answers there: a proof over TLS holds only for the leaf shown
    /// with it.
    func proof(of identity: GatewayIdentity) -> GatewayProof {
        provedLeaf == nil || provedLeaf == identity.leaf ? reportedProof : .unproved
    }

    /// Takes in a proof, or its withdrawal. A proof of a leaf counts only with the leaf that was shown; a token without
    /// a leaf counts only while a gateway answers there.
    ///
    /// - Returns: `true` if this changes the proof.
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

    /// Ends the proof of the gateway that answered there until now. The proof of a leaf is kept: it says nothing about
    /// a gateway that shows another leaf, and one that shows this leaf again is the same.
    mutating func endProof() {
        if provedLeaf == nil { _ = prove(.unproved, leaf: nil) }
    }

    /// Ends a conclusive proof that has no leaf, since the session that gave it has ended: the next gateway there may
    /// give all the answers of the former one. A proof of the address alone stays valid.
    mutating func endProofOfSession() {
        if reportedProof.isConclusive { endProof() }
    }

    /// Ends a proof by the address alone.
    ///
    /// - Returns: `true` if there was one.
    mutating func endProofOfAddress() -> Bool {
        reportedProof == .sameAddress && prove(.unproved, leaf: nil)
    }

    /// Ends a proof by a pinned leaf that is pinned no more.
    ///
    /// - Returns: `true` if there was one.
    mutating func endProof(ofPin pin: LeafFingerprint) -> Bool {
        reportedProof == .pinnedLeaf && provedLeaf == pin && prove(.unproved, leaf: nil)
    }

    /// Indicates whether nothing was learned about it.
    var isBlank: Bool {
        outcome == nil && checked == nil && session == nil && waiting == nil && !isFlooding
            && reportedProof == .unproved
    }

    /// Indicates whether it is shown in its row: as long as it answers, or anything leads to it.
    var isVisible: Bool { !candidates.isEmpty || liveness?.isAlive == true }

    mutating func vacate() {
        self = EndpointFacts(key)
    }
}
