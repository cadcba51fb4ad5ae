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

    /// The time in milliseconds after which a gateway forgets a request that is not repeated. A request with another
    /// identifier after that time does not mean that the first one was rejected.
    static let requestLife = 300_000

    let target: PairingTarget

    private(set) var state = PairingState.resolving

    /// The request that was made, or is about to be.
    private var attempt: PairingAttempt?

    /// The kind of an action that leads to an event.
    private enum Step {
        case resolve, identify, pair, retry, store
    }

    private var running: Step?

    private var secrets = 0
    private var starts = 0

    /// The bots that were reported as being paired.
    private var reported: [BotKey] = []

    init(_ target: PairingTarget) {
        self.target = target
    }

    /// Handles one event. An event that does not fit the state changes nothing.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - time: The time in milliseconds since 1970.
    /// - Returns: The actions to perform, in this order.
    mutating func handle(_ event: Event, at time: Int) -> [Action] {
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
            return refused(refusal, at: time)
        case (.pairing, .notReached(let reason)) where running == .pair:
            return fail(PairingError(.notReached, reason))
        case (.approvalNeeded(var approval), .notReached(let reason)) where running == .pair:
            approval.trouble = reason
            state = .approvalNeeded(approval)
            return run(.retrySeldom(atLeast: .zero))
        case (_, .retryDue) where running == .retry:
            guard let attempt else { return [] }
            return run(.pair(attempt))
        case (.storing, .stored(let id)) where running == .store:
            running = nil
            state = .paired(id)
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
        case .retrySoon, .retrySeldom: running = .retry
        case .store: running = .store
        case .withdraw, .report, .stop: break
        }
        return [action]
    }

    // MARK: Consent

    private mutating func identified(_ offer: PairingOffer) -> [Action] {
        if let leaf = target.leaf, offer.leaf != leaf {
            return fail(PairingError(.anotherGateway, "expected the certificate of this gateway, found another one"))
        }
        if let fingerprint = target.fingerprint, let found = offer.fingerprint, found != fingerprint {
            return fail(PairingError(.anotherGateway, "expected the gateway of the link, found another one there"))
        }
        guard PairingDialects.all[offer.dialect] != nil else {
            let name = offer.dialect.rawValue
            return fail(PairingError(.unsupported, "expected an OptaPlus or OpenClaw gateway, found one of \(name)"))
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
                pairingToken: target.pairingToken
            )
            self.attempt = attempt
            state = .pairing(offer)
            let paired = Set(offer.pairing?.bots.map(\.id) ?? [])
            reported = chosen.filter { !paired.contains($0) }.map { BotKey(gateway: offer.gatewayID, bot: $0) }
            return report(.pairing) + run(.pair(attempt))
        } catch {
            return fail(error)
        }
    }

    private mutating func given(_ answer: SecretAnswer, _ question: SecretQuestion) -> [Action] {
        guard question.kinds.contains(answer.kind), var attempt else { return [] }
        func again(_ message: String) -> PairingState {
            .secretNeeded(SecretQuestion(kinds: question.kinds, message: message, isPlain: question.isPlain))
        }
        guard !answer.secret.isEmpty else {
            state = again("expected a secret, found none")
            return []
        }
        // An eavesdropper would get access to the whole gateway, and not only this device's access.
        guard !answer.kind.isShared || !question.isPlain || answer.sendsInClear else {
            state = again(
                "expected the consent to send this secret in clear, found none. Everybody on the way could read it, and use "
                    + "all of the gateway. A setup code is the better choice"
            )
            return []
        }
        switch answer.kind {
        case .sharedToken: attempt.credential = .sharedToken(answer.secret)
        case .password: attempt.credential = .password(answer.secret)
        case .pairingToken: attempt.pairingToken = answer.secret
        case .setupCode:
            do throws(GatewayMessageError) {
                attempt.credential = .bootstrapToken(try SetupCode(parsing: answer.secret).bootstrapToken)
            } catch {
                state = again("expected a setup code, found something else: \(error.message)")
                return []
            }
        }
        guard secrets < Self.mostSecrets else {
            return fail(
                PairingError(.tooManySecrets, "expected the right secret, found \(secrets) wrong ones. Try again later")
            )
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
            return fail(
                PairingError(
                    .noToken,
                    "expected a token for this device, found that the gateway lets it in without one. Nothing is to be kept"
                )
            )
        }
        guard !grant.bots.isEmpty else {
            return [.withdraw(grant, attempt)]
                + fail(PairingError(.unknownBots, "expected bots of this gateway, found none of them there"))
        }
        state = .storing
        return run(.store(grant, attempt))
    }

    private mutating func refused(_ refusal: SessionRefusal, at time: Int) -> [Action] {
        switch refusal.reason {
        case .tokenMissing, .tokenMismatch: return ask([.sharedToken, .setupCode], refusal)
        case .passwordMissing, .passwordMismatch: return ask([.password, .setupCode], refusal)
        case .bootstrapTokenInvalid: return ask([.setupCode, .sharedToken, .password], refusal)
        case .pairingTokenNeeded, .pairingTokenInvalid: return ask([.pairingToken], refusal)
        default: break
        }
        switch refusal.rule {
        case .whenApproved: return wait(refusal, at: time)
        case .after(let pause) where refusal.reason == .starting && starts < Self.mostStarts:
            starts += 1
            return run(.retrySoon(pause))
        case .after(let pause):
            guard case .approvalNeeded(var approval) = state else { return fail(.refused(refusal)) }
            approval.trouble = refusal.description
            state = .approvalNeeded(approval)
            return run(.retrySeldom(atLeast: pause))
        case .backOff:
            guard case .approvalNeeded(var approval) = state else { return fail(.refused(refusal)) }
            approval.trouble = refusal.description
            state = .approvalNeeded(approval)
            return run(.retrySeldom(atLeast: .zero))
        case .never, .afterNewCredential:
            return fail(.refused(refusal))
        }
    }

    private mutating func ask(_ kinds: [SecretQuestion.Kind], _ refusal: SessionRefusal) -> [Action] {
        guard let attempt else { return [] }
        state = .secretNeeded(
            SecretQuestion(kinds: kinds, message: refusal.description, isPlain: attempt.offer.isPlain)
        )
        return []
    }

    private mutating func wait(_ refusal: SessionRefusal, at time: Int) -> [Action] {
        var approval = PairingApproval(refusal: refusal, since: time, lastConfirmed: time)
        if case .approvalNeeded(let before) = state {
            let isSame = refusal.requestID == before.requestID || refusal.requestID == nil
            if isSame {
                approval = before
                approval.lastConfirmed = time
                approval.trouble = nil
            } else if time - before.lastConfirmed < Self.requestLife, before.requestID != nil {
                // Each repetition has kept the request alive at the gateway, so another identifier means that the
                // operator has decided.
                let message = "expected an approval, found that the request was rejected. Ask the gateway's operator"
                return fail(PairingError(.rejected, message))
            }
        }
        state = .approvalNeeded(approval)
        return run(.retrySeldom(atLeast: .zero))
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
        if case .storing = state { return [] }
        guard !state.isFinal else { return [] }
        state = .cancelled
        let actions = running == nil ? [] : [Action.stop]
        running = nil
        return actions + report(.discovered)
    }

    private func report(_ state: BotState) -> [Action] {
        reported.isEmpty ? [] : [.report(reported.map { .stateChanged($0, state) })]
    }
}
