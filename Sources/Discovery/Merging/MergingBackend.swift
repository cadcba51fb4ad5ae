internal import DNSSD
internal import Synchronization

/// A backend that consists of any number of sources, whose reports a ``BrowseMerge`` merges for each browse. One of its
/// backends publishes.
struct MergingBackend: ServiceBackend {
    /// A function that publishes an advertisement: see `ServiceBackend.publish(_:updates:report:)`.
    typealias Publish =
        @Sendable (
            _ advertisement: Advertisement,
            _ updates: TXTUpdates,
            _ report: @escaping @Sendable (PublicationState) -> Void
        ) async -> Void

    private let sources: [any BrowseSource]
    private let clock: any MonotonicClock
    private let publisher: Publish
    private let standbysAtWork = StandbyCount()

    /// - Parameters:
    ///   - sources: The sources of its browses; at least one that is primary.
    ///   - clock: The clock by which it waits.
    ///   - publisher: The function that publishes.
    init(
        _ sources: [any BrowseSource],
        clock: any MonotonicClock = ContinuousClock(),
        publisher: @escaping Publish
    ) {
        self.sources = sources
        self.clock = clock
        self.publisher = publisher
    }

    /// The source that works now.
    var source: SightingSource {
        let role: SourceTraits.Role = standbysAtWork.isZero ? .primary : .standby
        return sources.map(\.traits).filter { $0.role == role }.max { $0.rank < $1.rank }?.name ?? .oneShot
    }

    /// The capabilities that all of its backends have.
    var capabilities: BackendCapabilities {
        sources.map(\.traits).filter(\.isAuthority).reduce(.all) { $0.intersection($1.capabilities) }
    }

    func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async {
        let merge = BrowseMerge(sources.map(\.traits))
        let browse = MergedBrowse(merge, clock: clock, report)
        let sessions = sources.enumerated().filter { $1.traits.role != .standby }.map { index, source in
            (role: source.traits.role, session: source.makeSession(request) { browse.take($0, from: index) })
        }
        let companions = sessions.filter { $0.role == .companion }.map(\.session)
        browse.begin(companions)
        for companion in companions { await companion.prepare() }
        await withTaskGroup(of: SourceTraits.Role?.self) { group in
            for (role, session) in sessions {
                group.addTask {
                    if role != .companion { await session.prepare() }
                    await session.run()
                    return role
                }
            }
            for (index, source) in sources.enumerated() where source.traits.role == .standby {
                group.addTask {
                    await runWhileNeeded(source, index, request, browse)
                    return .standby
                }
            }
            group.addTask {
                await browse.keepTime()
                return nil
            }
            var primaries = sessions.count { $0.role == .primary }
            for await role in group where role == .primary {
                primaries -= 1
                if primaries == 0 { break }
            }
            group.cancelAll()
            await group.waitForAll()
        }
        browse.end()
    }

    /// Runs a session of a standby each time that it is needed.
    private func runWhileNeeded(
        _ source: any BrowseSource,
        _ index: Int,
        _ request: BrowseRequest,
        _ browse: MergedBrowse
    ) async {
        let runs = browse.runs(of: index)
        var next: Int?
        for await run in runs {
            next = run
            while let run = next, !Task.isCancelled {
                next = nil
                standbysAtWork.add(1)
                let session = source.makeSession(request) { browse.take($0, from: index, run: run) }
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        await session.prepare()
                        await session.run()
                    }
                    for await latest in runs where latest != run {
                        next = latest
                        break
                    }
                    group.cancelAll()
                }
                standbysAtWork.add(-1)
            }
        }
    }

    func reconfirm(_ instance: ServiceInstance) {
        for source in sources { source.reconfirm(instance) }
    }

    func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        for source in sources { source.protect(instance, isProtected) }
    }

    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        await publisher(advertisement, updates, report)
    }
}

/// The number of browses in which a standby works now.
private final class StandbyCount: Sendable {
    private let count = Mutex(0)

    var isZero: Bool { count.withLock { $0 == 0 } }

    func add(_ change: Int) { count.withLock { $0 += change } }
}
