internal import DNSSD

/// The browses of which a ``Browser`` consists, while the types and domains that it browses for change. A value,
/// without clock or I/O.
///
/// Each part is a separate browse of the backend, for types in one domain. Added types get an additional part, which
/// does not disturb the existing ones. A part that loses a type is replaced by one with the remaining types: instances
/// that the old part saw stay until the new one has had the time to see them too. This is the only place that decides
/// which reports count among successive parts; the guide *Merging sources* has the rules as a table.
struct BrowseParts {
    /// The identifier of a part; never reused.
    struct ID: Hashable, Sendable {
        let rawValue: Int
    }

    /// An order to the runner of the browses.
    enum Order: Hashable, Sendable {
        case begin(ID, BrowseRequest)
        case end(ID)
        /// A call of ``tick(now:)`` is due at this time.
        case wake(at: ContinuousClock.Instant)
    }

    /// The result of a change: the events for the browser, and the orders to carry out.
    struct Outcome: Hashable {
        var events: [BrowseEvent] = []
        var orders: [Order] = []
    }

    /// A service type, regardless of subtypes, in a domain. An instance belongs to exactly one.
    private struct Subject: Hashable {
        let type: ServiceType
        let domain: String

        init(_ type: ServiceType, _ domain: String) {
            self.type = type.base
            self.domain = BrowseParts.normal(domain)
        }

        init(_ instance: ServiceInstance) { self.init(instance.type, instance.domain) }
    }

    /// The progress of a part with an instance that was known before the part began.
    private enum Awaited {
        case unseen
        /// It is seen, and not resolved yet.
        case resolving(Sighting)
    }

    private struct Part {
        let request: BrowseRequest

        /// Its types by subject, with their subtypes.
        let types: [Subject: [ServiceType]]

        /// Its status; `nil` before it has reported one.
        var status: BackendStatus?
        var activity = BackendActivity.idle

        /// The parts that it replaces, which go on until it is running.
        var replaced: [ID] = []

        /// The part that replaces it.
        var successor: ID?

        /// The instances that were known before it began, and that it has not seen yet.
        var awaited: [InstancePath: Awaited] = [:]

        /// The time by which it must have seen these instances, which are lost otherwise; `nil` while it is not
        /// running, and when it has caught up.
        var catchUpEnds: ContinuousClock.Instant?

        init(_ request: BrowseRequest) {
            self.request = request
            self.types = Dictionary(grouping: request.types) { Subject($0, request.domain) }
        }
    }

    /// The maximum number of parts of one domain. Beyond it, one part replaces them all.
    static let mostPerDomain = 4

    /// The time for a part to see the instances that were known before, the same as for any source that takes over.
    static let catchUpTime = BrowseMerge.catchUpTime

    private var parts: [ID: Part] = [:]
    private var lastID = 0
    private var reportedStatus = BackendStatus.starting
    private var reportedActivity = BackendActivity.idle

    // MARK: What is looked for

    /// Browses for these requests from now on, and for nothing else.
    ///
    /// - Parameters:
    ///   - requests: The requests, one for each domain.
    ///   - present: The services that are present now.
    mutating func want(_ requests: [BrowseRequest], present: some Sequence<DiscoveredService>) -> Outcome {
        var outcome = Outcome()
        var domains: Set<String> = []
        let requests = requests.filter { domains.insert(Self.normal($0.domain)).inserted }
        let wanted = requests.reduce(into: [Subject: [ServiceType]]()) { wanted, request in
            for type in request.types { wanted[Subject(type, request.domain), default: []].append(type) }
        }
        for request in requests {
            replaceParts(of: request, wanted, present, &outcome)
        }
        for (id, part) in parts.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where !domains.contains(Self.normal(part.request.domain)) {
            end(id, &outcome)
        }
        for service in present where wanted[Subject(service.instance)] == nil {
            for path in service.paths { outcome.events.append(.vanished(service.instance, path, .notBrowsed)) }
        }
        reportCondition(&outcome)
        return outcome
    }

    private mutating func replaceParts(
        of request: BrowseRequest,
        _ wanted: [Subject: [ServiceType]],
        _ present: some Sequence<DiscoveredService>,
        _ outcome: inout Outcome
    ) {
        let domain = Self.normal(request.domain)
        let current = parts.filter { $1.successor == nil && Self.normal($1.request.domain) == domain }
        var kept = current.filter { _, part in part.types.allSatisfy { wanted[$0] == $1 } }
        func isNew(_ type: ServiceType) -> Bool { !kept.values.contains { $0.types[Subject(type, domain)] != nil } }
        if request.types.contains(where: isNew), kept.count >= Self.mostPerDomain { kept = [:] }
        let types = request.types.filter(isNew)
        let broken = current.keys.filter { kept[$0] == nil }.sorted { $0.rawValue < $1.rawValue }
        guard !types.isEmpty else {
            for id in broken { end(id, &outcome) }
            return
        }
        lastID += 1
        let id = ID(rawValue: lastID)
        var part = Part(BrowseRequest(types: types, domain: request.domain, interfaces: request.interfaces))
        part.replaced = broken.flatMap { (parts[$0]?.replaced ?? []) + [$0] }
        for id in part.replaced { parts[id]?.successor = ID(rawValue: lastID) }
        for id in broken { parts[id]?.replaced = [] }
        for service in present where part.types[Subject(service.instance)] != nil {
            for path in service.paths {
                part.awaited[InstancePath(instance: service.instance, path: path)] = .unseen
            }
        }
        parts[id] = part
        outcome.orders.append(.begin(id, part.request))
    }

    private mutating func end(_ id: ID, _ outcome: inout Outcome) {
        guard let part = parts.removeValue(forKey: id) else { return }
        for replaced in part.replaced { end(replaced, &outcome) }
        outcome.orders.append(.end(id))
    }

    // MARK: What they report

    /// Takes in the events that a part reports.
    mutating func take(_ events: [BrowseEvent], from id: ID, now: ContinuousClock.Instant) -> Outcome {
        guard let part = parts[id] else { return Outcome() }
        if parts.count == 1, part.awaited.isEmpty {
            for event in events { note(event, of: id) }
            (reportedStatus, reportedActivity) = (status, activity)
            return Outcome(events: events)
        }
        var outcome = Outcome()
        for event in events {
            note(event, of: id)
            switch event {
            case .status, .activity: break
            case .warning, .losses: outcome.events.append(event)
            case .sighted(let sighting):
                let key = InstancePath(instance: sighting.instance, path: sighting.path)
                if admit(sighting, key, from: id) { outcome.events.append(event) }
            case .vanished(let instance, let path, _):
                let key = InstancePath(instance: instance, path: path)
                let follower = part.successor ?? id
                let wasAwaited = parts[follower]?.awaited.removeValue(forKey: key) != nil
                if part.successor == nil || wasAwaited { outcome.events.append(event) }
            }
        }
        if part.successor == nil, parts[id]?.status == .running { takeOver(id, now: now, &outcome) }
        reportCondition(&outcome)
        return outcome
    }

    /// Records the condition of a part.
    private mutating func note(_ event: BrowseEvent, of id: ID) {
        switch event {
        case .status(let status): parts[id]?.status = status
        case .activity(let activity): parts[id]?.activity = activity
        case .sighted, .vanished, .warning, .losses: break
        }
    }

    /// Decides whether a sighting counts. One that is not resolved yet adds nothing to an instance that was known
    /// before.
    private mutating func admit(_ sighting: Sighting, _ key: InstancePath, from id: ID) -> Bool {
        guard let part = parts[id] else { return false }
        // New instances are left to its successor.
        if let successor = part.successor { return parts[successor]?.awaited[key] != nil }
        guard part.awaited[key] != nil else { return true }
        if sighting.resolution == .resolving {
            parts[id]?.awaited[key] = .resolving(sighting)
            return false
        }
        parts[id]?.awaited[key] = nil
        return true
    }

    /// Lets a running part take over: the parts that it replaces end, and it has some time to see what they saw.
    private mutating func takeOver(_ id: ID, now: ContinuousClock.Instant, _ outcome: inout Outcome) {
        let replaced = parts[id]?.replaced ?? []
        parts[id]?.replaced = []
        for id in replaced { end(id, &outcome) }
        guard let part = parts[id], !part.awaited.isEmpty, part.catchUpEnds == nil else { return }
        wait(for: id, until: now + Self.catchUpTime, &outcome)
    }

    private mutating func wait(for id: ID, until time: ContinuousClock.Instant, _ outcome: inout Outcome) {
        parts[id]?.catchUpEnds = time
        outcome.orders.append(.wake(at: time))
    }

    /// Does everything that is due: instances that a part has not seen in time are lost.
    mutating func tick(now: ContinuousClock.Instant) -> Outcome {
        var outcome = Outcome()
        for (id, part) in parts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let end = part.catchUpEnds, end <= now else { continue }
            parts[id]?.catchUpEnds = nil
            // The wait starts again when the part is running again.
            guard part.status == .running else { continue }
            if part.activity == .busy, !part.awaited.isEmpty {
                wait(for: id, until: now + Self.catchUpTime, &outcome)
                continue
            }
            parts[id]?.awaited = [:]
            for (key, progress) in part.awaited.sorted(by: { $0.key.instance < $1.key.instance }) {
                switch progress {
                case .unseen: outcome.events.append(.vanished(key.instance, key.path, .withdrawn))
                case .resolving(let sighting): outcome.events.append(.sighted(sighting))
                }
            }
        }
        reportCondition(&outcome)
        return outcome
    }

    // MARK: Their condition together

    private mutating func reportCondition(_ outcome: inout Outcome) {
        let (status, activity) = (status, activity)
        if status != reportedStatus { outcome.events.append(.status(status)) }
        if activity != reportedActivity { outcome.events.append(.activity(activity)) }
        (reportedStatus, reportedActivity) = (status, activity)
    }

    /// The status of all parts together, as far as they have reported one: the worst.
    private var status: BackendStatus {
        guard !parts.isEmpty else { return .running }
        let statuses = parts.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap(\.value.status)
        let unavailable = statuses.first { if case .unavailable = $0 { true } else { false } }
        if let unavailable { return unavailable }
        return statuses.isEmpty || statuses.contains(.starting) ? .starting : .running
    }

    /// The activity of all parts together. A part that has begun beside others, and has reported nothing yet, counts as
    /// busy.
    private var activity: BackendActivity {
        var latest: ContinuousClock.Instant?
        for part in parts.values {
            if part.status == nil, parts.count > 1 { return .busy }
            switch part.activity {
            case .busy: return .busy
            case .expecting(let time): latest = max(latest ?? time, time)
            case .idle: break
            }
        }
        return latest.map { .expecting(until: $0) } ?? .idle
    }

    // MARK: Domains

    /// Returns a domain in the form for comparisons: in lower case, without the dot at its end.
    private static func normal(_ domain: String) -> String {
        if domain == "local" { return domain }
        return ASCIICase.lowered(domain.hasSuffix(".") ? String(domain.dropLast()) : domain)
    }
}
