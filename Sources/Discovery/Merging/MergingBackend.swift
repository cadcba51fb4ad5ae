internal import DNSSD
internal import Synchronization

/// A backend of any number of sources, whose reports a ``BrowseMerge`` folds into one picture for each browse. One of its
/// backends publishes.
struct MergingBackend: ServiceBackend {
    /// Publishes an advertisement: see `ServiceBackend.publish(_:updates:report:)`.
    typealias Publish =
        @Sendable (
            _ advertisement: Advertisement,
            _ updates: TXTUpdates,
            _ report: @escaping @Sendable (PublicationState) -> Void
        ) async -> Void

    private let sources: [any BrowseSource]
    private let catchUpTime: Duration
    private let publisher: Publish
    private let standbysAtWork = StandbyCount()

    /// - Parameters:
    ///   - sources: The sources of its browses; at least one that is primary.
    ///   - catchUpTime: The time that a source which takes over may take to see what another one saw.
    ///   - publisher: Publishes.
    init(
        _ sources: [any BrowseSource],
        catchUpTime: Duration = BrowseMerge.defaultCatchUpTime,
        publisher: @escaping Publish
    ) {
        self.sources = sources
        self.catchUpTime = catchUpTime
        self.publisher = publisher
    }

    /// The source that works now.
    var source: SightingSource {
        let role: SourceTraits.Role = standbysAtWork.isZero ? .primary : .standby
        return sources.map(\.traits).filter { $0.role == role }.max { $0.rank < $1.rank }?.name ?? .oneShot
    }

    /// The capabilities that all of its backends have.
    var capabilities: BackendCapabilities {
        sources.map(\.traits).filter { $0.role != .companion }.reduce(.all) { $0.intersection($1.capabilities) }
    }

    func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async {
        let browse = MergedBrowse(BrowseMerge(sources.map(\.traits), catchUpTime: catchUpTime), report)
        let sessions = sources.enumerated().map { index, source in
            source.makeSession(request) { browse.take($0, from: index) }
        }
        browse.begin(zip(sources, sessions).filter { $0.0.traits.role == .companion }.map(\.1))
        await withTaskGroup(of: SourceTraits.Role?.self) { group in
            for (index, session) in sessions.enumerated() {
                let role = sources[index].traits.role
                group.addTask {
                    if role == .standby {
                        await runWhileNeeded(session, browse.needs(of: index))
                    } else {
                        await session.run()
                    }
                    return role
                }
            }
            group.addTask {
                await browse.keepTime()
                return nil
            }
            var primaries = sources.count { $0.traits.role == .primary }
            for await role in group where role == .primary {
                primaries -= 1
                if primaries == 0 { break }
            }
            group.cancelAll()
            await group.waitForAll()
        }
        browse.end()
    }

    private func runWhileNeeded(_ session: any SourceSession, _ needs: AsyncStream<Bool>) async {
        for await isNeeded in needs where isNeeded {
            standbysAtWork.add(1)
            await withDiscardingTaskGroup { group in
                group.addTask { await session.run() }
                for await isNeeded in needs where !isNeeded { break }
                group.cancelAll()
            }
            standbysAtWork.add(-1)
        }
    }

    func reconfirm(_ instance: ServiceInstance) {
        for source in sources { source.reconfirm(instance) }
    }

    func keep(_ instance: ServiceInstance, _ isKept: Bool) {
        for source in sources { source.keep(instance, isKept) }
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
