internal import GatewayProtocol

/// The order of the questions of a probe, each of which depends on the answers before it. A value: it is told what came
/// of a question, and says what to do next.
///
/// Each transport is tried once: the hinted one first, the other only when the first looks like the wrong one. The questions
/// come from hints that may be forged, so that an answer to one of them leaves out others only where it tells what is there.
struct ProbeSequence {
    enum Action: Hashable {
        case ask(ProbeQuestion, isTLS: Bool)
        case finish(GatewayVerdict)
    }

    /// The weight of a verdict, by how much it says; of two that say as much the first one counts.
    private enum Weight: Int {
        case nothing
        /// Something answers.
        case other
        /// It is WebSocket, and was too slow: whatever a web server says on other pages tells nothing about that.
        case slowWebSocket
        /// Probably a gateway, unless another question shows which.
        case probable
    }

    private var questions: [ProbeQuestion]
    private var isTLS: Bool
    private var canSwitch: Bool

    /// The transport to go back to when the other one is no better.
    private var isTrying = false

    /// Indicates whether the peer is a web server, once that is known: the questions of the other kind are then left
    /// out.
    private var speaksHTTP: Bool?

    /// The best verdict so far, in case nothing better comes.
    private var best: (verdict: GatewayVerdict, weight: Weight)?

    init(_ questions: [ProbeQuestion], transports: ProbeTransports) {
        self.questions = questions
        self.isTLS = transports.isTLSFirst
        self.canSwitch = transports.canSwitch
    }

    mutating func start() -> Action { askNext() }

    /// Returns the verdict to report when there is no time left for another question.
    func outOfTime(_ limit: Duration) -> GatewayVerdict {
        best?.verdict ?? .nothing(.noAnswer(within: limit))
    }

    mutating func receive(_ outcome: ProbeStepOutcome) -> Action {
        switch outcome {
        case .identified(let verdict):
            return .finish(verdict)
        case .probable(let verdict):
            note(verdict, .probable)
            (speaksHTTP, canSwitch) = (true, false)
            return advance()
        case .noConnection(let reason):
            return .finish(best?.verdict ?? .nothing(reason))
        case .noTLS:
            if isTrying { return goBack() }
            note(.nothing(.tlsFailure), .nothing)
            return switchTransport() ?? .finish(best?.verdict ?? .nothing(.tlsFailure))
        case .silent(let reason, let isHTTP):
            if isTrying, !isHTTP { return goBack() }
            note(.nothing(reason), isHTTP && asksToUpgrade ? .slowWebSocket : .nothing)
            switch (isHTTP, questions.first?.isHTTP) {
            case (true, _): (speaksHTTP, canSwitch) = (true, false)
            // A web server waits for the rest of what begins with our line, or hangs up on it.
            case (false, false), (false, nil): break
            // Many a web server hangs up on an upgrade that it does not want, and answers every other question.
            case (false, true): if reason != .closed || !asksToUpgrade { speaksHTTP = false }
            }
            // A TLS server hangs up on plain text; a server of plain text waits for more of what TLS begins with.
            if reason == .closed || isTLS, !isHTTP, let action = switchTransport() { return action }
            return advance()
        case .foreign(let answer, let isHTTP):
            note(.other(answer), .other)
            let isTLSWanted = !isTLS && answer.firstBytes.isTLSRecord
            let mayWantTLS = isTLSWanted || !isTLS && ForeignAnswer.httpStatus(answer.firstBytes) == 400
            if mayWantTLS, let action = switchTransport() {
                if isHTTP { speaksHTTP = true }
                return action
            }
            // Whoever speaks HTTP, and has not complained of what was said, is spoken to as it wants.
            if isHTTP, !mayWantTLS { canSwitch = false }
            // These say what they are, whatever was asked.
            if isTLSWanted || answer.isSSH { return .finish(best?.verdict ?? .other(answer)) }
            // What answers our line with something else may be a web server all the same.
            if isHTTP || questions.first?.isHTTP == true { speaksHTTP = isHTTP }
            return advance()
        }
    }

    private mutating func note(_ verdict: GatewayVerdict, _ weight: Weight) {
        guard best.map({ $0.weight.rawValue < weight.rawValue }) ?? true else { return }
        best = (verdict, weight)
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
        // Who hangs up on an upgrade and knows no TLS is more often a bridge than a web server; far away each question counts.
        if let bridge = questions.dropFirst().firstIndex(of: .bridgeHealth), speaksHTTP == nil {
            questions.insert(questions.remove(at: bridge), at: 1)
        }
        return advance()
    }

    private mutating func advance() -> Action {
        if !questions.isEmpty { questions.removeFirst() }
        if let speaksHTTP { questions.removeAll { $0.isHTTP != speaksHTTP } }
        isTrying = false
        return askNext()
    }

    private var asksToUpgrade: Bool {
        switch questions.first {
        case .webSocket, .openAgentsHello: true
        case .http, .bridgeHealth, nil: false
        }
    }

    private func askNext() -> Action {
        guard let question = questions.first else { return .finish(best?.verdict ?? .nothing(.closed)) }
        return .ask(question, isTLS: isTLS)
    }
}
