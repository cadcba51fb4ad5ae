internal import GatewayProtocol
internal import Scanning

/// The decisions of pairing with one gateway: a value that receives events and returns actions. It has no clock and
/// does nothing itself.
///
/// Only the action `pair` requests a token and sends a secret. It comes only after the user has consented to this very
/// gateway, with a policy that allows the connection. The code that runs the action checks the policy again, right
/// before each send.
struct PairingMachine: Sendable {
    /// The maximum number of secrets that are tried: gateways lock after ten failures in a minute.
    static let mostSecrets = 5

    /// The maximum number of retries while a gateway is starting.
    static let mostStarts = 20

    let target: PairingTarget

    var state = PairingState.resolving

    /// The request that was made, or is about to be.
    var attempt: PairingAttempt?

    /// The kind of an action that leads to an event.
    enum Step {
        case resolve, identify, pair, retry, store, withdraw
    }

    var running: Step?

    var approvals: ApprovalWait
    var (secrets, starts) = (0, 0)

    /// The bots that were reported as being paired.
    var reported: [BotKey] = []

    /// The bots that were granted without having been asked for.
    var surplus = PairingGrant(bots: [], tokens: [])

    /// The pairing in the store.
    private var storedID: PairingID?

    init(_ target: PairingTarget, pace: ApprovalPace = ApprovalPace()) {
        self.target = target
        self.approvals = ApprovalWait(pace: pace)
    }

    /// Handles one event. An event that does not fit the state changes nothing.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - time: The time in milliseconds since 1970.
    ///   - share: The place in its range of a pause that begins now, from 0 to 1: a random number.
    /// - Returns: The actions to perform, in this order.
    mutating func handle(_ event: Event, at time: Int, share: Double = 0.5) -> [Action] {
        switch (state, event) {
        case (.resolving, .began) where running == nil:
            return run(.resolve)
        case (.resolving, .resolved(let endpoints)) where running == .resolve:
            running = nil
            guard !endpoints.isEmpty else {
                let message = "expected an address of the gateway, found none. Is its name right?"
                return fail(PairingError(.notFound, message))
            }
            state = .asking
            return run(.identify(endpoints))
        case (.asking, .identified(let offer)) where running == .identify:
            running = nil
            return identified(offer)
        case (.confirming(let offer), .confirmed(let consent)):
            return confirmed(consent, offer)
        case (.secretNeeded(let question), .secretGiven(let answer)):
            return given(answer, question)
        case (_, .granted(let grant)) where running == .pair:
            running = nil
            return granted(grant)
        case (_, .refused(let refusal)) where running == .pair:
            running = nil
            return refused(refusal, at: time, share)
        case (.pairing, .waiting(let refusal)) where running == .pair,
            (.approvalNeeded, .waiting(let refusal)) where running == .pair:
            return waiting(refusal, at: time)
        case (.approvalNeeded(let approval), .notReached(let reason)) where running == .pair:
            return wait(approval, trouble: reason, at: time, share)
        case (.pairing, .notReached(let reason)) where running == .pair,
            (.notReady, .notReached(let reason)) where running == .pair:
            return fail(PairingError(.notReached, reason))
        case (_, .retryDue) where running == .retry:
            guard let attempt else { return [] }
            return run(.pair(attempt))
        case (.storing, .stored(let id)) where running == .store:
            running = nil
            guard let attempt, !surplus.bots.isEmpty else {
                state = .paired(id)
                return []
            }
            storedID = id
            state = .withdrawing(surplus.bots)
            return run(.withdrawSurplus(surplus, attempt))
        case (.withdrawing, .withdrawn) where running == .withdraw, (.withdrawing, .failed) where running == .withdraw:
            running = nil
            if let storedID { state = .paired(storedID) }
            return []
        case (_, .failed(let error)) where running != nil:
            return fail(error)
        case (_, .cancelled):
            return cancelled()
        default:
            return []
        }
    }

    mutating func run(_ action: Action) -> [Action] {
        switch action {
        case .resolve: running = .resolve
        case .identify: running = .identify
        case .pair: running = .pair
        case .retry: running = .retry
        case .store: running = .store
        case .withdrawSurplus: running = .withdraw
        case .withdraw, .report, .stop: break
        }
        return [action]
    }

    mutating func fail(_ error: PairingError) -> [Action] {
        guard !state.isFinal else { return [] }
        running = nil
        state = .failed(error)
        return report(.error)
    }

    private mutating func cancelled() -> [Action] {
        // The token has arrived, and is stored in a moment. Unpairing can undo that.
        guard state.canBeGivenUp else { return [] }
        let actions = running == nil ? [] : [Action.stop]
        (state, running) = (.cancelled, nil)
        return actions + report(.discovered)
    }

    func report(_ state: BotState) -> [Action] {
        reported.isEmpty ? [] : [.report(reported.map { .stateChanged($0, state) })]
    }
}
