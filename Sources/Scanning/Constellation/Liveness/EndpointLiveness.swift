/// All that bears on whether one endpoint answers: what checks and sessions have found, and whether it floods. Its one
/// liveness follows from these alone.
///
/// What a check has found is decided by ``LivenessTracker``; the liveness of several endpoints together is
/// ``Liveness/best(_:)``.
struct EndpointLiveness: Hashable, Sendable {
    /// The liveness that checks have found last.
    private(set) var checked: Liveness?

    /// The liveness that a session with it reports; `nil` without a session.
    private(set) var session: Liveness?

    /// Indicates whether a check has had an answer since the session's last report.
    private var isSessionOutdated = false

    /// Indicates whether it is checked, so that it will be reported when it stops answering, even if nothing leads
    /// there.
    private(set) var isChecked = false

    /// Indicates whether it sends more than was asked for.
    var isFlooding = false

    init() {}

    /// Returns the liveness: a session that is answered proves it, and so does a gateway's answer to a probe, until a
    /// check finds otherwise. An endpoint that floods is suspect even so.
    ///
    /// - Parameter isGateway: Indicates whether its last answer to a probe was that of a gateway.
    func value(isGateway: Bool) -> Liveness? {
        let current = session == .answering || !isSessionOutdated ? session : nil
        let liveness = current ?? checked ?? (isGateway ? .answering : nil)
        return isFlooding && liveness == .answering ? .suspect : liveness
    }

    /// Takes in the result of a check. An endpoint that is gone, and to which nothing leads, is no longer checked.
    mutating func noteCheck(_ liveness: Liveness) {
        note(liveness)
        isChecked = liveness.isAlive
    }

    /// Takes in that a gateway has answered a probe.
    mutating func noteAnswer() { note(.answering) }

    private mutating func note(_ liveness: Liveness) {
        checked = liveness
        if liveness == .answering { isSessionOutdated = true }
    }

    /// Forgets what checks have found: it was about a gateway that is not there any more.
    mutating func forgetChecks() { checked = nil }

    /// Takes in the liveness that a session reports; `nil` when it has ended. A loss that it last reported is newer
    /// than the last check, and outlives the session.
    mutating func noteSession(_ liveness: Liveness?) {
        if liveness == nil, let session, session != .answering, !isSessionOutdated { checked = session }
        session = liveness
        isSessionOutdated = false
    }

    /// Indicates whether nothing is known.
    var isBlank: Bool { checked == nil && session == nil && !isFlooding }
}
