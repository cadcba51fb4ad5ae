package import DNSSD
internal import GatewayProtocol
public import Logging
public import Scanning

/// Pairs this device with gateways, however the user has found them, and ends pairings: the one pipeline from an
/// address to a pairing in the store.
///
/// ``PairingMachine`` decides; this actor runs it, one pairing at a time for each gateway. It reports to the map which
/// bots are being paired, are paired, or are no longer paired. It starts no task that outlives a call. It does not
/// connect paired gateways: that is left to others, which the store notifies of the change.
///
/// ## Usage
///
///     let coordinator = PairingCoordinator(store: store, constellation: constellation)
///     guard let target = PairingTarget(gateway) else { return nil }
///     let id = try await coordinator.pair(target) { state in
///         guard case .confirming(let offer) = state else { return nil }
///         return await user.agrees(to: offer) ? .confirm(PairingConsent()) : .cancel
///     }
public actor PairingCoordinator {
    /// The maximum number of questions in one pairing: no person answers more.
    private static let mostQuestions = 32

    let store: PairingStore
    let constellation: Constellation?
    let configuration: PairingConfiguration
    let logger: Logger?
    let clock: any MonotonicClock
    private let metrics = PairingMetrics()
    private var underWay: Set<PairingTarget.Place> = []

    /// The machines of the pairings that are under way, by a number for each.
    private var runs: [UInt64: PairingMachine] = [:]

    /// The pairings that wait, each to be woken by ``askAgain()``.
    var waiters: [UInt64: AsyncStream<Void>.Continuation] = [:]

    /// Creates a coordinator, which does nothing before it is called.
    ///
    /// - Parameters:
    ///   - store: The store that gets the pairings.
    ///   - constellation: The map to which pairings are reported; `nil` where nobody looks at one.
    ///   - logger: Receives each step, but no secret.
    public init(store: PairingStore, constellation: Constellation? = nil, logger: Logger? = nil) {
        self.init(store: store, constellation: constellation, configuration: PairingConfiguration(), logger: logger)
    }

    /// As above, with settings.
    package init(
        store: PairingStore,
        constellation: Constellation?,
        configuration: PairingConfiguration,
        logger: Logger? = nil
    ) {
        self.init(
            store: store,
            constellation: constellation,
            configuration: configuration,
            logger: logger,
            clock: ContinuousClock()
        )
    }

    /// As above; the clock measures the pauses between two attempts, and the time for taking back what was granted.
    package init(
        store: PairingStore,
        constellation: Constellation?,
        configuration: PairingConfiguration,
        logger: Logger?,
        clock: any MonotonicClock
    ) {
        self.store = store
        self.constellation = constellation
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
    }

    /// Pairs with a gateway.
    ///
    /// Cancelling the task gives the pairing up at every step. If an answer of the gateway is under way, it is awaited
    /// for a moment, and a token that comes with it is withdrawn. A token that cannot be withdrawn is kept: otherwise
    /// the gateway would have a pairing that this device has not.
    ///
    /// - Parameters:
    ///   - target: The gateway.
    ///   - answer: Is called with each step as it begins. The answer to a question continues the pairing; `nil` gives
    ///     it up there, as ``PairingAnswer/cancel`` does everywhere.
    /// - Returns: The pairing in the store: a new one, or the existing one to which bots were added.
    public func pair(
        _ target: PairingTarget,
        _ answer: @escaping @Sendable (PairingState) async -> PairingAnswer?
    ) async throws(PairingError) -> PairingID {
        do throws(PairingError) {
            let id = try await run(target, answer)
            metrics.notePaired()
            return id
        } catch {
            metrics.noteFailure(error.code)
            throw error
        }
    }

    /// Repeats the requests that wait for an approval now, because the user knows that they were approved. It has no
    /// effect within a second of the last request, nor before the time that the gateway has asked for.
    public func askAgain() {
        for wish in waiters.values { wish.yield() }
    }

    /// Runs the machine of one pairing to its end.
    private func run(
        _ target: PairingTarget,
        _ answer: @escaping @Sendable (PairingState) async -> PairingAnswer?
    ) async throws(PairingError) -> PairingID {
        guard underWay.insert(target.place).inserted else {
            throw PairingError(.underWay, "expected one pairing with a gateway at a time, found another one under way")
        }
        defer { underWay.remove(target.place) }
        let number = UInt64.random(in: .min ... .max)
        runs[number] = PairingMachine(target, pace: configuration.approvalPace)
        defer { runs[number] = nil }
        var event = PairingMachine.Event.began
        var shown: PairingState?
        var questions = 0
        while true {
            let actions = runs[number]?.handle(event, at: configuration.now(), share: Double.random(in: 0...1))
            let effect = await run(actions ?? [])
            let state = runs[number]?.state ?? .cancelled
            var said: PairingAnswer?
            if state != shown || state.isQuestion {
                logger?.debug("pairing: \(state.name)")
                shown = state
                said = await answer(state)
            }
            switch state {
            case .paired(let id): return id
            case .failed(let error): throw error
            case .cancelled: throw PairingError(.cancelled, "the pairing was given up")
            default: break
            }
            if said == .cancel || Task.isCancelled, state.canBeGivenUp {
                event = .cancelled
            } else if let effect {
                event = await perform(effect, target) { refusal in
                    await self.noteWaiting(refusal, in: number, answer)
                }
                if Task.isCancelled, await isGivenUp(event, effect) { event = .cancelled }
            } else {
                questions += 1
                event = questions > Self.mostQuestions ? .cancelled : said.map(PairingMachine.Event.init) ?? .cancelled
            }
        }
    }

    /// Shows that a request waits for an approval, of which the gateway will tell without being asked again.
    ///
    /// - Returns: `false` if the user gives the pairing up.
    private func noteWaiting(
        _ refusal: SessionRefusal,
        in number: UInt64,
        _ answer: @escaping @Sendable (PairingState) async -> PairingAnswer?
    ) async -> Bool {
        guard let before = runs[number]?.state else { return false }
        _ = runs[number]?.handle(.waiting(refusal), at: configuration.now())
        guard let state = runs[number]?.state, state != before else { return true }
        logger?.debug("pairing: \(state.name)")
        return await answer(state) != .cancel
    }

    /// Indicates whether a cancelled pairing is given up after this event. If the event is a grant, it is withdrawn
    /// first.
    private func isGivenUp(_ event: PairingMachine.Event, _ effect: PairingMachine.Action) async -> Bool {
        // Storing cannot be given up: it has succeeded, or failed with a reason.
        switch effect {
        case .store, .withdrawSurplus: return false
        default: break
        }
        guard event.isGrant else { return true }
        guard case .granted(let grant) = event, case .pair(let attempt) = effect else { return false }
        return await takeBack(grant, attempt)
    }

    /// Performs the actions that lead to no event, and returns the one that leads to one.
    private func run(_ actions: [PairingMachine.Action]) async -> PairingMachine.Action? {
        var effect: PairingMachine.Action?
        for action in actions {
            switch action {
            case .report(let events): await constellation?.apply(events)
            case .withdraw(let grant, let attempt): await withdraw(grant, attempt)
            // The action has ended already: only one runs at a time, and it is awaited.
            case .stop: break
            case .resolve, .identify, .pair, .retry, .store, .withdrawSurplus: effect = action
            }
        }
        return effect
    }
}
