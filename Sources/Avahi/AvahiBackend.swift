package import DNSSD
internal import HostSystem
package import Logging
internal import Synchronization

/// A backend for the system's avahi-daemon, which it reaches through libavahi-client.
///
/// The connection is opened by the first browse or publication and closed by the last, so that a backend that is not in
/// use has no thread and no descriptor. All backends of a process with equal settings share it: their browsers and
/// advertisers recognize each other's services as this program's own.
package final class AvahiBackend: ServiceBackend {
    /// The connections that backends share. They use one clock.
    typealias Connections = SharedResources<AvahiConfiguration, AvahiConnection>

    /// The connections of this process.
    private static let connectionsOfProcess = Connections()

    private struct State {
        /// The connection, and the key by which it is shared, while this backend has users.
        var connection: (AvahiConnection, Connections.Key)?
        var users = 0
    }

    /// The state that a publication last reported.
    private final class LatestState: Sendable {
        let state = Mutex<PublicationState?>(nil)
    }

    private let configuration: AvahiConfiguration
    private let logger: Logger
    private let clock: any MonotonicClock
    private let connections: Connections

    /// The label and level of the logger that was given.
    private let log: String?
    private let state = Mutex(State())
    private let protected = ProtectedInstances()

    package let source = SightingSource.avahi

    package let capabilities = BackendCapabilities.all

    /// Makes a backend. Nothing is opened yet.
    package convenience init(configuration: AvahiConfiguration = AvahiConfiguration(), logger: Logger? = nil) {
        self.init(
            configuration: configuration,
            logger: logger,
            clock: ContinuousClock(),
            connections: Self.connectionsOfProcess
        )
    }

    /// Makes a backend with a clock, and with the connections that it shares, which tests may choose.
    init(
        configuration: AvahiConfiguration,
        logger: Logger?,
        clock: any MonotonicClock,
        connections: Connections
    ) {
        self.clock = clock
        self.connections = connections
        self.log = logger.map { "\($0.label) \($0.logLevel)" }
        self.configuration = configuration
        self.logger = logger ?? Logger(label: "clawradar.avahi") { _ in SwiftLogNoOpLogHandler() }
    }

    package func browse(
        _ request: BrowseRequest,
        report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) async {
        let reporter = SerialReporter(report)
        let protected = protected
        await withConnection {
            reporter.report([.status(.unavailable(BackendError($0)))])
        } _: { connection in
            await self.run(
                on: connection,
                make: { id, configuration, now in
                    AvahiBrowseSession(
                        id: id,
                        request: request,
                        configuration: configuration,
                        isProtected: { protected.contains($0) },
                        now: now
                    ) {
                        reporter.report($0)
                    }
                },
                isAnswering: { condition in reporter.report([.status(condition.status)]) },
                body: { _ in await Task.untilCancelled() }
            )
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
        let latest = LatestState()
        await withConnection {
            reporter.report(.publishing(waitingFor: BackendError($0)))
        } _: { connection in
            await self.run(
                on: connection,
                make: { id, _, _ in
                    AvahiPublishSession(id: id, advertisement: advertisement) { state in
                        latest.state.withLock { $0 = state }
                        reporter.report(state)
                        if case .failed = state { failed.finish() }
                    }
                },
                isAnswering: { condition in
                    switch condition {
                    case .unavailable(let error):
                        reporter.report(.publishing(waitingFor: error))
                    case .starting, .up:
                        // The daemon answers again, and has kept the publication.
                        if let state = latest.state.withLock({ $0 }) { reporter.report(state) }
                    }
                },
                body: { id in
                    await withDiscardingTaskGroup { group in
                        group.addTask {
                            for await txt in updates {
                                await BlockedCallGuard.run(.untilCancelled, on: connection) {
                                    await connection.with(id, as: AvahiPublishSession.self) { $0.update(txt, on: $1) }
                                }
                            }
                        }
                        for await _ in failure {}
                        group.cancelAll()
                    }
                }
            )
        }
        reporter.close()
    }

    package func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        protected.protect(instance, isProtected)
    }

    /// The sessions, bus connections and objects that are held now, by all who share the connection.
    package var holdings: AvahiHoldings {
        get async {
            guard let connection = state.withLock({ $0.connection?.0 }) else { return .none }
            return await connection.holdings
        }
    }

    // MARK: Sessions

    /// Begins a session, runs `body`, and ends the session, whatever happens to the daemon meanwhile.
    private func run(
        on connection: AvahiConnection,
        make: @Sendable @escaping (SessionID, AvahiConfiguration, ContinuousClock.Instant) -> sending any AvahiSession,
        isAnswering: @Sendable @escaping (DaemonCondition) -> Void,
        body: @Sendable @escaping (SessionID) async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            // Beside `body`, since `body` cannot even begin while the daemon blocks a call.
            group.addTask {
                await self.watch(connection, isAnswering: isAnswering)
            }
            // This is not cancelled with the task: a session that has begun must be ended, and its number is needed for
            // that.
            let id = await BlockedCallGuard.run(.untilCancelled, on: connection) { await connection.begin(make) }
            await body(id)
            group.cancelAll()
            await BlockedCallGuard.run(.short, on: connection) { await connection.end(id) }
        }
    }

    /// Watches for calls that the daemon does not answer: reports the fact, and gives the connection up if it lasts.
    private func watch(
        _ connection: AvahiConnection,
        isAnswering: @Sendable @escaping (DaemonCondition) -> Void
    ) async {
        var isBlocked = false
        while true {
            // Checking about once a second costs nothing measurable, and spares each call a timer to start and stop.
            guard (try? await clock.sleep(for: .milliseconds(isBlocked ? 250 : 750))) != nil else { return }
            switch connection.loop.blockedFor {
            case let time? where time >= configuration.abandonTimeout:
                logger.warning("avahi-daemon does not answer; its connection is given up")
                connection.sockets.shutDown()
            case let time? where time >= configuration.answerTimeout && !isBlocked:
                isBlocked = true
                isAnswering(.unavailable(.daemonNotAnswering))
            case .some:
                break
            case nil where isBlocked:
                isBlocked = false
                // On the actor: from elsewhere, this condition could be reported after a newer one and replace it.
                await connection.withCondition(isAnswering)
            case nil:
                break
            }
        }
    }

    // MARK: The connection

    /// Runs `body` with the connection, which is acquired for the first user of this backend and released after the last.
    func withConnection(
        onTrouble: (SystemError) -> Void,
        _ body: (AvahiConnection) async -> Void
    ) async {
        guard let connection = await clock.retry(onTrouble, acquire) else { return }
        await body(connection)
        release()
    }

    private func acquire() throws(SystemError) -> AvahiConnection {
        let (configuration, logger, clock) = (configuration, logger, clock)
        return try state.withLock { state throws(SystemError) -> AvahiConnection in
            if let (connection, _) = state.connection {
                state.users += 1
                return connection
            }
            let key = Connections.Key(configuration, log: log)
            let connection = try connections.acquire(key) { () throws(SystemError) -> AvahiConnection in
                try AvahiConnection(configuration: configuration, logger: logger, clock: clock)
            }
            state.connection = (connection, key)
            state.users = 1
            return connection
        }
    }

    private func release() {
        state.withLock { state in
            state.users -= 1
            guard state.users == 0, let (_, key) = state.connection else { return }
            state.connection = nil
            connections.release(key)
        }
    }
}
