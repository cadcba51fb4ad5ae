internal import Agent
internal import HTTPTypes

/// The way by which requests come to an agent, and what whoever asks there may do. A value: what it says is all that counts.
struct Entrance: Sendable {
    /// A kind of entrance.
    enum Kind: Hashable, Sendable {
        /// The Unix socket of a user, at which nobody else is let in.
        case ownSocket

        /// A Unix socket that a group may use: the system lets nobody else in.
        case sharedSocket

        /// A port of this host, at which every user of it may ask, and every page that a browser of it shows.
        case port
    }

    /// The names of this host in a request, other than which a page of the web may have had a browser ask.
    private static let hosts: Set<Substring> = ["127.0.0.1", "localhost"]

    let kind: Kind

    /// Indicates whether a token is that with which a program may read.
    let isReadToken: @Sendable (Substring.UTF8View) throws(ReadTokenError) -> Bool

    /// The entrance of a Unix socket.
    static func socket(isShared: Bool) -> Entrance {
        Entrance(kind: isShared ? .sharedSocket : .ownSocket) { _ in false }
    }

    /// The entrance of a port.
    static func port(_ token: ReadToken) -> Entrance {
        Entrance(kind: .port) { given throws(ReadTokenError) in try token.matches(given) }
    }

    /// Returns the route of a request, if whoever asks may take it.
    ///
    /// - Parameters:
    ///   - request: The head of the request.
    ///   - path: The path in its target.
    ///   - user: The number of the user who asks; `nil` where the system does not say it.
    ///   - owner: The number of the user who runs the agent.
    func route(
        _ request: HTTPRequest,
        _ path: Substring,
        user: UInt32?,
        owner: UInt32
    ) throws(APIProblem) -> APIRoute {
        let rights = try rights(request, user: user, owner: owner)
        do throws(APIProblem) {
            return try Gate.route(request, path, rights)
        } catch {
            throw kind == .port && rights.isEmpty && error.status == .forbidden ? Self.noToken("found none") : error
        }
    }

    /// Returns the rights of whoever asks.
    ///
    /// - Throws: A problem if the request is not answered, whatever it asks.
    private func rights(_ request: HTTPRequest, user: UInt32?, owner: UInt32) throws(APIProblem) -> Rights {
        // A browser sends one of these when a page of the web makes it ask; no program that may ask here does.
        for field in [HTTPField.Name.origin, .referer] where request.headerFields[field] != nil {
            throw APIProblem(.forbidden, "expected a request of a program, found the field \(field) of a web page's")
        }
        switch kind {
        case .ownSocket: return user == owner ? .owner : []
        case .sharedSocket: return user == owner || user == 0 ? .owner : [.read, .change]
        case .port:
            try Self.check(host: request.authority)
            return try rights(ofToken: request.headerFields[.authorization])
        }
    }

    /// Refuses another name of this host: a page of the web may have its own name lead here (DNS rebinding).
    private static func check(host: String?) throws(APIProblem) {
        let host = host ?? ""
        let name = host.lowercased().prefix { $0 != ":" }
        let port = host.dropFirst(name.count)
        guard hosts.contains(name), port.isEmpty || UInt16(port.dropFirst()) != nil else {
            throw APIProblem(.misdirectedRequest, "expected 127.0.0.1 or localhost as the host, found another")
        }
    }

    private func rights(ofToken field: String?) throws(APIProblem) -> Rights {
        guard let field else { return [] }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Self.noToken("found something else") }
        let isRight: Bool
        do throws(ReadTokenError) {
            isRight = try isReadToken(parts[1].utf8)
        } catch {
            throw APIProblem(.serviceUnavailable, error.description, headers: [.retryAfter: "1"])
        }
        guard isRight else { throw Self.noToken("found another one") }
        return .read
    }

    /// The problem of a request that takes a token.
    private static func noToken(_ found: String) -> APIProblem {
        APIProblem(
            .unauthorized,
            "expected the token that `clawradar agent token --read` makes, as Authorization: Bearer TOKEN; \(found)",
            headers: [.wwwAuthenticate: "Bearer"]
        )
    }
}
