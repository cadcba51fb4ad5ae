import Foundation
import GatewayClient
import GatewayProtocol
import Pairing

/// A cloud in a file, for processes that are killed while they talk to it: what a request does is there before it is answered.
///
/// A token that renews a session works once. The one before the last brings the last again, since its answer may have been
/// lost; any older one ends the session, as the auth server does it.
struct CloudFile {
    static let user = "3e0c5b6a-0000-4000-8000-000000000001"

    /// The text that all its tokens begin with; no file of a device may contain it.
    static let marker = "cloud-token-"

    let path: String

    struct State {
        var rows: [[String: JSONValue]] = []
        var time = 1_000_000_000_000_000
        /// The tokens of each session, the newest last.
        var sessions: [[String]] = []
        /// Indicates whether a token was used that was used before.
        var hasEnded = false
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
        guard let data = FileManager.default.contents(atPath: path) else { return State() }
        let limits = JSONLimits(maximumBytes: 1 << 28, maximumValues: 1 << 24)
        let json = try JSONValue(parsing: Array(data), limits: limits)
        var state = State()
        state.rows = (json["rows"]?.array ?? []).compactMap(\.object)
        state.time = json["time"]?.int ?? state.time
        state.sessions = (json["sessions"]?.array ?? []).map { ($0.array ?? []).compactMap(\.string) }
        state.hasEnded = json["hasEnded"]?.bool ?? false
        return state
    }

    private func write(_ state: State) throws {
        let json = JSONValue.object([
            "rows": .array(state.rows.map { .object($0) }), "time": JSONValue(integerLiteral: state.time),
            "sessions": .array(state.sessions.map { .array($0.map { .string($0) }) }),
            "hasEnded": .bool(state.hasEnded),
        ])
        try Data(json.encoded).write(to: URL(filePath: path), options: .atomic)
    }

    private func answer(_ call: WebCall) throws -> WebReply {
        var state = try state()
        let (status, json) = Self.answer(call, &state)
        try write(state)
        var reply = WebReply(status: status, body: json.encoded)
        (reply.isWhole, reply.date) = (true, Int(Date().timeIntervalSince1970 * 1_000))
        return reply
    }

    private static func answer(_ call: WebCall, _ state: inout State) -> (Int, JSONValue) {
        let limits = JSONLimits(maximumBytes: 1 << 24)
        let body = call.body.isEmpty ? nil : try? JSONValue(parsing: call.body, limits: limits)
        let target = call.target
        if target.hasPrefix("/auth/v1/token?grant_type=password") {
            state.sessions.append(["\(marker)\(state.sessions.count)-0"])
            return (200, session(state.sessions.count - 1, state))
        }
        if target.hasPrefix("/auth/v1/token?grant_type=refresh_token") {
            let token = body?["refresh_token"]?.string ?? ""
            guard let session = state.sessions.firstIndex(where: { $0.contains(token) }),
                let index = state.sessions[session].firstIndex(of: token), index >= state.sessions[session].count - 2
            else {
                state.hasEnded = true
                return (400, .object(["code": "refresh_token_already_used", "message": "x"]))
            }
            let count = state.sessions[session].count
            if index == count - 1 { state.sessions[session].append("\(marker)\(session)-\(count)") }
            return (200, Self.session(session, state))
        }
        let token = call.headers.first { $0.name == "Authorization" }?.value.dropFirst(7) ?? ""
        guard state.sessions.contains(where: { "access-\($0.last ?? "")" == token }) else {
            return (401, .object(["code": "PGRST303", "message": "JWT expired"]))
        }
        if target.hasPrefix("/auth/v1/logout") {
            // Its number stays, by which the tokens of others are named.
            state.sessions = state.sessions.map { "access-\($0.last ?? "")" == token ? [] : $0 }
            return (200, .object([:]))
        }
        guard let body else { return (200, .array(page(target, state.rows))) }
        // When a gateway was connected last is looked at by nobody here.
        if target.contains("or=(last_connected") { return (200, .array([])) }
        var inserted: [JSONValue] = []
        for row in body.array ?? [body] {
            guard var fields = row.object else { continue }
            state.time += 1
            fields["updated_at"] = .string(CloudTime.text(state.time))
            let index = state.rows.firstIndex { present in
                ["bot_id", "gateway_fingerprint"].allSatisfy { present[$0] == fields[$0] }
            }
            if let index {
                guard body.array == nil, let old = CloudRow(.object(state.rows[index])),
                    let new = CloudRow(.object(fields)),
                    new.isNewer(than: old)
                else { continue }
                fields["id"] = state.rows[index]["id"]
                state.rows.remove(at: index)
            } else {
                fields["id"] = .string("id-\(state.time)")
                inserted.append(row)
            }
            state.rows.append(fields)
        }
        return (201, .array(inserted))
    }

    private static func session(_ number: Int, _ state: State) -> JSONValue {
        let token = state.sessions[number].last ?? ""
        return .object([
            "access_token": .string("access-\(token)"), "refresh_token": .string(token), "expires_in": 3_600,
            "user": .object(["id": .string(user), "email": "me@example.org"]),
        ])
    }

    /// The rows after the one that a target names, as many as it asks for.
    private static func page(_ target: String, _ rows: [[String: JSONValue]]) -> [JSONValue] {
        let id = target.firstRange(of: "id.gt.%22").map { String(target[$0.upperBound...].prefix { $0 != "%" }) }
        let start = id.flatMap { id in rows.firstIndex { $0["id"]?.string == id } }.map { $0 + 1 } ?? 0
        let limit = target.firstRange(of: "limit=").flatMap { Int(target[$0.upperBound...]) } ?? 0
        return rows[start...].prefix(limit).map { .object($0) }
    }
}
