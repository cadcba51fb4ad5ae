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

    /// Whether it is a web server, once that is known: the questions of the other kind are then left out.
    private var speaksHTTP: Bool?

    /// What is known in case nothing better comes.
    private var best: GatewayFinding?

    init(_ questions: [ProbeQuestion], transports: ProbeTransports) {
        self.questions = questions
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
            if isTrying { return goBack() }
            note(.nothing(.tlsFailure))
            return switchTransport() ?? .finish(best ?? .nothing(.tlsFailure))
        case .silent(let reason, let isHTTP):
            if isTrying, !isHTTP { return goBack() }
            note(.nothing(reason))
            // Many a web server hangs up on an upgrade that it does not want, and answers every other question.
            if reason != .closed || isHTTP || !asksToUpgrade { speaksHTTP = isHTTP }
            // A TLS server hangs up on plain text; a server of plain text waits for more of what TLS begins with.
            if reason == .closed || isTLS, !isHTTP, let action = switchTransport() { return action }
            return advance()
        case .foreign(let answer, let isHTTP):
            note(.other(answer))
            speaksHTTP = isHTTP
            let isWrongTransport =
                !isTLS && (answer.firstBytes.isTLSRecord || ForeignAnswer.httpStatus(answer.firstBytes) == 400)
            if isWrongTransport, let action = switchTransport() { return action }
            return isHTTP ? advance() : .finish(.other(answer))
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

    /// TLS was no better than plain text: that was right, and its next question is due.
    private mutating func goBack() -> Action {
        isTLS = false
        return advance()
    }

    private mutating func advance() -> Action {
        questions.removeFirst()
        if let speaksHTTP { questions.removeAll { $0.isHTTP != speaksHTTP } }
        isTrying = false
        return askNext()
    }

    private var asksToUpgrade: Bool {
        guard case .webSocket = questions.first else { return false }
        return true
    }

    private func askNext() -> Action {
        guard let question = questions.first else { return .finish(best ?? .nothing(.closed)) }
        return .ask(question, isTLS: isTLS)
    }
}
