internal import DNSSD

/// The picture that a browser is given while the work goes from one backend to another and back: a single one, in which
/// nothing is lost and found again only because another backend sees it. A value.
///
/// The preferred backend's word counts where it has one. What only the other one has seen stays when the preferred one
/// takes over, until that has had time to see it too.
struct Handover {
    /// One instance on one path.
    private struct Key: Hashable {
        let instance: ServiceInstance
        let path: ServicePath
    }

    /// The one of the two backends that a row is from.
    enum Side {
        case preferred
        case other
    }

    private var rows: [Key: Side] = [:]

    /// The sightings that the preferred backend has reported last. After its daemon was away it tells only what is new,
    /// since nothing else has changed for it.
    private var preferredSightings: [Key: Sighting] = [:]

    /// The status of the preferred backend.
    private(set) var preferred = BackendStatus.starting

    /// The status of the other backend while it works.
    private var other: BackendStatus?

    /// The status that the browser was last told.
    private var told: BackendStatus?

    /// Indicates whether the other backend is needed: the daemon of the preferred one is not there.
    var isOtherNeeded: Bool {
        guard case .unavailable(let error) = preferred else { return false }
        return error.meansNoDaemon
    }

    /// Takes in what one of the two tells.
    ///
    /// - Returns: What the browser is told.
    mutating func tell(_ events: [BrowseEvent], from side: Side) -> [BrowseEvent] {
        events.flatMap { tell($0, from: side) }
    }

    private mutating func tell(_ event: BrowseEvent, from side: Side) -> [BrowseEvent] {
        switch event {
        case .sighted(let sighting):
            let key = Key(instance: sighting.instance, path: sighting.path)
            if side == .preferred { preferredSightings[key] = sighting }
            if rows[key] == .preferred, side == .other, preferred == .running { return [] }
            // What was resolved stays so until the new one has come as far.
            if let known = rows[key], known != side, !sighting.resolution.isSettled { return [] }
            rows[key] = side
            return [event]
        case .vanished(let instance, let path, _):
            let key = Key(instance: instance, path: path)
            if side == .preferred { preferredSightings[key] = nil }
            guard rows[key] == side else { return [] }
            rows[key] = nil
            return [event]
        case .status(let status):
            switch side {
            case .preferred: preferred = status
            case .other: other = status
            }
            return statusNews()
        case .activity, .warning, .losses:
            return [event]
        }
    }

    /// The other backend has begun to work, or no longer works.
    mutating func otherIs(_ status: BackendStatus?) -> [BrowseEvent] {
        other = status
        return statusNews()
    }

    private mutating func statusNews() -> [BrowseEvent] {
        let status = isOtherNeeded ? other ?? .starting : preferred
        guard status != told else { return [] }
        told = status
        return [.status(status)]
    }

    /// The other backend has had time to see what the preferred one saw: what it did not is lost, if it is still needed.
    mutating func settleOnOther() -> [BrowseEvent] {
        guard isOtherNeeded else { return [] }
        return drop { $0 == .preferred }
    }

    /// The preferred backend has had time to see what the other one saw: its word counts again, and what it does not see is
    /// lost.
    mutating func settleOnPreferred() -> [BrowseEvent] {
        guard !isOtherNeeded else {
            // It is away again: what stood until now is lost unless the other one, which begins anew, sees it too.
            for key in rows.keys { rows[key] = .preferred }
            return []
        }
        var events: [BrowseEvent] = []
        for (key, sighting) in preferredSightings where rows[key] != .preferred {
            // What was resolved stays so until the new one has come as far.
            if rows[key] == nil || sighting.resolution.isSettled { events.append(.sighted(sighting)) }
            rows[key] = .preferred
        }
        return events + drop { $0 == .other }
    }

    private mutating func drop(_ isLost: (Side) -> Bool) -> [BrowseEvent] {
        let lost = rows.filter { isLost($0.value) }.keys
        for key in lost { rows[key] = nil }
        return lost.map { .vanished($0.instance, $0.path, .missingAfterRestart) }
    }
}
