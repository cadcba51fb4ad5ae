internal import DNSSD
package import GatewayClient
package import GatewayProtocol
internal import HostSystem

/// The requests to a project of the cloud, by the rules of `WebCall`: each is one exchange, whatever comes back. A value.
package struct CloudServer: Sendable {
    /// The most bytes of an answer that are read.
    static let answerLimit = 1_048_576

    /// The longest time that a server may ask for.
    private static let longestPause = 3_600

    /// The codes by which the auth server says that a session is over. Any other trouble may pass.
    private static let ends: Set = [
        "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired", "user_banned",
        "user_not_found", "invalid_grant",
    ]

    /// An answer that was no error.
    package struct Answer: Hashable, Sendable {
        /// The body; `nil` if there is none.
        package let json: JSONValue?

        /// The time of the server in milliseconds since 1970, if it says that.
        package let date: Int?
    }

    package let project: CloudProject

    /// Sends a request and takes its answer: that of `WebCall`, but for tests.
    private let send: @Sendable (WebCall) async throws(WebFailure) -> WebReply

    package init(
        _ project: CloudProject,
        send: @escaping @Sendable (WebCall) async throws(WebFailure) -> WebReply = { call throws(WebFailure) in
            try await call.send()
        }
    ) {
        (self.project, self.send) = (project, send)
    }

    /// Asks the server.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path with its query.
    ///   - body: The body.
    ///   - token: The access token; `nil` for a request without a user.
    ///   - preference: The header `Prefer`.
    package func ask(
        _ method: String,
        _ target: String,
        _ body: JSONValue? = nil,
        token: Secret? = nil,
        preference: String? = nil
    ) async throws(CloudError) -> Answer {
        var headers = [
            (name: "apikey", value: project.key), ("Accept", "application/json"),
            ("X-Supabase-Api-Version", "2024-01-01"),
        ]
        if body != nil { headers.append(("Content-Type", "application/json")) }
        if let preference { headers.append(("Prefer", preference)) }
        if let token = token?.revealed { headers.append(("Authorization", "Bearer \(token)")) }
        let bytes = body?.encoded ?? []
        defer { bytes.wipe() }
        var call = WebCall(method, project.url, target: target, headers: headers, body: bytes)
        call.bodyLimit = Self.answerLimit
        let reply: WebReply
        do throws(WebFailure) {
            reply = try await send(call)
        } catch {
            throw CloudError(error.description, .passing)
        }
        var secrets = [token?.revealed]
        for case .secret(let secret) in body.flatMap({ $0.object?.values.map(\.self) }) ?? [] {
            secrets.append(secret.revealed)
        }
        return try Self.answer(reply, to: secrets.compactMap(\.self))
    }

    /// Judges an answer.
    ///
    /// - Parameter secrets: The secrets of the request. Words that have one of them are not repeated: they go into logs.
    static func answer(_ reply: WebReply, to secrets: [String] = []) throws(CloudError) -> Answer {
        let limits = JSONLimits(maximumBytes: answerLimit, hidesSecrets: true)
        let json = reply.body.isEmpty ? nil : try? JSONValue(parsing: reply.body, limits: limits)
        guard (200..<300).contains(reply.status) else { throw error(reply, json, secrets) }
        guard reply.isWhole else {
            throw CloudError(
                reply.body.count >= answerLimit ? tooLong : "the connection was closed before the answer was whole",
                .passing
            )
        }
        guard json != nil || reply.body.isEmpty else {
            throw CloudError(
                "it answers with something else than JSON, as the sign-in page of a network does",
                .passing
            )
        }
        return Answer(json: json, date: reply.date)
    }

    /// The reason of an answer that is longer than any of a few rows.
    static let tooLong = "it answers with more than \(answerLimit) bytes"

    /// Reads an error in any of its shapes: that of PostgREST, the two of the auth server, and OAuth's.
    private static func error(_ reply: WebReply, _ json: JSONValue?, _ secrets: [String]) -> CloudError {
        if (300..<400).contains(reply.status) {
            return CloudError("it answers with a redirect, which is not followed: its address is another one")
        }
        let code = json?["error_code"]?.string ?? json?["code"]?.string ?? json?["error"]?.string ?? ""
        let said = ["message", "msg", "error_description"].compactMap { json?[$0]?.string }.first ?? ""
        let all = [said, code].filter { !$0.isEmpty }.joined(separator: ", ")
        let words = secrets.contains(where: all.contains) ? "" : DisplayText(all, limit: 160).text
        let text = "it answers with \(reply.status)\(words.isEmpty ? "" : ": \(words)")"
        if ends.contains(code) { return CloudError(text, .ended) }
        switch reply.status {
        case 401: return CloudError(text, .unauthorized)
        case 403 where code == "bad_jwt": return CloudError(text, .unauthorized)
        case 408, 425, 429, 500...:
            let pause = reply.pause(now: WallClock.milliseconds).map { Duration.seconds(min($0, longestPause)) }
            return CloudError(text, .passing, pause: pause)
        default: return CloudError(text)
        }
    }
}
