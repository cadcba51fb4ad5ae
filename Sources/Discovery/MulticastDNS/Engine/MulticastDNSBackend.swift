package import DNSSD
internal import HostSystem
package import Logging
internal import Synchronization

/// A multicast DNS engine of our own, which browses and publishes without any daemon (RFC 6762).
///
/// Its thread and sockets are opened by the first browse or publication and closed after the last. All backends of a
/// process with equal settings share them, and know each other's services as their own; several programs of one host,
/// each with its own, work side by side.
package final class MulticastDNSBackend: ServiceBackend {
    /// A function that creates the loop of an engine; tests pass one that fails.
    typealias MakeLoop = @Sendable (any MonotonicClock) throws(SystemError) -> SocketLoop

    /// The engines that backends share. They use one clock.
    typealias Engines = SharedResources<MulticastDNSConfiguration, MulticastDNSEngine>

    /// The engines of this process.
    private static let enginesOfProcess = Engines()

    private struct State {
        /// The engine, and the key by which it is shared, while this backend has users.
        var engine: (MulticastDNSEngine, Engines.Key)?
        var users = 0

        /// The instances that are known to be alive by other means, stored for the next engine as well.
        var protected: Set<ServiceInstance> = []
    }

    private let configuration: MulticastDNSConfiguration
    private let logger: Logger?
    private let clock: any MonotonicClock
    private let makeLoop: MakeLoop
    private let engines: Engines
    private let state = Mutex(State())

    package let source = SightingSource.embedded

    /// All but the withdrawal after a crash, since the engine runs in the publishing process itself.
    package let capabilities = BackendCapabilities.all.subtracting(.withdrawsAfterCrash)

    /// Creates a backend. It opens nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the engine.
    ///   - logger: Receives, at warning level, warnings for publishers while nothing browses: browses get their own. At
    ///     debug level it receives the numbers of queries that were not answered, and why.
    package convenience init(
        configuration: MulticastDNSConfiguration = MulticastDNSConfiguration(),
        logger: Logger? = nil
    ) {
        self.init(
            configuration: configuration,
            logger: logger,
            clock: ContinuousClock(),
            engines: Self.enginesOfProcess
        )
    }

    /// Creates a backend with a clock, a function that creates its loops, and the engines that it shares, which tests
    /// may choose.
    init(
        configuration: MulticastDNSConfiguration,
        logger: Logger?,
        clock: any MonotonicClock,
        engines: Engines,
        makeLoop: @escaping MakeLoop = { try SocketLoop(name: "mdns-engine", clock: $0) }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
        self.engines = engines
        self.makeLoop = makeLoop
    }

    package func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async {
        await withEngine {
            report([.status(.unavailable($0))])
        } _: { engine in
            do throws(BackendError) {
                let id = try await engine.begin(request, report: report)
                await Task.untilCancelled()
                // This is not cancelled along with the task: a browse that has begun is always ended.
                await engine.end(id)
            } catch {
                report([.status(.unavailable(error))])
                await Task.untilCancelled()
            }
        }
    }

    package func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        await publish(advertisement, updates: updates, goesOnElsewhere: { false }, report: report)
    }

    /// Publishes a service, and ends with a goodbye, or without one if the publication goes on elsewhere.
    ///
    /// - Parameter goesOnElsewhere: Returns, when asked at the end, whether another responder of this host publishes
    ///   the same service from then on, so that nobody may see it vanish.
    package func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        goesOnElsewhere: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        let (failures, failure) = AsyncStream.makeStream(of: Never.self)
        await withEngine {
            report(.publishing(waitingFor: $0))
        } _: { engine in
            do throws(BackendError) {
                let id = try await engine.publish(advertisement) { state in
                    report(state)
                    if case .failed = state { failure.finish() }
                }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await txt in updates { await engine.update(id, text: txt) }
                        await Task.untilCancelled()
                    }
                    group.addTask { for await _ in failures {} }
                    await group.next()
                    group.cancelAll()
                }
                // This is not cancelled along with the task: a publication is always taken back.
                if goesOnElsewhere() { await engine.stopSilently(id) } else { await engine.withdraw(id) }
            } catch {
                report(.failed(error))
            }
        }
    }

    package func reconfirm(_ instance: ServiceInstance) {
        state.withLock { $0.engine?.0 }?.reconfirm(instance)
    }

    package func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        // Passed on under the lock, so that the engine receives the changes in the same order.
        state.withLock { state in
            // The engine counts how many backends protect an instance: each may tell it a change only.
            let isChange =
                isProtected ? state.protected.insert(instance).inserted : state.protected.remove(instance) != nil
            if isChange { state.engine?.0.protect(instance, isProtected) }
        }
    }

    // MARK: The engine

    /// Runs `body` with the engine, which is acquired for the first user of this backend and released after the last.
    func withEngine(
        onTrouble: (BackendError) -> Void,
        _ body: (MulticastDNSEngine) async -> Void
    ) async {
        let report: (SystemError) -> Void = {
            onTrouble(BackendError(.internalFault, "The system gives no thread or descriptor (\($0))."))
        }
        guard let engine = await clock.retry(report, acquire) else { return }
        await body(engine)
        release()
    }

    private func acquire() throws(SystemError) -> MulticastDNSEngine {
        let (configuration, logger, clock) = (configuration, logger, clock)
        return try state.withLock { state throws(SystemError) -> MulticastDNSEngine in
            if let (engine, _) = state.engine {
                state.users += 1
                return engine
            }
            let key = Engines.Key(configuration, log: logger.map { "\($0.label) \($0.logLevel)" })
            let engine = try engines.acquire(key) { () throws(SystemError) -> MulticastDNSEngine in
                MulticastDNSEngine(
                    configuration: configuration,
                    logger: logger,
                    loop: try makeLoop(clock),
                    clock: clock
                )
            }
            for instance in state.protected { engine.protect(instance, true) }
            state.engine = (engine, key)
            state.users = 1
            return engine
        }
    }

    private func release() {
        state.withLock { state in
            state.users -= 1
            guard state.users == 0, let (engine, key) = state.engine else { return }
            for instance in state.protected { engine.protect(instance, false) }
            state.engine = nil
            engines.release(key)
        }
    }
}
