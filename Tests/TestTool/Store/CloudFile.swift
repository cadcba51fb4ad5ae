import CloudDouble
import Foundation
import GatewayClient
import GatewayProtocol
import Pairing

/// A cloud in a file, for processes that are killed while they talk to it: what a request does is there before it is answered.
struct CloudFile {
    /// The text that all its tokens begin with; no file of a device may contain it.
    static let marker = "cloud-token-"

    let path: String

    struct State {
        var table = CloudTable()
        var sessions = CloudSessions(prefix: marker)
    }

    /// The project with this cloud for a server.
    var server: @Sendable (CloudProject) -> CloudServer {
        { [self] project in
            CloudServer(project) { call throws(WebFailure) in
                do {
                    return try answer(call)
                } catch {
                    throw WebFailure("\(error)")
                }
            }
        }
    }

    func state() throws -> State {
        var state = State()
        guard let data = FileManager.default.contents(atPath: path) else { return state }
        let limits = JSONLimits(maximumBytes: 1 << 28, maximumValues: 1 << 24)
        let json = try JSONValue(parsing: Array(data), limits: limits)
        state.table.rows = (json["rows"]?.array ?? []).compactMap(\.object)
        state.table.time = json["time"]?.int ?? state.table.time
        state.sessions.tokens = (json["sessions"]?.array ?? []).map { ($0.array ?? []).compactMap(\.string) }
        state.sessions.wasReused = json["wasReused"]?.bool ?? false
        return state
    }

    private func write(_ state: State) throws {
        let json = JSONValue.object([
            "rows": .array(state.table.rows.map { .object($0) }), "time": JSONValue(integerLiteral: state.table.time),
            "sessions": .array(state.sessions.tokens.map { .array($0.map { .string($0) }) }),
            "wasReused": .bool(state.sessions.wasReused),
        ])
        try Data(json.encoded).write(to: URL(filePath: path), options: .atomic)
    }

    private func answer(_ call: WebCall) throws -> WebReply {
        var state = try state()
        let body =
            call.body.isEmpty ? nil : try? JSONValue(parsing: call.body, limits: JSONLimits(maximumBytes: 1 << 24))
        let headers = Dictionary(call.headers.map { ($0.name, $0.value) }) { first, _ in first }
        let access = headers["Authorization"]?.dropFirst("Bearer ".count) ?? ""
        let (status, json) =
            state.sessions.answer(call.target, body, access: String(access))
            ?? state.table.answer(call.method, call.target, headers, body)
        try write(state)
        var reply = WebReply(status: status, body: json.encoded)
        (reply.isWhole, reply.date) = (true, Int(Date().timeIntervalSince1970 * 1_000))
        return reply
    }
}
