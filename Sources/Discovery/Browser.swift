public import DNSSD
public import ServiceLifecycle
internal import Synchronization

/// A browser that finds the DNS-SD services on the network and keeps track of them, with one row for each service,
/// however many interfaces and address families lead to it.
///
/// It is safe inside any program: it catches no signal, prints nothing, starts no task before ``run()`` and leaves
/// nothing behind when that returns. Trouble with the daemon or the network is reported as its ``condition``, and it
/// recovers by itself. Everything it hands out comes from the network and is untrusted.
///
/// ## Usage
///
/// ```swift
/// let browser = Browser(
///     BrowserConfiguration(types: [try ServiceType("_openclaw._tcp")]),
///     backend: try Backends.system()
/// )
/// try await withThrowingTaskGroup(of: Void.self) { group in
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
    private let clock: any MonotonicClock
    private let metrics = BrowserMetrics()
    private let once = RunOnce(Browser.self)
    private let state: Mutex<BrowserState>
    private let broadcast = Broadcast(BrowserCondition(status: .starting, warnings: []))

    /// Makes a browser. Nothing happens before ``run()``.
    public convenience init(_ configuration: BrowserConfiguration, backend: any ServiceBackend) {
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
    /// - Throws: ``/DNSSD/AlreadyRunError`` when it was called before.
    public func run() async throws(AlreadyRunError) {
        try once.begin()
        await cancelWhenGracefulShutdown {
            await self.backend.browse(self.request) { events in
                self.change { $0.apply(events, now: self.clock.now) }
            }
        }
        broadcast.finish()
        let wakers = state.withLock { $0.end() }
        for waker in wakers { waker.resume() }
    }

    /// Changes the state, and wakes the calls that wait for that.
    private func change(_ body: (inout BrowserState) -> [BrowserState.Waker]) {
        let (wakers, settlers, tally, before, after) = state.withLock { state in
            let before = state.condition
            let wakers = body(&state)
            return (wakers, state.settlers.takeSettlersToWake(), state.takeTally(), before, state.condition)
        }
        for waker in wakers { waker.resume() }
        for settler in settlers { settler.yield() }
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
    public var changes: ServiceChanges {
        ServiceChanges(browser: self)
    }

    /// The current condition of the browser: the backend's status, and warnings for the user.
    public var condition: BrowserCondition { state.withLock { $0.condition } }

    /// Every change of ``condition`` from now on, after the current one. Ends when ``run()`` has ended.
    public var conditions: BrowserConditions { BrowserConditions(broadcast.stream(limit: 1)) }

    /// The losses since ``run()`` began. The ``condition`` warns of them once; this counts them.
    public var losses: BackendLosses { state.withLock { $0.losses } }

    /// The name of the backend that does the work.
    public var source: SightingSource { backend.source }

    /// The capabilities of that backend beyond finding and resolving.
    public var capabilities: BackendCapabilities { backend.capabilities }

    /// Asks the backend to verify, if it can, that the records of a service that did not answer are still valid. The
    /// service is lost if no response confirms them (RFC 6762 §10.4). Call this once for each service that fails, not
    /// repeatedly.
    public func reconfirm(_ instance: ServiceInstance) {
        backend.reconfirm(instance)
    }

    /// Protects a service that is known to be alive, since it answers, or ends its protection. While it is protected,
    /// it is not dropped in favour of others when there are more than can be followed. The last call counts.
    public func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        state.withLock { $0.protect(instance, isProtected) }
        backend.protect(instance, isProtected)
    }

    /// Waits until nothing new has come for a while, and every service is resolved or its resolution has failed.
    ///
    /// - Parameters:
    ///   - quiet: The time for which nothing new must have come, once the first service was seen. Without any service,
    ///     the call waits until the deadline.
    ///   - availabilityTimeout: The time for which the backend may stay unavailable before the wait ends; `nil` means
    ///     until the deadline.
    ///   - deadline: The latest time at which to return.
    /// - Returns: The reason for which it returned. On cancellation it returns at once.
    @discardableResult
    public func settle(
        quiet: Duration,
        availabilityTimeout: Duration? = nil,
        deadline: ContinuousClock.Instant
    ) async -> SettleResult {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { $0.settlers.add(wake) }
        defer { state.withLock { $0.settlers.remove(id) } }
        wake.yield()
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var alarm: ContinuousClock.Instant?
            for await _ in wakes {
                let now = clock.now
                var next = deadline
                let progress = state.withLock {
                    $0.progress(quiet: quiet, availabilityTimeout: availabilityTimeout, now: now)
                }
                switch progress {
                case .settled: return .settled
                case .unavailable(let error): return .unavailable(error)
                case .waiting(until: let time): next = min(time ?? deadline, deadline)
                }
                guard now < deadline else { return .deadline }
                // A timer that ends too early only leads to one more look.
                if let alarm, alarm > now, alarm <= next { continue }
                alarm = next
                group.addTask { [clock] in
                    guard (try? await clock.sleep(until: next, tolerance: nil)) != nil else { return }
                    wake.yield()
                }
            }
            // Cancelled.
            return .deadline
        }
    }

    // MARK: Readers

    /// The number of calls that wait for a change.
    var waitingReaders: Int { state.withLock { $0.waitingReaders } }

    /// The number of calls that wait until the browse has settled.
    var settlers: Int { state.withLock { $0.settlers.count } }

    func addReader() -> ReaderID {
        state.withLock { $0.addReader() }
    }

    func removeReader(_ id: ReaderID) {
        let wakers = state.withLock { $0.removeReader(id) }
        for waker in wakers { waker.resume() }
    }

    /// Returns the next change for a reader; `nil` when there will be none.
    func nextChange(for id: ReaderID) async -> ServiceChange? {
        while true {
            let taken = state.withLock { $0.take(for: id) }
            switch taken {
            case .change(let change): return change
            case .finished: return nil
            case .empty: break
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { $0.wait(continuation, for: id) }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                removeReader(id)
            }
        }
    }
}
