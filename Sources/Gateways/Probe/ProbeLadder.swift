internal import GatewayProtocol

/// Which question comes after which answer. A value: it is told what came of a question, and says what to do next.
///
/// Each transport is tried once: the hinted one first, the other only when the first looks like the wrong one.
struct ProbeLadder {
    enum Action: Hashable {
        case ask(ProbeQuestion, isTLS: Bool)
        case finish(GatewayFinding)
    }

    private var questions: [ProbeQuestion]
    private var isTLS: Bool
    private var canSwitch: Bool

    /// The transport to go back to when the other one is no better.
    private var isTrying = false

    /// What is known in case nothing better comes.
    private var best: GatewayFinding?

    init(dialect: GatewayDialect?, resource: String, transports: ProbeTransports) {
        self.questions = ProbeQuestion.ladder(for: dialect, resource: resource)
        self.isTLS = transports == .tlsFirst || transports == .tlsOnly
        self.canSwitch = transports == .tlsFirst || transports == .plainFirst
    }

    mutating func start() -> Action { askNext() }

    /// What to do when there is no time left for another question.
    func outOfTime(_ limit: Duration) -> GatewayFinding {
        best ?? .nothing(.noAnswer(within: limit))
    }

    mutating func receive(_ outcome: RungOutcome) -> Action {
        switch outcome {
        case .identified(let finding):
            return .finish(finding)
        case .noConnection(let reason):
            return .finish(best ?? .nothing(reason))
        case .noTLS:
            note(.nothing(.tlsFailure))
            if isTrying {
                // The first transport was the right one; its next question is due.
                isTrying = false
                isTLS = false
                return advance()
            }
            return switchTransport() ?? .finish(best ?? .nothing(.tlsFailure))
        case .silent(let reason, let isHTTP):
            note(.nothing(reason))
            // A TLS server hangs up on plain text; one that is merely slow would be slow again.
            if reason == .closed, !isHTTP, let action = switchTransport() { return action }
            return advance(isHTTP: isHTTP)
        case .foreign(let answer, let isHTTP):
            note(.other(answer))
            let isWrongTransport =
                !isTLS && (answer.firstBytes.isTLSRecord || ForeignAnswer.httpStatus(answer.firstBytes) == 400)
            if isWrongTransport, let action = switchTransport() { return action }
            return isHTTP ? advance(isHTTP: true) : .finish(.other(answer))
        }
    }

    /// Anything that answers says more than nothing, and the first reason more than a later one.
    private mutating func note(_ finding: GatewayFinding) {
        switch (best, finding) {
        case (nil, _), (.nothing, .other): best = finding
        default: break
        }
    }

    private mutating func switchTransport() -> Action? {
        guard canSwitch else { return nil }
        canSwitch = false
        isTrying = !isTLS
        isTLS.toggle()
        return askNext()
    }

    private mutating func advance(isHTTP: Bool? = nil) -> Action {
        questions.removeFirst()
        if let isHTTP { questions.removeAll { $0.isHTTP != isHTTP } }
        isTrying = false
        return askNext()
    }

    private func askNext() -> Action {
        guard let question = questions.first else { return .finish(best ?? .nothing(.closed)) }
        return .ask(question, isTLS: isTLS)
    }
}
