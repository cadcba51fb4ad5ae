internal import Constellation
internal import DNSSD
internal import GatewayProtocol

extension BackendCondition {
    var recording: JSONValue {
        let status: JSONValue =
            switch status {
            case .starting: "starting"
            case .running: "running"
            case .unavailable(let error): .object(Self.recording(error.code, error.message))
            }
        return .object([
            "source": JSONValue(recording: source.rawValue),
            "status": status,
            "warnings": JSONValue(recording: warnings.lazy.map { .object(Self.recording($0.code, $0.message)) }),
            "lostPackets": JSONValue(losses.packets),
            "lostEntries": JSONValue(losses.entries),
        ])
    }

    private static func recording(_ code: some CustomStringConvertible, _ message: String) -> [String: JSONValue] {
        ["code": .string(code.description), "message": JSONValue(recording: message)]
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let status: BackendStatus
        switch fields["status"]?.string {
        case "starting": status = .starting
        case "running": status = .running
        default:
            let error = try fields.fields("status")
            status = .unavailable(
                BackendError(try error.code(BackendError.Code.init), try error.text("message"))
            )
        }
        self.init(
            source: SightingSource(rawValue: try fields.text("source")),
            status: status,
            warnings: try fields.objects("warnings") { warning throws(RecordingProblem) in
                BackendWarning(try warning.code(BackendWarning.Code.init), try warning.text("message"))
            },
            losses: BackendLosses(
                packets: try fields.int("lostPackets", in: 0...Int.max),
                entries: try fields.int("lostEntries", in: 0...Int.max)
            )
        )
    }
}

extension RecordedFields {
    /// Returns the code of an error or a warning.
    fileprivate func code<Code>(_ make: (String) -> Code?) throws(RecordingProblem) -> Code {
        guard let code = make(try text("code")) else {
            throw problem(at: "code", expected: "a word that this version knows")
        }
        return code
    }
}
