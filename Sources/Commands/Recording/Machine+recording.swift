internal import Constellation
internal import GatewayProtocol

extension Machine {
    var recording: JSONValue {
        switch self {
        case .thisHost: .object([:])
        case .neighbour(let hardwareAddress): .object(["hardwareAddress": JSONValue(recording: hardwareAddress)])
        }
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self =
            fields["hardwareAddress"] == nil
            ? .thisHost : .neighbour(hardwareAddress: try fields.bytes("hardwareAddress"))
    }
}
