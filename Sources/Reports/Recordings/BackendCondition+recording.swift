internal import DNSSD
internal import GatewayProtocol
internal import Scanning

extension BackendCondition: RecordedObject {
    var recording: JSONValue {
        let status: JSONValue =
            switch status {
            case .starting: "starting"
            case .running: "running"
            case .unavailable(let error): error.recording
            }
        return JSONValue(recording: [
            "source": source, "status": status, "warnings": warnings, "lostPackets": losses.packets,
            "lostEntries": losses.entries,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let status: BackendStatus =
            switch fields["status"]?.string {
            case "starting": .starting
            case "running": .running
            default: .unavailable(try fields.value("status"))
            }
        try self.init(
            source: fields.value("source"),
            status: status,
            warnings: fields.value("warnings"),
            losses: BackendLosses(packets: fields.value("lostPackets"), entries: fields.value("lostEntries"))
        )
    }
}

extension BackendError: RecordedObject {
    var recording: JSONValue { JSONValue(recording: ["code": code, "message": message]) }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(fields.value("code"), fields.value("message"))
    }
}

extension BackendWarning: RecordedObject {
    var recording: JSONValue { JSONValue(recording: ["code": code, "message": message]) }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(fields.value("code"), fields.value("message"))
    }
}

extension ErrorCode<BackendError>: Recorded, RecordedText {
    var recordedText: String { description }
    init?(recordedText: String) {
        guard let code = Self.all.first(where: { $0.description == recordedText }) else { return nil }
        self = code
    }
}

extension BackendWarning.Code: RecordedText {}
