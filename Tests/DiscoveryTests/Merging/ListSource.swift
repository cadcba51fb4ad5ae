import DNSSD
import Synchronization

@testable import Discovery

/// A source whose sightings come from a list. It shows all that a new source has to implement.
final class ListSource: BrowseSource {
    let traits: SourceTraits
    private let list: [Sighting]
    private let sessions = AsyncStream.makeStream(of: Bool.self)
    private let protected = Mutex<Set<ServiceInstance>>([])

    init(_ name: String, _ role: SourceTraits.Role, rank: Int, _ list: [Sighting]) {
        let source = SightingSource(rawValue: name)
        self.traits = SourceTraits(name: source, role: role, rank: rank)
        self.list = list.map { sighting in
            var sighting = sighting
            sighting.source = source
            return sighting
        }
    }

    func makeSession(_ request: BrowseRequest, report: @escaping @Sendable (SourceReport) -> Void) -> any SourceSession
    {
        let list = list.filter { sighting in
            request.domain.escaped == sighting.instance.domain
                && request.types.contains { $0.base == sighting.instance.type }
        }
        return Session(list: list, sessions: sessions.continuation, report: report)
    }

    func reconfirm(_ instance: ServiceInstance) {}

    func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        protected.withLock { protected in
            if isProtected { protected.insert(instance) } else { protected.remove(instance) }
        }
    }

    /// The instances that are protected now.
    var protectedInstances: Set<ServiceInstance> { protected.withLock { $0 } }

    /// Waits for the next session to begin (`true`) or to end.
    func nextSession() async -> Bool? {
        for await hasBegun in sessions.stream { return hasBegun }
        return nil
    }

    private struct Session: SourceSession {
        let list: [Sighting]
        let sessions: AsyncStream<Bool>.Continuation
        let report: @Sendable (SourceReport) -> Void

        func run() async {
            sessions.yield(true)
            report(.events([.status(.running)] + list.map { .sighted($0) }))
            await Task.untilCancelled()
            sessions.yield(false)
        }
    }
}
