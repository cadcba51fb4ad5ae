internal import GatewayProtocol

/// The part of the machine that decides what follows from an answer of the gateway.
extension PairingMachine {
    mutating func granted(_ grant: PairingGrant) -> [Action] {
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

    mutating func refused(_ refusal: SessionRefusal, at time: Int, _ share: Double) -> [Action] {
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
        // Nobody has to do anything: it is asked again.
        let wanted = refusal.reason == .rateLimited ? refusal.retryAfter : nil
        let text = wanted.map { refusal.description(whileRetriedAfter: $0) } ?? refusal.descriptionWhileRetried
        let delay = PairingError(.refused, text, refusal: refusal)
        state = .notReady(delay, nextRequest: time + Int(pause / .milliseconds(1)))
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
    mutating func waiting(_ refusal: SessionRefusal, at time: Int) -> [Action] {
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
    mutating func wait(
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
}
