internal import Constellation
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// One place, by address, port and path, at which a candidate points, or that answers: the unit of probes and checks.
///
/// It has one probe result, one liveness and one held connection, shared by all candidates that point at it.
struct ScannedEndpoint {
    /// The maximum number of candidates of one endpoint that are kept.
    static let mostCandidates = 32

    /// An answer of a gateway: the path on which it came, and the identity that it stated.
    struct Answer: Hashable {
        let path: GatewayProbePath
        let identity: GatewayIdentity
    }

    /// The state of a probe of an endpoint.
    enum Probing: Hashable {
        case none
        /// It waits for its turn.
        case waiting(job: Int)
        case running(job: Int)

        var isRunning: Bool { if case .running = self { true } else { false } }
    }

    let endpoint: Endpoint

    /// The serial number of this endpoint.
    let number: Int

    /// The candidates that point at it, the most trusted first.
    private(set) var candidates: [EndpointCandidate] = []

    /// The hint that its host gave when it was queried directly, whether anything else points at the endpoint or not.
    @Rare var hostHint: ProbeHint?

    /// The last answer, if it came from a gateway.
    @Rare var answer: Answer?

    /// The signature of its answer over HTTP, with which later ones are compared.
    @Rare var signature: HTTPSignature?

    /// The time that connecting took.
    @Rare var connecting: Duration?

    var tracker = LivenessTracker()

    /// Indicates whether its kind is known, as far as it can be.
    var isAsked = false
    var probing = Probing.none

    /// Indicates whether to probe it once more when the current probe has ended.
    var asksAgain = false

    /// The machine that has its address, as last reported to the map.
    var machine: Machine?

    /// Indicates whether another gateway has been found at an address of its row since it was asked, so that its answer
    /// is outdated.
    var isOutdated = false

    /// Indicates whether another process may have the port, so that the next question is the whole probe.
    var needsProbe = false

    /// Indicates whether the map knows from a session alone that it answers: no check will miss it there.
    var isKnownBySession = false

    /// The map's knowledge of what was found in place of the gateway.
    @Rare var silence: NoAnswer?

    /// The time at which a gateway last answered a probe there.
    @Rare var probedAt: ContinuousClock.Instant?

    /// The round-trip time that was last reported, and whether the next answer must be reported in any case.
    @Rare var reportedRoundTrip: Duration?
    var mustReportNextAnswer = false

    /// The number of questions so far, and the one that is open, `nil` if none is. Only the latest can be missed.
    var question = 0
    @Rare var openQuestion: (number: Int, start: ContinuousClock.Instant)?

    /// The start of the current minute of checks, and the number of checks in it; `nil` before the first one.
    @Rare var checks: (start: ContinuousClock.Instant, count: Int)?

    /// Indicates whether a connection is held, and the time from which one may be held again.
    var isHeld = false
    @Rare var holdsAgain: (time: ContinuousClock.Instant, wait: Duration)?

    /// The time until which it counts as flooding; `nil` while it does not.
    @Rare var floodedUntil: ContinuousClock.Instant?

    /// Indicates whether it is the path that decides its row's liveness; and the other endpoints of the row.
    var isPrimary = true
    var siblings: [Endpoint] = []

    /// The time since which nothing points at it.
    @Rare var unwantedSince: ContinuousClock.Instant?

    /// The limiter of reports that bring its next question forward.
    var triggers = TriggerLimiter()

    /// The number of times that it was scheduled: only the latest one counts.
    var schedule = 0
    var scheduledAt: ContinuousClock.Instant?
    @Rare var waitsSince: ContinuousClock.Instant?

    init(_ endpoint: Endpoint, number: Int) {
        self.endpoint = endpoint
        self.number = number
    }

    /// Indicates whether any candidate points at it, so that it is kept even when it does not answer.
    var isWanted: Bool { !candidates.isEmpty }

    var isManual: Bool { candidates.first?.isManual == true }

    /// The precedence of its probe over others.
    var standing: ProbeStanding {
        guard answer == nil else { return .answered }
        return min(candidates.first?.standing ?? .stranger, hostHint == nil ? .stranger : .confirmed)
    }

    /// Adds or updates a candidate.
    ///
    /// - Returns: `true` if there is something new to ask; `nil` if there is no room.
    mutating func add(_ candidate: EndpointCandidate) -> Bool? {
        let hints = Set(candidates.map(\.hint))
        var candidate = candidate
        // The confirmation of its host holds for as long as it leads here.
        if candidates.contains(where: { $0.key == candidate.key && $0.standing == .confirmed }) {
            candidate.standing = min(candidate.standing, .confirmed)
        }
        candidates.removeAll { $0.key == candidate.key }
        if candidates.count >= Self.mostCandidates {
            guard let last = candidates.last, candidate.standing < last.standing else { return nil }
            candidates.removeLast()
        }
        insert(candidate)
        unwantedSince = nil
        return !hints.contains(candidate.hint)
    }

    private mutating func insert(_ candidate: EndpointCandidate) {
        let place = candidates.firstIndex { candidate.standing < $0.standing } ?? candidates.endIndex
        candidates.insert(candidate, at: place)
    }

    /// Records that the host has confirmed a candidate.
    mutating func confirm(_ key: EndpointCandidate.Key) {
        guard let index = candidates.firstIndex(where: { $0.key == key }), candidates[index].standing > .confirmed
        else { return }
        var candidate = candidates.remove(at: index)
        candidate.standing = .confirmed
        insert(candidate)
    }

    /// Removes a candidate.
    mutating func remove(_ key: EndpointCandidate.Key, now: ContinuousClock.Instant) {
        candidates.removeAll { $0.key == key }
        if candidates.isEmpty { unwantedSince = now }
    }

    /// The target of its gateway probe. The dialect that it last spoke comes first.
    var target: GatewayProbeTarget {
        var hints: [ProbeHint] = []
        if let answer {
            let transports: ProbeTransports = answer.path.isTLS ? .tlsFirst : .plainFirst
            hints.append(ProbeHint(expected: answer.identity.dialect, transports: transports))
        }
        for hint in [hostHint].compactMap({ $0 }) + candidates.map(\.hint) where !hints.contains(hint) {
            hints.append(hint)
        }
        return GatewayProbeTarget(
            endpoints: [endpoint],
            rules: candidates.first?.rules ?? lastRules,
            hints: hints
        )
    }

    /// The rules for connecting to it when nothing points at it any more: the same as when something did.
    var lastRules = TargetRules(origin: .network)

    /// The time to wait for an answer.
    var answerTimeout: Duration {
        guard let answer else { return .seconds(1) }
        return LivenessCheck(path: answer.path, dialect: answer.identity.dialect, connecting: connecting).answerTimeout
    }

    /// Indicates whether a round-trip time differs so much from the last reported one that a person would care.
    func isWorthReporting(_ roundTrip: Duration?) -> Bool {
        guard let roundTrip else { return false }
        guard let lastRoundTrip = reportedRoundTrip else { return true }
        let (low, high) = (min(roundTrip, lastRoundTrip), max(roundTrip, lastRoundTrip))
        return high - low > .milliseconds(2) && high > low * 3 / 2
    }
}
