public import DNSSD
public import ServiceLifecycle
internal import Synchronization

/// A browser that finds the DNS-SD services on the network and keeps track of them, with one row for each service,
/// however many interfaces and address families lead to it.
///
/// It is safe inside any program: it catches no signal, prints nothing, starts no task before ``run()`` and leaves
/// nothing behind when that returns. Trouble with the daemon or the network is its ``status``, and it
/// recovers by itself. Everything it hands out comes from the network and is untrusted.
///
/// ## Usage
///
/// ```swift
/// let browser = try Browser(type: "_openclaw._tcp")
/// await withThrowingTaskGroup(of: Void.self) { group in
///     group.addTask { try await browser.run() }
///     for await change in browser.changes {
///         print(change)
///     }
/// }
/// ```
///
/// All members may be used from anywhere, at any time.
public final class Browser: Service {
    private let request: BrowseRequest
    private let backend: any ServiceBackend
    let clock: any MonotonicClock
    private let metrics = BrowserMetrics()
    private let once = RunOnce(Browser.self)
    let state: Mutex<BrowserState>
    private let broadcast = Broadcast(BrowserCondition(status: .starting, warnings: []))

    /// Makes a browser. Nothing happens before ``run()``.
    package convenience init(_ configuration: BrowserConfiguration, backend: any ServiceBackend) {
        self.init(configuration, backend: backend, clock: ContinuousClock())
    }

    /// Makes a browser with a clock.
    package init(_ configuration: BrowserConfiguration, backend: any ServiceBackend, clock: any MonotonicClock) {
        self.clock = clock
        self.request = configuration.request
        self.backend = backend
        self.state = Mutex(BrowserState(maximumServices: configuration.maximumServices))
    }

    /// Browses until the task is cancelled or the service group shuts down. Then every sequence of ``changes`` ends.
    ///
    /// - Throws: An error if it was called before.
    public func run() async throws {
        try once.begin()
        await cancelWhenGracefulShutdown {
            await self.backend.browse(self.request) { events in
                self.change { $0.apply(events, now: self.clock.now) }
            }
        }
        broadcast.finish()
        for signal in state.withLock({ $0.end() }) { signal.raise() }
    }

    /// Changes the state, and wakes the calls that wait for that.
    private func change(_ body: (inout BrowserState) -> [ReaderSignal]) {
        let (signals, tally, before, after) = state.withLock { state in
            let before = state.condition
            let signals = body(&state)
            return (signals, state.takeTally(), before, state.condition)
        }
        for signal in signals { signal.raise() }
        metrics.note(tally)
        // Most changes affect services only, and take just one lock.
        guard after != before else { return }
        if after.status != before.status { metrics.note(after.status) }
        // Not with the state's lock held: waking a reader takes the lock of its task, and the cancellation of a task
        // takes the state's lock with the task's own held.
        broadcast.update { condition }
    }

    /// The services that are present now, sorted by type and name, including those that are not resolved (yet).
    public var services: [DiscoveredService] {
        state.withLock { $0.table.services.values.sorted { $0.instance < $1.instance } }
    }

    /// Returns the service with this name, if it is present. The time that this takes does not depend on the number of
    /// services.
    public func service(_ instance: ServiceInstance) -> DiscoveredService? {
        state.withLock { $0.table.services[instance] }
    }

    /// The number of services that are resolved.
    package var resolvedCount: Int {
        state.withLock { $0.table.services.values.count { $0.resolution == .resolved } }
    }

    /// The changes from now on, after a `found` for every service that is present. Each reader gets its own sequence.
    ///
    /// A slow reader loses nothing: changes that it has not taken yet are merged by service, so that it always arrives
    /// at the current state, and never has more changes waiting than there are services.
    public var changes: some AsyncSequence<ServiceChange, Never> & Sendable {
        ServiceChanges(browser: self)
    }

    /// The current status of the backend. It recovers by itself.
    public var status: BackendStatus { condition.status }

    /// The current ``status``, and every change of it from now on; one can come twice in a row. Ends when ``run()`` has
    /// ended. A slow reader gets the latest one.
    public var statuses: some AsyncSequence<BackendStatus, Never> & Sendable { conditions.map { $0.status } }

    /// The current condition of the browser: the backend's status, and warnings for the user.
    package var condition: BrowserCondition { state.withLock { $0.condition } }

    /// Every change of ``condition`` from now on, after the current one. Ends when ``run()`` has ended.
    /// A slow reader gets the latest one.
    package var conditions: some AsyncSequence<BrowserCondition, Never> & Sendable { broadcast.stream(limit: 1) }

    /// The losses since ``run()`` began. The ``condition`` warns of them once; this counts them.
    package var losses: BackendLosses { state.withLock { $0.losses } }

    /// The name of the backend that does the work.
    package var source: SightingSource { backend.source }

    /// Asks the backend to verify, if it can, that the records of a service that did not answer are still valid. The
    /// service is lost if no response confirms them (RFC 6762 §10.4). Call this once for each service that fails, not
    /// repeatedly.
    public func reconfirm(_ instance: ServiceInstance) {
        backend.reconfirm(instance)
    }

    /// Protects a service that is known to be alive, since it answers, or ends its protection. While it is protected,
    /// it is not dropped in favour of others when there are more than can be followed. The last call counts.
    package func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        state.withLock { $0.protect(instance, isProtected) }
        backend.protect(instance, isProtected)
    }

    // MARK: Readers

    /// The number of calls that wait for a change.
    var waitingReaders: Int { state.withLock { $0.waitingReaders } }

    func addReader() -> ReaderID {
        state.withLock { $0.addReader() }
    }

    func removeReader(_ id: ReaderID) {
        state.withLock { $0.removeReader(id) }?.end()
    }

    /// Returns the next change for a reader; `nil` when there will be none.
    func nextChange(for id: ReaderID) async -> ServiceChange? {
        while true {
            switch state.withLock({ $0.take(for: id) }) {
            case .change(let change): return change
            case .finished: return nil
            case .empty(let signal):
                await signal.wait()
                if signal.hasEnded { removeReader(id) }
            }
        }
    }
}
