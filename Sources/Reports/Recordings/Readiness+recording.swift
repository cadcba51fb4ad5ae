internal import GatewayProtocol

extension Readiness: RecordedObject {
    var recording: JSONValue {
        switch self {
        case .ready: JSONValue(recording: ["is": "ready"])
        case .starting: JSONValue(recording: ["is": "starting"])
        case .draining: JSONValue(recording: ["is": "draining"])
        case .failing(let parts): JSONValue(recording: ["is": "failing", "failing": parts])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        switch fields["is"]?.string {
        case "ready": self = .ready
        case "starting": self = .starting
        case "draining": self = .draining
        case "failing": self = .failing(try fields.value("failing"))
        default: throw fields.unknownWord(at: "is")
        }
    }
}
