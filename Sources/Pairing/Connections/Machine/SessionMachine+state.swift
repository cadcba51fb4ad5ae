/// The state of a session as it is shown: it changes with each new development, but not with attempts that fail like
/// those before.
extension SessionMachine {
    /// Reports the state, if it has changed.
    mutating func report() {
        let state = state
        guard state != reported else { return }
        reported = state
        actions.append(.report(state))
    }

    /// The state as it is shown.
    var state: SessionState {
        switch phase {
        case .stopped: return .stopped
        case .held(let holder): return .held(holder)
        case .queued: return .queued
        case .refused(let refusal): return .refused(refusal)
        case .revoked(let refusal): return .revoked(refusal)
        case .failed(let reason, _): return .failed(reason)
        case .live(let session):
            guard session.isSuspect, let obstructed = Self.state(of: offer.obstacle ?? obstacle) else {
                return .connected(session.path)
            }
            return obstructed
        case .waiting(let wait):
            if let refusal = wait.refusal { return .deferred(refusal, until: wait.until) }
        case .seeking:
            switch standing {
            case .deferred(let refusal, let until): return .deferred(refusal, until: until)
            case .failed(let reason): return .failed(reason)
            default: break
            }
        case .resting:
            break
        }
        if hasFailed || offer.isEmpty, let obstructed = Self.state(of: offer.obstacle ?? obstacle) { return obstructed }
        switch phase {
        case .waiting(let wait): return .waiting(until: wait.until)
        case .seeking(let round): return standing ?? (round.isAuthenticating ? .authenticating : .connecting)
        default: return .idle
        }
    }

    /// The state that stays shown during another attempt. A wait that was cut short is still shown with its former end.
    var stateToKeep: SessionState? {
        switch (phase, reported) {
        case (.waiting, .waiting), (.waiting, .deferred), (.failed, .failed): reported
        case (.waiting(let wait), _): .waiting(until: wait.until)
        default: nil
        }
    }

    private static func state(of obstacle: PathOffer.Obstacle?) -> SessionState? {
        switch obstacle {
        case .moved(let reason): .moved(reason)
        case .changedLeaf(let found): .changedLeaf(found: found)
        case .uncertified: .uncertified
        case nil: nil
        }
    }
}
