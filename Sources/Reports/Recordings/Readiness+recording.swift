internal import GatewayProtocol

extension Readiness {
    var recording: JSONValue {
        var fields: [String: JSONValue] = ["is": .string(recordedWord)]
        if case .failing(let parts) = self {
            fields["failing"] = JSONValue(recording: parts.lazy.map { JSONValue(recording: $0) })
        }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        switch try fields.text("is") {
        case Readiness.ready.recordedWord: self = .ready
        case Readiness.starting.recordedWord: self = .starting
        case Readiness.draining.recordedWord: self = .draining
        case Readiness.failing([]).recordedWord: self = .failing(try fields.list("failing").compactMap(\.string))
        default: throw fields.problem(at: "is", expected: "a word that this version knows")
        }
    }

    private var recordedWord: String {
        switch self {
        case .ready: "ready"
        case .starting: "starting"
        case .draining: "draining"
        case .failing: "failing"
        }
    }
}
