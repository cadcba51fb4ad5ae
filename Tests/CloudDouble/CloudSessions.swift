package import GatewayProtocol

/// The sessions of one user, as the auth server keeps them: a token that renews a session works once. The one before the last
/// brings the last again, since its answer may have been lost; any older one ends the session.
package struct CloudSessions {
    package static let user = "3e0c5b6a-0000-4000-8000-000000000001"

    /// The tokens with which each session is renewed, the newest last; none for one that was signed out.
    package var tokens: [[String]] = []

    /// Indicates whether a token was used that was used before.
    package var wasReused = false

    /// Indicates whether a session has ended.
    package var hasEnded: Bool { wasReused || tokens.contains { $0.isEmpty } }

    private let prefix: String

    /// - Parameter prefix: The text that all tokens begin with.
    package init(prefix: String) { self.prefix = prefix }

    package mutating func begin() -> JSONValue {
        tokens.append(["\(prefix)\(tokens.count)-0"])
        return session(tokens.count - 1)
    }

    /// Returns the status and the body of the answer to a request to the auth server; `nil` for one to something else.
    ///
    /// - Parameter access: The token with which is asked.
    package mutating func answer(
        _ target: String,
        _ body: JSONValue?,
        access: String
    ) -> (status: Int, json: JSONValue)? {
        if target.hasPrefix("/auth/v1/token?grant_type=password") { return (200, begin()) }
        if target.hasPrefix("/auth/v1/token?grant_type=refresh_token") {
            let token = body?["refresh_token"]?.string ?? ""
            guard let number = tokens.firstIndex(where: { $0.contains(token) }),
                let index = tokens[number].firstIndex(of: token), index >= tokens[number].count - 2
            else {
                wasReused = true
                return (400, .object(["code": "refresh_token_already_used", "message": "x"]))
            }
            let count = tokens[number].count
            if index == count - 1 { tokens[number].append("\(prefix)\(number)-\(count)") }
            return (200, session(number))
        }
        guard let number = tokens.firstIndex(where: { self.access($0) == access }) else {
            return (401, .object(["code": "PGRST303", "message": "JWT expired"]))
        }
        guard target.hasPrefix("/auth/v1/logout") else { return nil }
        // Its number stays, by which the tokens of others are named.
        tokens[number] = []
        return (204, .object([:]))
    }

    private func session(_ number: Int) -> JSONValue {
        .object([
            "access_token": .string(access(tokens[number])), "refresh_token": .string(tokens[number].last ?? ""),
            "expires_in": 3_600, "user": .object(["id": .string(Self.user), "email": "me@example.org"]),
        ])
    }

    private func access(_ session: [String]) -> String { "access-\(session.last ?? "")" }
}
