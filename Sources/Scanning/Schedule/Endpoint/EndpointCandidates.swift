internal import GatewayClient
internal import GatewayProtocol

/// The candidates that point at one endpoint, and what follows from that for asking it.
struct EndpointCandidates {
    /// The maximum number of candidates of one endpoint that are kept.
    static let most = 32

    /// The candidates, the most trusted first.
    private(set) var all: [EndpointCandidate] = []

    /// The hint that its host gave when it was queried directly, whether anything else points at the endpoint or not.
    @Rare var hostHint: ProbeHint?

    /// The time since which nothing points at it.
    @Rare private(set) var unwantedSince: ContinuousClock.Instant?

    /// The rules for connecting to it when nothing points at it any more: the same as when something did.
    private var lastRules = TargetRules(origin: .network)

    /// Makes the candidates of an endpoint at which nothing points yet.
    init() {}

    /// Makes the candidates of an endpoint that its own host has reported, and at which nothing else points.
    init(hostHint: ProbeHint, rules: TargetRules, now: ContinuousClock.Instant) {
        self.hostHint = hostHint
        lastRules = rules
        unwantedSince = now
    }

    /// Indicates whether anything points at it, so that it is kept even when it does not answer.
    var isWanted: Bool { !all.isEmpty }

    /// Indicates whether the user entered it.
    var isManual: Bool { all.first?.isManual == true }

    /// The degree to which it can be trusted not to be made up.
    var standing: ProbeStanding { min(all.first?.standing ?? .stranger, hostHint == nil ? .stranger : .confirmed) }

    /// The rules for connecting to it.
    var rules: TargetRules { all.first?.rules ?? lastRules }

    /// The hints of what is likely to be there, each once, the first to be tried first.
    var hints: [ProbeHint] {
        var hints: [ProbeHint] = []
        for hint in [hostHint].compactMap(\.self) + all.map(\.hint) where !hints.contains(hint) { hints.append(hint) }
        return hints
    }

    /// Indicates whether a candidate is among them.
    func contains(_ key: EndpointCandidate.Key) -> Bool { all.contains { $0.key == key } }

    /// Adds or updates a candidate.
    ///
    /// - Returns: `true` if there is something new to ask; `nil` if there is no room.
    mutating func add(_ candidate: EndpointCandidate) -> Bool? {
        let hints = Set(all.map(\.hint))
        var candidate = candidate
        // The confirmation of its host holds for as long as it leads here.
        if all.contains(where: { $0.key == candidate.key && $0.standing == .confirmed }) {
            candidate.standing = min(candidate.standing, .confirmed)
        }
        all.removeAll { $0.key == candidate.key }
        if all.count >= Self.most {
            guard let last = all.last, candidate.standing < last.standing else { return nil }
            all.removeLast()
        }
        insert(candidate)
        unwantedSince = nil
        return !hints.contains(candidate.hint)
    }

    private mutating func insert(_ candidate: EndpointCandidate) {
        let place = all.firstIndex { candidate.standing < $0.standing } ?? all.endIndex
        all.insert(candidate, at: place)
    }

    /// Records that the host has confirmed a candidate.
    mutating func confirm(_ key: EndpointCandidate.Key) {
        guard let index = all.firstIndex(where: { $0.key == key }), all[index].standing > .confirmed else { return }
        var candidate = all.remove(at: index)
        candidate.standing = .confirmed
        insert(candidate)
    }

    /// Removes a candidate.
    mutating func remove(_ key: EndpointCandidate.Key, now: ContinuousClock.Instant) {
        if let rules = all.first?.rules { lastRules = rules }
        all.removeAll { $0.key == key }
        if all.isEmpty { unwantedSince = now }
    }
}
