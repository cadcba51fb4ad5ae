internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

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

    private(set) var state = PairingState.resolving

    /// The request that was made, or is about to be.
    private var attempt: PairingAttempt?

    /// The kind of an action that leads to an event.
    private enum Step {
        case resolve, identify, pair, retry, store, withdraw
    }

    private var running: Step?

    private var approvals: ApprovalWait
    private var (secrets, starts) = (0, 0)

    /// The bots that were reported as being paired.
    private var reported: [BotKey] = []

    /// The bots that were granted without having been asked for.
    private var surplus = PairingGrant(bots: [], tokens: [])

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

    private mutating func run(_ action: Action) -> [Action] {
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

    // MARK: Consent

    private mutating func identified(_ offer: PairingOffer) -> [Action] {
        do throws(PairingError) {
            try target.check(offer)
        } catch {
            return fail(error)
        }
        state = .confirming(offer)
        return []
    }

    private mutating func confirmed(_ consent: PairingConsent, _ offer: PairingOffer) -> [Action] {
        let chosen: [BotID]
        switch consent.bots {
        case .all: chosen = offer.bots.map(\.id)
        case .some(let ids):
            let known = Set(offer.bots.map(\.id))
            // OpenClaw gateways list their bots only after pairing.
            guard !ids.isEmpty, known.isEmpty || ids.contains(where: known.contains) else {
                return fail(PairingError(.unknownBots, "expected bots of this gateway, found none of them there"))
            }
            chosen = ids.filter(known.contains)
        }
        do throws(PairingError) {
            let policy = try offer.policy(for: consent)
            let attempt = PairingAttempt(
                offer: offer,
                policy: policy,
                bots: consent.bots,
                botNames: consent.botNames,
                pairingToken: target.pairingToken,
                endpoints: target.endpoints(showing: offer.leaf),
                form: consent.form,
                rights: target.rights,
                claimedName: target.claimedName,
                name: consent.name
            )
            // A gateway that may have none of the secrets at hand is not even asked whether it wants them.
            let atHand = secrets(for: offer.dialect, consent)
            let mayHaveNone = atHand.allSatisfy { attempt.rule.decision(for: $0, sendsInClear: true) == .unproved }
            if !atHand.isEmpty, mayHaveNone { return fail(.unproved) }
            self.attempt = attempt
            state = .pairing(offer)
            let paired = Set(offer.pairing?.bots.map(\.id) ?? [])
            reported = chosen.filter { !paired.contains($0) }.map { BotKey(gateway: offer.gatewayID, bot: $0) }
            return report(.pairing) + run(.pair(attempt))
        } catch {
            return fail(error)
        }
    }

    /// Returns the kinds of secrets at hand that gateways of a dialect ask for.
    private func secrets(for dialect: GatewayDialect, _ consent: PairingConsent) -> Set<SecretQuestion.Kind> {
        switch dialect {
        case .optaplus: consent.secrets.contains(.pairingToken) || target.pairingToken != nil ? [.pairingToken] : []
        case .openClaw: consent.secrets.subtracting([.pairingToken])
        case .openAgents: consent.secrets.intersection([.sharedToken])
        case .bridge, .clawline: []
        }
    }

    private mutating func given(_ answer: SecretAnswer, _ question: SecretQuestion) -> [Action] {
        guard question.kinds.contains(answer.kind), var attempt else { return [] }
        func again(_ message: String) -> PairingState {
            .secretNeeded(SecretQuestion(kinds: question.kinds, message: message, rule: question.rule))
        }
        guard !answer.secret.isEmpty else {
            state = again("expected a secret, found none")
            return []
        }
        switch attempt.take(answer, for: question) {
        case .taken: break
        case .unproved: return fail(.unproved)
        case .again(let message):
            state = again(message)
            return []
        }
        guard secrets < Self.mostSecrets else {
            return fail(.tooManySecrets(secrets))
        }
        secrets += 1
        self.attempt = attempt
        state = .pairing(attempt.offer)
        return run(.pair(attempt))
    }

    // MARK: Answers

    private mutating func granted(_ grant: PairingGrant) -> [Action] {
        guard let attempt else { return [] }
        guard !grant.tokens.isEmpty else {
            return fail(.noToken)
        }
        let (kept, surplus) = grant.parted(for: attempt)
        guard !kept.bots.isEmpty, !kept.tokens.isEmpty else {
            return [.withdraw(grant, attempt)]
                + fail(PairingError(.unknownBots, "expected the bots that were asked for, found none of them granted"))
        }
        self.surplus = surplus
        state = .storing
        return run(.store(kept, attempt))
    }

    private mutating func refused(_ refusal: SessionRefusal, at time: Int, _ share: Double) -> [Action] {
        if refusal.requestID != nil { attempt?.operatorTool = refusal.operatorTool }
        switch refusal.reason {
        case .tokenMissing where refusal.dialect == .openAgents, .hungUp: return ask([.sharedToken], refusal)
        case .tokenMissing, .tokenMismatch: return ask([.sharedToken, .setupCode], refusal)
        case .passwordMissing, .passwordMismatch: return ask([.password, .setupCode], refusal)
        case .bootstrapTokenInvalid:
            let message =
                target.rights == .member
                ? refusal.finding
                : "expected a setup code that opens everything there, found one that is limited, spent or too old."
            return ask([.setupCode, .sharedToken, .password], refusal, message)
        case .pairingTokenNeeded, .pairingTokenInvalid: return ask([.pairingToken], refusal)
        default: break
        }
        if refusal.rule == .whenApproved { return wait(refusal, at: time, share) }
        if case .approvalNeeded(let approval) = state {
            switch refusal.rule {
            case .after(let pause):
                return wait(approval, trouble: refusal.descriptionWhileRetried, atLeast: pause, at: time, share)
            case .backOff: return wait(approval, trouble: refusal.descriptionWhileRetried, at: time, share)
            case .never, .afterNewCredential, .whenApproved: break
            }
        }
        // A Clawline provider counts what a device asks for, right or wrong, and forgets it after a minute.
        let passes = refusal.reason == .starting || refusal.reason == .rateLimited && refusal.dialect == .clawline
        guard case .after(let pause) = refusal.rule, passes, starts < Self.mostStarts else {
            return fail(.refused(refusal))
        }
        starts += 1
        state = .notReady(PairingDelay(refusal: refusal, nextRequest: time + Int(pause / .milliseconds(1))))
        return run(.retry(after: pause, atLeast: pause))
    }

    private mutating func ask(
        _ kinds: [SecretQuestion.Kind],
        _ refusal: SessionRefusal,
        _ message: String? = nil
    ) -> [Action] {
        guard let attempt else { return [] }
        state = .secretNeeded(SecretQuestion(kinds: kinds, message: message ?? refusal.finding, rule: attempt.rule))
        return []
    }

    private mutating func wait(_ refusal: SessionRefusal, at time: Int, _ share: Double) -> [Action] {
        var before: PairingApproval?
        if case .approvalNeeded(let approval) = state { before = approval }
        guard let approval = approvals.approval(refusal, after: before, at: time) else {
            // A request lives longer than that, so another identifier means that the operator has decided.
            return fail(.rejected(leaving: refusal))
        }
        return wait(approval, trouble: nil, at: time, share)
    }

    /// Shows a request that waits, and is not repeated.
    private mutating func waiting(_ refusal: SessionRefusal, at time: Int) -> [Action] {
        var before: PairingApproval?
        if case .approvalNeeded(let approval) = state { before = approval }
        guard var approval = approvals.approval(refusal, after: before, at: time) else { return [] }
        approval.trouble = nil
        approval.nextRequest = nil
        state = .approvalNeeded(approval)
        return []
    }

    /// Repeats the request after a pause.
    ///
    /// - Parameters:
    ///   - approval: The request.
    ///   - trouble: The reason why its last repetition failed; `nil` if it did not.
    ///   - least: The time for which the gateway must not be asked.
    ///   - time: The time now.
    ///   - share: The place of the pause in its range.
    private mutating func wait(
        _ approval: PairingApproval,
        trouble: String?,
        atLeast least: Duration = .zero,
        at time: Int,
        _ share: Double
    ) -> [Action] {
        let pause = max(approvals.pause(at: time, share: share), least)
        var approval = approval
        approval.trouble = trouble
        approval.nextRequest = time + Int(pause / .milliseconds(1))
        state = .approvalNeeded(approval)
        return run(.retry(after: pause, atLeast: min(max(least, ApprovalWait.leastPause), pause)))
    }

    // MARK: The end

    private mutating func fail(_ error: PairingError) -> [Action] {
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

    private func report(_ state: BotState) -> [Action] {
        reported.isEmpty ? [] : [.report(reported.map { .stateChanged($0, state) })]
    }
}
