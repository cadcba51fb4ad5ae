internal import GatewayProtocol

/// The order of the questions of a probe, each of which depends on the answers before it. A value: it receives the
/// outcome of each question, and returns the next action.
///
/// Each transport is tried once: the hinted one first, the other only when the first looks like the wrong one. The
/// questions come from hints that may be forged, so an answer to one of them only rules out others where it shows what
/// the peer is.
struct ProbeSequence {
    enum Action: Hashable {
        case ask(ProbeQuestion, isTLS: Bool)
        case finish(GatewayVerdict)
    }

    /// The weight of a verdict, by how much it says; of two with the same weight, the first one counts.
    private enum Weight: Int {
        case nothing
        /// Something answers.
        case other
        /// The peer speaks WebSocket, and was too slow: answers of the web server on other pages say nothing about
        /// that.
        case slowWebSocket
        /// Probably a gateway, unless another question shows which.
        case probable
    }

    private var questions: [ProbeQuestion]
    private var isTLS: Bool
    private var canSwitch: Bool

    /// Indicates whether the line of a bridge may still be repeated with TLS: an upgrade, at which a bridge hangs up, does
    /// not show that it has TLS.
    private var canRepeatLine: Bool

    /// Indicates whether TLS is being tried after plain text, which is used again when TLS is no better.
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
        self.canRepeatLine = transports.canSwitch
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
            // Our line may also make a web server wait for the rest of a request, or hang up, so silence says nothing.
            case (false, false), (false, nil): break
            // Many web servers hang up on an upgrade that they do not want, and answer every other question.
            case (false, true): if reason != .closed || !asksToUpgrade { speaksHTTP = false }
            }
            // A TLS server hangs up on plain text; a plain-text server waits for more after the first bytes of TLS.
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
            if isTLSWanted, canRepeatLine, questions.first == .bridgeHealth {
                (canRepeatLine, isTLS) = (false, true)
                questions = [.bridgeHealth]
                return askNext()
            }
            // A peer that speaks HTTP and has not rejected the request is spoken to over the right transport.
            if isHTTP, !mayWantTLS { canSwitch = false }
            // TLS and SSH servers identify themselves, whatever was asked.
            if isTLSWanted || answer.isSSH { return .finish(best?.verdict ?? .other(answer)) }
            // A peer that answers our line with something else may still be a web server.
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

    /// Goes back to plain text, since TLS was no better, and asks the next question.
    private mutating func goBack() -> Action {
        isTLS = false
        // A peer that hangs up on an upgrade and knows no TLS is more often a bridge than a web server; on a slow path,
        // each question counts.
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
