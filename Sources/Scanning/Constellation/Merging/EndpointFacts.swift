internal import GatewayProtocol

/// The facts known of one endpoint, whatever leads to it.
struct EndpointFacts: Fact {
    /// All that bears on whether it answers.
    private var life = EndpointLiveness()

    /// The reason why it has not been asked yet.
    var waiting: WaitingReason?

    /// Indicates whether it is in the queue of endpoints to which nothing leads, which wait to be forgotten.
    var isRemembered = false

    /// Indicates whether it has been reported that too many candidates lead to it.
    var isCrowded = false

    /// The distance to it, according to the candidates that lead to it, or last led to it.
    var reach = Reach.local

    /// The row that it is a member of: set while its last answer is that of a gateway.
    var row: GatewayID?

    /// The time that the last answer took.
    @StoredDuration var roundTrip: Duration?

    /// The outcome of the last probe.
    var outcome: ProbeOutcome?

    /// The candidates that lead to it, in the order in which they came.
    var candidates: [GatewayCandidate] = []

    /// The proof that was reported.
    private var reported = EndpointProof()

    /// The event of its first answer with its current identity; the maximum when it has lost its place by silence.
    var seniority: UInt64 = 0

    /// The event of the last probe, and of the last one that reported another name or other bots.
    private(set) var probedAt: UInt64 = 0
    private(set) var changedAt: UInt64 = 0

    /// The event of the last answer, to a probe, a check or a session, of whatever answers there.
    var answeredAt: UInt64 = 0

    /// The finding in place of the gateway that was there: see ``GatewayPath/silence``.
    var silence: NoAnswer?

    /// The readiness that the gateway there reports.
    var readiness: Readiness?

    /// The machine that has its address.
    var machine: Machine?

    init() {}

    // MARK: Liveness

    /// The liveness of the endpoint.
    var liveness: Liveness? { life.value(isGateway: row != nil) }

    /// The liveness that a session with it reports; `nil` without a session.
    var session: Liveness? { life.session }

    /// Indicates whether it is checked: see ``EndpointLiveness/isChecked``.
    var isChecked: Bool { life.isChecked }

    /// Indicates whether a check has found its liveness.
    var hasCheck: Bool { life.checked != nil }

    /// Indicates whether it sends more than was asked for.
    var isFlooding: Bool {
        get { life.isFlooding }
        set { life.isFlooding = newValue }
    }

    /// Takes in the result of a check.
    mutating func noteCheck(_ liveness: Liveness) {
        life.noteCheck(liveness)
        if liveness == .answering { silence = nil }
    }

    /// Takes in that a gateway has answered a probe.
    mutating func noteAnswer() {
        life.noteAnswer()
        silence = nil
    }

    /// Forgets what checks have found.
    mutating func forgetChecks() { life.forgetChecks() }

    /// Takes in the liveness that a session reports; `nil` when it has ended.
    mutating func noteSession(_ liveness: Liveness?) {
        life.noteSession(liveness)
        if liveness == .answering { silence = nil }
    }

    // MARK: Proof

    /// The strength of the proof of the gateway that answers there now.
    var proof: GatewayProof {
        outcome?.identity.map(proof) ?? .unproved
    }

    /// Returns the strength of the proof if this identity answers there.
    func proof(of identity: GatewayIdentity) -> GatewayProof { reported.strength(of: identity) }

    /// Takes in a proof, or its withdrawal. A token without a leaf counts only while a gateway answers there.
    ///
    /// - Returns: `true` if this changes the proof.
    mutating func prove(_ proof: GatewayProof, leaf: LeafFingerprint?) -> Bool {
        if proof == .token, leaf == nil, row == nil || liveness == .gone { return false }
        return reported.set(proof, leaf: leaf)
    }

    /// Ends the proof of the gateway that answered there until now: see ``EndpointProof/endOfGateway()``.
    mutating func endProof() { reported.endOfGateway() }

    /// Ends a proof by the session that has ended: see ``EndpointProof/endOfSession()``.
    mutating func endProofOfSession() { reported.endOfSession() }

    /// Ends a proof by the address alone.
    ///
    /// - Returns: `true` if there was one.
    mutating func endProofOfAddress() -> Bool { reported.endOfAddress() }

    /// Ends a proof by a pinned leaf that is pinned no more.
    ///
    /// - Returns: `true` if there was one.
    mutating func endProof(ofPin pin: LeafFingerprint) -> Bool { reported.end(ofPin: pin) }

    // MARK: Answers

    /// Takes in that a gateway has answered a probe in an event.
    ///
    /// - Parameter isNew: Indicates whether it reported another name or other bots than before.
    mutating func noteProbe(in event: UInt64, saysSomethingNew isNew: Bool) {
        probedAt = event
        if isNew { changedAt = event }
    }

    // MARK: Memory

    /// Indicates whether nothing was learned about it.
    var isBlank: Bool { outcome == nil && life.isBlank && waiting == nil && reported.reported == .unproved }

    /// Indicates whether it is shown in its row: as long as it answers, or anything leads to it.
    var isVisible: Bool { !candidates.isEmpty || liveness?.isAlive == true }
}
