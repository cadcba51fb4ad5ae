internal import GatewayProtocol

/// The exchange after a WebSocket upgrade: the question to send, and the meaning of the answers. A value: it receives
/// events, and returns the next action.
struct WebSocketInquiry {
    enum Action: Hashable {
        case wait
        case finish(ProbeStepOutcome)
    }

    /// The most messages before an answer: a gateway may send events first, but a service that only sends messages is
    /// not one.
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
        // No token is sent: the gateway is asked who it is, not for access.
        self.question =
            if isOpenAgents {
                OpenAgentsMessage.hello(token: Secret("")).encoded
            } else {
                GatewayFrame.request(.discover(id: "\(questions.ask(.request))")).encoded
            }
    }

    /// Records that the question was sent.
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
            // OpenAgents closes the connection on a wrong token; others do so on a message that they do not understand.
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
