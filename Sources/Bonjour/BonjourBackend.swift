package import DNSSD
internal import HostSystem
internal import Synchronization

/// A backend for any DNS-SD daemon behind libdns_sd: Apple's mDNSResponder, or avahi-daemon through its compatibility
/// library.
///
/// One thread calls the library and waits for all of its descriptors; it runs while there is a browse or a publication.
/// Nothing else runs on that thread, since a call into the library blocks while the daemon is frozen, for up to 25 s
/// with Avahi's library, and cannot be interrupted: the library does not reveal what it waits on. A browse or
/// publication that is cancelled meanwhile returns at once, and asks the daemon for nothing more. The thread ends when
/// the call returns; until then it also serves new users, so that there is never a second one.
///
/// Avahi's library prints a line about itself to standard error at its first call; to prevent that, a program sets the
/// environment variable `AVAHI_COMPAT_NOWARN` before it starts threads.
///
/// One backend may be shared by any number of browsers and advertisers: they recognize each other's services as this
/// program's own, and hold at most 64 references in all, for each of which Avahi's library starts a thread and a
/// connection to the bus.
package final class BonjourBackend: ServiceBackend {
    /// A function that creates the loop; tests pass one that fails.
    typealias MakeLoop = @Sendable (any MonotonicClock) throws(SystemError) -> SocketLoop

    /// The backend's weak reference to its loop. The sessions that use the loop keep it alive, and so does a blocked
    /// call.
    private struct State {
        weak var loop: SocketLoop?
    }

    private let clock: any MonotonicClock
    private let makeLoop: MakeLoop
    private let state = Mutex(State())
    private let pool = ReferencePool()
    private let publications = Publications()
    private let protected = ProtectedInstances()

    package let source = SightingSource.bonjour

    package let capabilities: BackendCapabilities = [.withdrawsAfterCrash, .hearsGoodbyes]

    private let limits: BrowseLimits

    /// Makes a backend. Nothing is opened yet.
    ///
    /// - Parameter maximumServices: The number of services that a browse must be able to follow; it follows at least
    ///   16,384 in any case.
    package convenience init(maximumServices: Int = 0) {
        self.init(maximumServices: maximumServices, clock: ContinuousClock())
    }

    /// Creates a backend with a clock, and with a function that creates its loop, which tests may choose.
    init(
        maximumServices: Int,
        clock: any MonotonicClock,
        makeLoop: @escaping MakeLoop = { try SocketLoop(name: "libdns_sd", clock: $0) }
    ) {
        self.clock = clock
        self.makeLoop = makeLoop
        var limits = BrowseLimits()
        limits.paths = max(limits.paths, maximumServices)
        self.limits = limits
    }

    package func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async {
        let reporter = SerialReporter(report)
        await withEnvironment {
            reporter.report([.status(.unavailable(BackendError($0)))])
        } _: { environment in
            let session = BonjourBrowseSession(environment, request: request, limits: limits) { reporter.report($0) }
            await environment.run(session) {
                reporter.report([.status(.unavailable(.daemonNotAnswering))])
            } body: {
                await Task.untilCancelled()
            }
        }
        reporter.close()
    }

    package func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        let reporter = SerialReporter(report)
        let (failure, failed) = AsyncStream.makeStream(of: Never.self)
        await withEnvironment {
            reporter.report(.publishing(waitingFor: BackendError($0)))
        } _: { environment in
            let session = BonjourPublishSession(environment, advertisement: advertisement) { state in
                reporter.report(state)
                if case .failed = state { failed.finish() }
            }
            await environment.run(session) {
                reporter.report(.publishing(waitingFor: .daemonNotAnswering))
            } body: {
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        for await txt in updates {
                            environment.loop.later { session.assumeIsolated { $0.update(txt) } }
                        }
                    }
                    for await _ in failure {}
                    group.cancelAll()
                }
            }
        }
        reporter.close()
    }

    package func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        protected.protect(instance, isProtected)
    }

    /// The number of references that are held now.
    package var references: Int { pool.used }

    // MARK: The loop

    /// Runs `body` with the shared loop, which starts for its first user and ends after its last.
    func withEnvironment(
        onTrouble: (SystemError) -> Void,
        _ body: (SessionEnvironment) async -> Void
    ) async {
        guard let loop = await clock.retry(onTrouble, acquire) else { return }
        let environment = SessionEnvironment(
            loop: loop,
            clock: clock,
            pool: pool,
            publications: publications,
            protected: protected
        )
        await body(environment)
    }

    private func acquire() throws(SystemError) -> SocketLoop {
        try state.withLock { state throws(SystemError) -> SocketLoop in
            if let running = state.loop { return running }
            try LibrarySymbols.load()
            let loop = try makeLoop(clock)
            state.loop = loop
            return loop
        }
    }
}
