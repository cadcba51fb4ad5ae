public import Constellation
package import DNSSD
internal import EventLoops
internal import GatewayClient
internal import GatewayProtocol
public import Logging
public import PairingStore

/// The user's word on a step of pairing.
public enum PairingAnswer: Hashable, Sendable {
    /// To ``PairingState/confirming(_:)``: pair with it.
    case confirm(PairingConsent)
    /// To ``PairingState/secretNeeded(_:)``.
    case secret(SecretAnswer)
    /// To any step: give it up.
    case cancel
}

/// Pairs this device with gateways, whatever way the user came to them, and ends pairings: the one pipeline from an address to a
/// pairing in the store.
///
/// ``PairingMachine`` decides; this runs it, one for each gateway at once. It tells the map of bots that are being paired, are paired,
/// or are not any more. It starts no task that outlives a call. Connecting is somebody else's: the store says that there is news.
///
/// ## Usage
///
///     let coordinator = PairingCoordinator(store: store, constellation: constellation, configuration, logger: logger)
///     let id = try await coordinator.pair(PairingTarget(gateway)) { state in
///         guard case .confirming(let offer) = state else { return nil }
///         return await user.agrees(to: offer) ? .confirm(PairingConsent()) : .cancel
///     }
public actor PairingCoordinator {
    /// The most questions in one pairing: more are no person's.
    private static let mostQuestions = 32

    let store: PairingStore
    let constellation: Constellation
    let configuration: PairingConfiguration
    let logger: Logger
    let clock: any MonotonicClock
    private let metrics = PairingMetrics()
    private var underWay: Set<PairingTarget.Place> = []

    /// - Parameters:
    ///   - store: The store that gets the pairings.
    ///   - constellation: The map that is told of them.
    ///   - configuration: The settings.
    ///   - logger: Is told each step; no secret.
    public init(
        store: PairingStore,
        constellation: Constellation,
        configuration: PairingConfiguration,
        logger: Logger
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
        constellation: Constellation,
        configuration: PairingConfiguration,
        logger: Logger,
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
    /// Cancelling the task gives it up at every step. An answer that is under way is waited for a moment, and a token that comes with it
    /// is given back; one that cannot be given back is kept: else the gateway would have a pairing that nobody has.
    ///
    /// - Parameters:
    ///   - target: The gateway.
    ///   - answer: Is told each step as it begins. Its answer to a question goes on with it; `nil` there gives it up, as
    ///     ``PairingAnswer/cancel`` does everywhere.
    /// - Returns: The pairing, which is in the store; the one that there was before, where bots were added to it.
    public func pair(
        _ target: PairingTarget,
        _ answer: @Sendable (PairingState) async -> PairingAnswer?
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

    /// Runs the machine of one pairing to its end.
    private func run(
        _ target: PairingTarget,
        _ answer: @Sendable (PairingState) async -> PairingAnswer?
    ) async throws(PairingError) -> PairingID {
        guard underWay.insert(target.place).inserted else {
            throw PairingError(.underWay, "expected one pairing with a gateway at a time, found another one under way")
        }
        defer { underWay.remove(target.place) }
        var machine = PairingMachine(target)
        var event = PairingMachine.Event.began
        var shown: PairingState?
        var questions = 0
        while true {
            let effect = await run(machine.handle(event, at: configuration.now()))
            let state = machine.state
            var said: PairingAnswer?
            if state != shown || state.isQuestion {
                logger.debug("pairing: \(state.name)")
                shown = state
                said = await answer(state)
            }
            switch state {
            case .paired(let id): return id
            case .failed(let error): throw error
            case .cancelled: throw PairingError(.cancelled, "the pairing was given up")
            default: break
            }
            if said == .cancel || Task.isCancelled, state != .storing {
                event = .cancelled
            } else if let effect {
                event = await perform(effect, target)
                if Task.isCancelled, await isGivenUp(event, effect) { event = .cancelled }
            } else {
                questions += 1
                event = questions > Self.mostQuestions ? .cancelled : said.map(PairingMachine.Event.init) ?? .cancelled
            }
        }
    }

    /// Indicates whether a pairing can be given up after this event: what was granted meanwhile is given back.
    private func isGivenUp(_ event: PairingMachine.Event, _ effect: PairingMachine.Action) async -> Bool {
        // Storing is not given up: it has succeeded, or failed and says why.
        if case .store = effect { return false }
        guard event.isGrant else { return true }
        guard case .granted(let grant) = event, case .pair(let attempt) = effect else { return false }
        return await takeBack(grant, attempt)
    }

    /// Does what leads to nothing, and returns the one action that leads to an event.
    private func run(_ actions: [PairingMachine.Action]) async -> PairingMachine.Action? {
        var effect: PairingMachine.Action?
        for action in actions {
            switch action {
            case .report(let events): await constellation.apply(events)
            case .withdraw(let grant, let attempt): await withdraw(grant, attempt)
            // It has ended: there is one at a time, and it is waited for.
            case .stop: break
            case .resolve, .identify, .pair, .retrySoon, .retrySeldom, .store: effect = action
            }
        }
        return effect
    }
}
