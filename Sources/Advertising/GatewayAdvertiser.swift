package import DNSSD
internal import Discovery
internal import GatewayClient
package import Logging
public import ServiceLifecycle

/// Advertises a gateway of this host as long as it answers, and only with what it reports about itself.
///
/// It asks the gateway who it is, publishes the answer, and asks again every second. OpenClaw gateways and others that
/// report nothing about themselves are asked every two seconds whether they answer, and once a minute who they are. The
/// TXT record follows the gateway's bots, and a new name makes a new service instance. A gateway is withdrawn when it
/// does not answer twice in a row, when something else has taken its place, or when others on the network cannot reach
/// it any more, and is published again when it is back. Reachability is checked at this host's own addresses, every 15
/// seconds while the gateway answers on this host alone; a firewall in between goes unnoticed.
///
/// It is safe inside any program: it catches no signal, prints nothing, and withdraws everything that it published when
/// ``run()`` is cancelled. Every failure is a state with a reason. It sends nothing secret to the gateway.
///
/// ## Usage
///
/// ```swift
/// let advertiser = try GatewayAdvertiser(port: 3000)
/// await withThrowingTaskGroup(of: Void.self) { group in
///     group.addTask { try await advertiser.run() }
///     for await state in advertiser.states {
///         if case .withheld(let reason) = state { print("not advertised: \(reason)") }
///     }
/// }
/// ```
///
/// All members may be used from anywhere, at any time.
public final class GatewayAdvertiser: Service {
    private enum Event: Sendable {
        case checked(CheckResult)
        case publication(PublicationState, number: Int)
    }

    private let configuration: GatewayAdvertiserConfiguration
    private let backend: any ServiceBackend
    private let check: GatewayCheck
    private let logger: Logger?
    private let clock: any MonotonicClock
    private let metrics = AdvertisingMetrics()
    private let broadcast = Broadcast(AdvertisingState.asking)
    private let once = RunOnce(GatewayAdvertiser.self)

    /// Makes an advertiser. It asks and publishes nothing before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The gateway to advertise, and how.
    ///   - backend: The backend that publishes.
    ///   - logger: The logger that records each change of state.
    /// - Throws: ``BackendError`` with the code `invalid` when there is no address to ask, or when a TXT entry is to be
    ///   added that only the gateway can answer for.
    package convenience init(
        _ configuration: GatewayAdvertiserConfiguration,
        backend: any ServiceBackend,
        logger: Logger? = nil
    ) throws(BackendError) {
        try self.init(configuration, backend: backend, logger: logger) { LocalAddress.all }
    }

    /// Makes an advertiser on a host with these addresses. The clock sets the pace of the checks, but not their time limits.
    package init(
        _ configuration: GatewayAdvertiserConfiguration,
        backend: any ServiceBackend,
        logger: Logger?,
        clock: any MonotonicClock = ContinuousClock(),
        localAddresses: @escaping @Sendable () -> [LocalAddress]
    ) throws(BackendError) {
        try configuration.validate()
        self.configuration = configuration
        self.backend = backend
        self.logger = logger
        self.clock = clock
        self.check = GatewayCheck(configuration: configuration, localAddresses: localAddresses)
    }

    /// The current state of the advertising.
    public var currentState: GatewayAdvertiserState { broadcast.value.brief }

    /// The current state, and then every change of it; one can come twice in a row. The sequence ends when ``run()`` has
    /// ended. A slow reader gets the latest sixteen.
    public var states: some AsyncSequence<GatewayAdvertiserState, Never> & Sendable { details.map { $0.brief } }

    /// The current state, with all that is known of it.
    package var detail: AdvertisingState { broadcast.value }

    /// The same as ``states``, with all that is known.
    package var details: AsyncStream<AdvertisingState> { broadcast.stream(limit: 16) }

    /// Asks and advertises until the task is cancelled or the service group shuts down, then withdraws. Returns early when
    /// publishing fails permanently; then ``currentState`` has the reason.
    ///
    /// - Throws: An error if it was called before.
    public func run() async throws {
        try once.begin()
        // The threads are made before anything else takes the file descriptors. Without descriptors, each check fails
        // by itself.
        do { try GatewayLoops.prepare() } catch { logger?.warning("the gateway cannot be asked yet: \(error)") }
        await cancelWhenGracefulShutdown { await self.advertise() }
        switch broadcast.value {
        case .failed: break
        case .asking, .withheld, .advertising, .ended: send(.ended)
        }
        broadcast.finish()
    }

    private func advertise() async {
        let events = AsyncStream.makeStream(of: Event.self)
        let rounds = AsyncStream.makeStream(of: CheckRound.self)
        // Publications run one after the other: one that is not withdrawn yet would conflict with the next.
        let publications = AsyncStream.makeStream(of: (GatewayPublication, number: Int).self)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.runChecks(rounds.stream) { events.continuation.yield(.checked($0)) }
            }
            group.addTask {
                for await (publication, number) in publications.stream {
                    await publication.run { events.continuation.yield(.publication($0, number: number)) }
                }
            }

            var machine = AdvertisingStateMachine(configuration)
            var current: GatewayPublication?
            rounds.continuation.yield(machine.nextRound())
            // The loop ends when the task is cancelled.
            for await event in events.stream {
                var actions: [AdvertisingAction]
                switch event {
                case .checked(let result):
                    actions = machine.receive(result)
                    rounds.continuation.yield(machine.nextRound())
                case .publication(let state, let number):
                    actions = machine.receive(state, of: number)
                }
                while !actions.isEmpty {
                    switch actions.removeFirst() {
                    case .publish(let advertisement, let number):
                        do throws(BackendError) {
                            let publication = try GatewayPublication(advertisement, backend: backend)
                            current = publication
                            publications.continuation.yield((publication, number))
                        } catch {
                            actions += machine.receive(.failed(error), of: number)
                        }
                    case .update(let txt):
                        do { try current?.update(txt) } catch { logger?.error("the TXT record stays: \(error)") }
                    case .withdraw:
                        current?.withdraw()
                        current = nil
                    case .finish:
                        events.continuation.finish()
                    }
                }
                send(machine.state)
            }
            group.cancelAll()
        }
    }

    /// Runs each requested round, the first at once and the others at the pace of the interval.
    private func runChecks(_ rounds: AsyncStream<CheckRound>, report: (CheckResult) -> Void) async {
        var check = check
        let interval = max(configuration.interval, .milliseconds(10))
        var last: ContinuousClock.Instant?
        for await round in rounds {
            let due = last.map { $0 + interval * round.pace } ?? clock.now
            do { try await clock.sleep(until: due, tolerance: nil) } catch { return }
            last = max(due, clock.now - interval)
            let result = await check.run(round)
            // The result of a cancelled check says nothing about the gateway.
            guard !Task.isCancelled else { return }
            report(result)
        }
    }

    private func send(_ state: AdvertisingState) {
        guard state != broadcast.value else { return }
        broadcast.send(state)
        metrics.note(state)
        switch state {
        case .asking: break
        case .withheld(let reason): logger?.notice("the gateway is not advertised: \(reason)")
        case .advertising(_, let advertisement, let publication):
            logger?.debug("the gateway is advertised as \(advertisement.name): \(publication)")
        case .ended: logger?.debug("the gateway is not advertised any more")
        case .failed(let error): logger?.error("the gateway cannot be advertised: \(error)")
        }
    }
}
