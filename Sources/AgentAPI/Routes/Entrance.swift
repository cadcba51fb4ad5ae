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
    private static let hosts = ["127.0.0.1", "localhost"]

    let kind: Kind

    /// Returns the names in addition to those that the user allows, in small letters.
    let names: @Sendable () -> [String]

    /// Returns the rights of whoever has shown a token; none for one that is worth nothing.
    let rightsOfToken: @Sendable (Substring.UTF8View) throws(ReadTokenError) -> Rights

    /// The entrance of a Unix socket.
    static func socket(isShared: Bool) -> Entrance {
        Entrance(kind: isShared ? .sharedSocket : .ownSocket, names: { [] }, rightsOfToken: { _ in [] })
    }

    /// The entrance of a port of an agent: for programs with a token that reads, and for its page.
    static func port(_ token: ReadToken, of agent: Agent) -> Entrance {
        Entrance(
            kind: .port,
            names: { agent.pageNames },
            rightsOfToken: { given throws(ReadTokenError) in
                if agent.page.hasToken(given) { return .owner }
                return try token.matches(given) ? .read : []
            }
        )
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
        let host = kind == .port ? try host(of: request) : nil
        // A browser sends one of these when a page makes it ask: our own, which is at the port alone, or one of the web.
        for field in [HTTPField.Name.origin, .referer] {
            guard let value = request.headerFields[field] else { continue }
            guard let host, Self.isOwn(value, host, hasPath: field == .referer) else {
                throw APIProblem(
                    .forbidden,
                    "expected a request of a program or of the own page, found the field \(field) of another page's"
                )
            }
        }
        switch kind {
        case .ownSocket: return user == owner ? .owner : []
        case .sharedSocket: return user == owner || user == 0 ? .owner : [.read, .change]
        case .port: return try rights(ofToken: request.headerFields[.authorization])
        }
    }

    /// Returns the host and port that a request names.
    ///
    /// - Throws: A problem for another name of this host: a page of the web may have its own name lead here (DNS rebinding).
    private func host(of request: HTTPRequest) throws(APIProblem) -> String {
        let host = request.authority?.lowercased() ?? ""
        let name = host.prefix { $0 != ":" }
        let port = host.dropFirst(name.count)
        let isKnown = Self.hosts.contains { $0 == name } || names().contains { $0 == name }
        guard isKnown, port.isEmpty || UInt16(port.dropFirst()) != nil else {
            throw APIProblem(
                .misdirectedRequest,
                "expected 127.0.0.1, localhost or one of page.names in the configuration as the host, found another"
            )
        }
        return host
    }

    /// Indicates whether the origin of a page is the host and port that is asked; a proxy that speaks TLS may stand before it.
    /// Another port of this host may be another user's.
    private static func isOwn(_ origin: String, _ host: String, hasPath: Bool) -> Bool {
        let origin = origin.lowercased()
        return ["http://", "https://"].map { $0 + host }.contains { own in
            origin == own || hasPath && origin.hasPrefix(own + "/")
        }
    }

    private func rights(ofToken field: String?) throws(APIProblem) -> Rights {
        guard let field else { return [] }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Self.noToken("found something else") }
        let rights: Rights
        do throws(ReadTokenError) {
            rights = try rightsOfToken(parts[1].utf8)
        } catch {
            throw APIProblem(.serviceUnavailable, error.description, headers: [.retryAfter: "1"])
        }
        guard !rights.isEmpty else { throw Self.noToken("found another one") }
        return rights
    }

    /// The problem of a request that takes a token.
    private static func noToken(_ found: String) -> APIProblem {
        APIProblem(
            .unauthorized,
            "expected the token that `clawradar agent token --read` makes, or that of a page which `clawradar page` has opened, "
                + "as Authorization: Bearer TOKEN; \(found)",
            headers: [.wwwAuthenticate: "Bearer"]
        )
    }
}
