internal import DNSSD

/// What a browser is told of what the one-shot query and the backend see: one picture of both. A value.
///
/// The one-shot query is faster and sees what a full or hanging daemon does not; the backend is thorough. So what the
/// query sees counts until the backend has resolved the same instance on the same path, and from then on the backend's
/// word does.
struct Accompaniment {
    /// One instance on one path.
    struct Key: Hashable {
        let instance: ServiceInstance
        let path: ServicePath
    }

    /// What comes of the backend's events.
    struct Outcome {
        /// What the browser is told.
        var events: [BrowseEvent] = []

        /// What the backend has resolved, and the one-shot query need not follow any more.
        var confirmed: [Key] = []

        /// What is gone.
        var gone: [Key] = []

        /// Whether the status or the activity of the backend has changed.
        var isStatusNew = false
    }

    private enum Row {
        /// The backend has resolved it.
        case theirs

        /// The backend knows of it, and no more.
        case theirsUnresolved(Sighting)

        /// The one-shot query sees it; of the backend there is nothing, or no more than a sighting that is not resolved.
        case ours(held: Sighting?)
    }

    private var rows: [Key: Row] = [:]

    /// Whether the backend works.
    private(set) var isBackendRunning = true

    /// Whether the backend is about to tell more.
    private(set) var isBackendBusy = false

    /// Takes in what the backend tells.
    mutating func backendTold(_ events: [BrowseEvent]) -> Outcome {
        var outcome = Outcome()
        for event in events {
            switch event {
            case .sighted(let sighting):
                let key = Key(instance: sighting.instance, path: sighting.path)
                if sighting.resolution == .resolved {
                    switch rows.updateValue(.theirs, forKey: key) {
                    case .theirs: break
                    case .ours, .theirsUnresolved, nil: outcome.confirmed.append(key)
                    }
                } else {
                    switch rows[key] {
                    case .theirs:
                        // What was resolved and is told to have failed is news, and still the backend's.
                        break
                    case .ours:
                        rows[key] = .ours(held: sighting)
                        continue
                    case .theirsUnresolved, nil:
                        rows[key] = .theirsUnresolved(sighting)
                    }
                }
            case .vanished(let instance, let path, _):
                let key = Key(instance: instance, path: path)
                rows[key] = nil
                outcome.gone.append(key)
            case .status(let status):
                isBackendRunning = status == .running
                outcome.isStatusNew = true
            case .activity(let activity):
                isBackendBusy = activity != .idle
                outcome.isStatusNew = true
            case .warning:
                break
            }
            outcome.events.append(event)
        }
        return outcome
    }

    /// Takes in what the one-shot query tells.
    ///
    /// - Returns: What the browser is told.
    mutating func oneShotTold(_ events: [BrowseEvent]) -> [BrowseEvent] {
        var told: [BrowseEvent] = []
        for event in events {
            switch event {
            case .sighted(let sighting):
                let key = Key(instance: sighting.instance, path: sighting.path)
                switch rows[key] {
                case .theirs: continue
                case .ours: break
                case .theirsUnresolved(let held): rows[key] = .ours(held: held)
                case nil: rows[key] = .ours(held: nil)
                }
                told.append(event)
            case .vanished(let instance, let path, _):
                let key = Key(instance: instance, path: path)
                guard case .ours(let held) = rows[key] else { continue }
                rows[key] = held.map { .theirsUnresolved($0) }
                told.append(held.map { .sighted($0) } ?? event)
            case .warning:
                told.append(event)
            case .status, .activity:
                // Whether the browse works is the backend's to say.
                break
            }
        }
        return told
    }
}
