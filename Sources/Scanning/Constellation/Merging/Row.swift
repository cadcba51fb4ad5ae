internal import DNSSD
internal import GatewayProtocol

/// One row of the map, and the state that is needed to maintain it.
struct Row: Fact {
    /// The row as it is shown, or was shown last.
    var gateway = Gateway.nobody

    /// Indicates whether it is shown.
    var isShown = false

    /// Indicates whether it was hidden, and none of its endpoints has been asked since.
    var isAwaited = false

    /// The best liveness of its members when the row was last refreshed or patched.
    var liveness: Liveness?

    /// The candidate whose row it is while nothing has answered.
    var candidate: GatewayCandidate?

    /// The endpoints that have answered as this gateway, in the order in which they did.
    var members: [Endpoint] = []

    /// The candidates that led to a member when it answered.
    var instances: [GatewayCandidate] = []

    /// The fingerprint that its members answer with.
    var fingerprint: GatewayFingerprint?

    /// The candidate that was present at the first answer, and its name, for a gateway that reports none.
    var namedBy: (key: GatewayCandidate, name: String)?

    /// Its answers.
    var history = RowHistory()

    /// The rows whose place it took, or that took its own.
    var succession = RowSuccession()

    /// The flags and the advertised fingerprint as they were at its last answer: nothing that others do changes them in
    /// between.
    var flags: Set<GatewayFlag> = []
    var advertisedFingerprint: GatewayFingerprint?

    /// Indicates whether others claim its fingerprint, too: see ``FingerprintClaims/areDisputed``.
    var isDisputed = false

    /// Indicates whether it is among the rows to refresh in this event.
    var isDirty = false

    init() {}

    /// Indicates whether a flag or a claim that waits for its second answer may change with it: it has taken another
    /// row's place, and whether its records have followed is not known yet.
    var awaitsSecondAnswer: Bool { !history.hasAnsweredAgain && succession.replacedFingerprint != nil }

    /// Indicates whether claims of others, or a flag, wait for its next answer.
    var isAnswerWaitedFor: Bool { awaitsSecondAnswer || isDisputed || !flags.isEmpty }
}
