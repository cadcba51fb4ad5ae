internal import GatewayProtocol

/// The exchange after a WebSocket upgrade: what is said, and what the answers mean. A value, told what comes.
struct WebSocketInquiry {
    enum Action: Hashable {
        case wait
        case finish(ProbeStepOutcome)
    }

    /// A gateway may send events before it answers; something that only talks is none.
    private static let maximumMessages = 16

    /// The message that asks the question.
    let question: [UInt8]
    private let limits: JSONLimits
    private let isOpenAgents: Bool

    /// Indicates whether the question was sent.
    private(set) var hasAsked = false
    private var messages = 0
    private var questions = PendingQuestions()

    init(isOpenAgents: Bool, limits: JSONLimits) {
        self.isOpenAgents = isOpenAgents
        self.limits = limits
        // No token: it is asked who it is, not to let us in.
        self.question =
            if isOpenAgents {
                OpenAgentsMessage.hello(token: "").encoded
            } else {
                GatewayFrame.request(.discover(id: "\(questions.ask(.request))")).encoded
            }
    }

    /// Is told that the question was sent.
    mutating func asked() {
        hasAsked = true
    }

    mutating func receive(_ event: WebSocketEvent, within limit: Duration, firstBytes: [UInt8]) -> Action {
        switch event {
        case .pong:
            return .wait
        case .message(let bytes):
            messages += 1
            let outcome = isOpenAgents ? openAgentsOutcome(bytes) : outcome(bytes)
            if let outcome { return .finish(outcome) }
            return messages < Self.maximumMessages
                ? .wait : .finish(foreign("a WebSocket service that only talks", bytes))
        case .closed(let close):
            // How OpenAgents turns a wrong token away, and others what they do not understand.
            if isOpenAgents, hasAsked { return .finish(.probable(.openAgents)) }
            let reason = close.code.map { " (code \($0))" } ?? ""
            return .finish(foreign("a WebSocket service that hung up\(reason)", firstBytes))
        case .failed(let error):
            if error.code == .timedOut { return .finish(.silent(.noAnswer(within: limit), isHTTP: true)) }
            if error.code == .flooded { return .finish(foreign("a WebSocket service that floods", firstBytes)) }
            return .finish(foreign("a WebSocket service that failed: \(error.message)", firstBytes))
        }
    }

    private func foreign(_ summary: String, _ bytes: [UInt8]) -> ProbeStepOutcome {
        .foreign(ForeignAnswer(summary: summary, bytes: bytes), isHTTP: true)
    }

    private mutating func openAgentsOutcome(_ bytes: [UInt8]) -> ProbeStepOutcome? {
        if case .helloAck = try? OpenAgentsMessage(parsing: bytes, limits: limits) { return .identified(.openAgents) }
        return outcome(bytes)
    }

    private mutating func outcome(_ bytes: [UInt8]) -> ProbeStepOutcome? {
        let frame: GatewayFrame
        do { frame = try GatewayFrame(parsing: bytes, limits: limits) } catch {
            return foreign("a WebSocket service that says something else", bytes)
        }
        switch frame {
        case .event(let event):
            guard ConnectChallenge(event) != nil else { return nil }
            return .identified(.openClaw(OpenClawIdentification(evidence: .challenge)))
        case .request:
            return nil
        case .response(let response):
            guard case .answer = questions.match(responseTo: response.id) else { return nil }
            switch response.outcome {
            case .success(let payload):
                guard let payload = try? DiscoverPayload(json: payload) else {
                    return foreign("a WebSocket service whose answer names no gateway", bytes)
                }
                return .identified(.optaplus(payload))
            case .failure(let failure):
                guard failure.isConnectExpected else {
                    return foreign("a WebSocket service that refuses the question", bytes)
                }
                return .identified(.openClaw(OpenClawIdentification(evidence: .handshakeRefusal)))
            }
        }
    }
}
