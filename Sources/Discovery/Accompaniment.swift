internal import DNSSD

/// The merged picture of what the one-shot query and the backend see, as a browser is told of it. A value.
///
/// The one-shot query is faster and sees what a full or hanging daemon does not; the backend is thorough. So what the
/// query sees counts until the backend has resolved the same instance on the same path, and from then on the backend's
/// word does. Where the backend does not tell families, its path stands for both of the interface.
struct Accompaniment {
    /// One instance on one path.
    struct Key: Hashable {
        let instance: ServiceInstance
        let path: ServicePath
    }

    /// The consequences of the backend's events.
    struct Outcome {
        /// The events that the browser is told.
        var events: [BrowseEvent] = []

        /// The instances that the backend has resolved and that the one-shot query need not follow any more, each with
        /// its path.
        var confirmed: [Key] = []

        /// The instances that the backend no longer sees, each with its path.
        var gone: [Key] = []

        /// The services that the backend has resolved, and does not know to be this host's own.
        var resolved: [Sighting] = []

        /// Indicates whether the status or the activity of the backend has changed.
        var isStatusNew = false

        /// Indicates whether the backend has lost packets.
        var hasLost = false
    }

    private enum Row {
        /// The backend has resolved it, and last told this of it. Its path may stand for this one as well.
        case theirs(Sighting)

        /// The backend knows of it, and no more.
        case theirsUnresolved(Sighting)

        /// The one-shot query sees it; of the backend there is nothing, or no more than a sighting that is not resolved.
        case ours(held: Sighting?)
    }

    private let tellsFamilies: Bool

    private var rows: [Key: Row] = [:]

    /// The instances that the query has come to see after the backend had resolved them, each with its path.
    private var confirmed: [Key] = []

    /// Those that the query sees and the backend is still resolving: the browser does not know, and must not take the
    /// backend for done.
    private var pending: Set<Key> = []

    /// The activity that the backend last reported, and the one that the browser was last told.
    private var activity = (backend: BackendActivity.idle, told: BackendActivity.idle)

    /// Indicates whether the backend works.
    private(set) var isBackendRunning = true

    /// Indicates whether the backend is about to tell more.
    private(set) var isBackendBusy = false

    /// Indicates whether the backend has reported an instance.
    private var hasBackendSighted = false

    /// Indicates whether the backend has been given time to report its first instance.
    private var isAwaited = false

    /// The time that the backend may take to report its first instance after the query has reported one: a look at the
    /// network that ended before would miss what only the backend sees.
    private static let head = Duration.seconds(2)

    /// - Parameter tellsFamilies: Whether the backend can say by which family an instance was seen.
    init(tellsFamilies: Bool = true) {
        self.tellsFamilies = tellsFamilies
    }

    /// Takes in what the backend tells.
    mutating func backendTold(_ events: [BrowseEvent]) -> Outcome {
        var outcome = Outcome()
        for event in events {
            switch event {
            case .sighted(var sighting):
                hasBackendSighted = true
                let key = Key(instance: sighting.instance, path: sighting.path)
                pending.remove(key)
                if case .theirs(let known) = rows[key], known.isOwn, known.isAtSamePlace(as: sighting) {
                    // The backend does not know, and another program of this host has answered for it.
                    sighting.isOwn = true
                }
                if sighting.resolution == .resolved {
                    if !sighting.isOwn { outcome.resolved.append(sighting) }
                    switch rows.updateValue(.theirs(sighting), forKey: key) {
                    case .theirs: break
                    case .ours, .theirsUnresolved, nil: outcome.confirmed.append(key)
                    }
                    if let twin = twin(of: key) {
                        let row = rows.updateValue(.theirs(sighting), forKey: twin)
                        if row == nil { outcome.confirmed.append(twin) }
                        if case .ours = row {
                            outcome.confirmed.append(twin)
                            // After what takes its place, so that the service is not lost for a moment.
                            outcome.events.append(.sighted(sighting))
                            outcome.events.append(.vanished(twin.instance, twin.path, .withdrawn))
                            continue
                        }
                    }
                } else {
                    switch rows[key] {
                    case .theirs:
                        // What was resolved and is told to have failed is news, and still the backend's.
                        break
                    case .ours:
                        rows[key] = .ours(held: sighting)
                        if !sighting.resolution.isSettled { pending.insert(key) }
                        continue
                    case .theirsUnresolved, nil:
                        rows[key] = .theirsUnresolved(sighting)
                    }
                }
                outcome.events.append(.sighted(sighting))
                continue
            case .vanished(let instance, let path, _):
                let key = Key(instance: instance, path: path)
                rows[key] = nil
                pending.remove(key)
                outcome.gone.append(key)
                if let twin = twin(of: key), case .theirs = rows[twin] {
                    rows[twin] = nil
                    outcome.gone.append(twin)
                }
            case .status(let status):
                isBackendRunning = status == .running
                outcome.isStatusNew = true
            case .activity(let activity):
                self.activity.backend = activity
                isBackendBusy = activity != .idle
                outcome.isStatusNew = true
                continue
            case .losses(let losses):
                if losses.packets > 0 { outcome.hasLost = true }
            case .warning:
                break
            }
            outcome.events.append(event)
        }
        let activity = pending.isEmpty ? self.activity.backend : .busy
        let isHeadOver = hasBackendSighted || activity != .idle
        if activity != self.activity.told, isHeadOver {
            self.activity.told = activity
            outcome.events.append(.activity(activity))
        }
        return outcome
    }

    /// A program of this host has answered for these.
    ///
    /// - Returns: What the browser is told.
    mutating func ownHostTold(_ sightings: [Sighting]) -> [BrowseEvent] {
        sightings.compactMap { told in
            let key = Key(instance: told.instance, path: told.path)
            // Since it was asked the backend may have seen something else.
            guard case .theirs(var sighting) = rows[key], sighting.path == told.path, !sighting.isOwn,
                sighting.isAtSamePlace(as: told)
            else { return nil }
            sighting.isOwn = true
            sighting.heardFrom = told.heardFrom
            rows[key] = .theirs(sighting)
            return .sighted(sighting)
        }
    }

    /// Takes out the instances that the query has reported since the last call although the backend has them: the query
    /// need not follow them.
    mutating func takeConfirmed() -> [Key] {
        defer { confirmed = [] }
        return confirmed
    }

    /// Takes in what the one-shot query tells.
    ///
    /// - Returns: What the browser is told.
    mutating func oneShotTold(_ events: [BrowseEvent], now: ContinuousClock.Instant) -> [BrowseEvent] {
        var told: [BrowseEvent] = []
        for event in events {
            switch event {
            case .sighted(let sighting):
                let key = Key(instance: sighting.instance, path: sighting.path)
                switch rows[key] {
                case .theirs:
                    confirmed.append(key)
                    continue
                case .ours: break
                case .theirsUnresolved(let held):
                    rows[key] = .ours(held: held)
                    if !held.resolution.isSettled { pending.insert(key) }
                case nil: rows[key] = .ours(held: nil)
                }
                if !isAwaited, !hasBackendSighted, !isBackendBusy {
                    isAwaited = true
                    activity.told = .expecting(until: now + Self.head)
                    told.append(.activity(activity.told))
                }
                told.append(event)
            case .vanished(let instance, let path, _):
                let key = Key(instance: instance, path: path)
                guard case .ours(let held) = rows[key] else { continue }
                rows[key] = held.map { .theirsUnresolved($0) }
                pending.remove(key)
                told.append(held.map { .sighted($0) } ?? event)
            case .warning, .losses:
                told.append(event)
            case .status, .activity:
                // Whether the browse works is the backend's to say.
                break
            }
        }
        return told
    }

    /// The path of the other family, where the backend speaks for both with one.
    private func twin(of key: Key) -> Key? {
        guard !tellsFamilies else { return nil }
        let family: AddressFamily = key.path.family == .ipv4 ? .ipv6 : .ipv4
        return Key(instance: key.instance, path: ServicePath(interface: key.path.interface, family: family))
    }
}
