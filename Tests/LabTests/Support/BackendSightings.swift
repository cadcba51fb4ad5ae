import DNSSD
import Synchronization

/// The present sightings, the losses and the statuses that a browse of a backend has reported.
final class BackendSightings: Sendable {
    private struct Key: Hashable {
        let instance: ServiceInstance
        let path: ServicePath
    }

    private struct State {
        var sightings: [Key: Sighting] = [:]
        var lost: [String] = []
        var statuses: [BackendStatus] = []
    }

    private let state = Mutex(State())

    /// Records events of the browse.
    func take(_ events: [BrowseEvent]) {
        state.withLock { state in
            for event in events {
                switch event {
                case .sighted(let sighting):
                    state.sightings[Key(instance: sighting.instance, path: sighting.path)] = sighting
                case .vanished(let name, let path, _):
                    state.sightings[Key(instance: name, path: path)] = nil
                    if !state.sightings.keys.contains(where: { $0.instance == name }) { state.lost.append(name.name) }
                case .status(let status): state.statuses.append(status)
                case .activity, .warning, .domain, .losses: break
                }
            }
        }
    }

    /// Returns the sighting of an instance on the first of its paths.
    func sighting(_ name: String) -> Sighting? {
        state.withLock { state in
            state.sightings.values.filter { $0.instance.name == name }.min { $0.path < $1.path }
        }
    }

    /// Returns whether an instance is seen and resolved.
    func isResolved(_ name: String) -> Bool { sighting(name)?.resolution == .resolved }

    /// Returns the number of instances with this prefix that are resolved.
    func resolved(_ prefix: String) -> Int {
        state.withLock { state in
            let resolved = state.sightings.values.filter {
                $0.instance.name.hasPrefix(prefix) && $0.resolution == .resolved
            }
            return Set(resolved.map(\.instance)).count
        }
    }

    /// Returns whether an instance has at any time vanished from its last path.
    func hasLost(_ name: String) -> Bool { state.withLock { $0.lost.contains(name) } }

    /// The statuses that the backend has reported.
    var statuses: [BackendStatus] { state.withLock { $0.statuses } }

    /// The reason why the backend is unavailable; `nil` if it is available.
    var problem: ErrorCode<BackendError>? {
        guard case .unavailable(let error) = statuses.last else { return nil }
        return error.code
    }
}
