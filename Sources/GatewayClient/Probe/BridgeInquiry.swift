internal import GatewayProtocol

/// The request `health` to a Clawdbot bridge, which both a gateway probe and a liveness check send. A value.
struct BridgeInquiry {
    /// The line that asks. Unlike a hello, this request asks for no pairing and displaces no other device.
    let question: [UInt8]
    private let limits: JSONLimits
    private var questions = PendingQuestions()

    init(limits: JSONLimits) {
        self.limits = limits
        let id = "\(questions.ask(.request))"
        self.question = BridgeMessage.request(id: id, method: "health", paramsJSON: nil).encoded
    }

    /// Decides whether a line is the answer of a bridge. A refusal is one too.
    mutating func isAnswered(by line: [UInt8]) -> Bool {
        switch try? BridgeMessage(parsing: line, limits: limits) {
        case .response(let id, outcome: _):
            if case .answer = questions.match(responseTo: id) { true } else { false }
        case .error: true
        default: false
        }
    }
}
