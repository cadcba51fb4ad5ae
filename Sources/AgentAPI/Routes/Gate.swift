internal import HTTPTypes

/// The decision whether a request is answered. A value: what it says is all that counts.
enum Gate {
    /// The maximum number of bytes in the body of a request.
    static let bodyLimit = 1_048_576

    /// Returns the route of a request.
    ///
    /// - Parameters:
    ///   - request: The head of the request.
    ///   - path: The path in its target.
    ///   - rights: The rights of whoever asks.
    ///   - routes: The routes that there are.
    static func route(
        _ request: HTTPRequest,
        _ path: Substring,
        _ rights: Rights,
        among routes: [APIRoute] = RouteTable.routes
    ) throws(APIProblem) -> APIRoute {
        let found = routes.filter { $0.name(in: path) != nil }
        guard let route = found.first(where: { $0.method == request.method }) else {
            guard !found.isEmpty else {
                throw APIProblem(
                    .notFound,
                    "expected one of the paths that the guide of the agent lists, found another"
                )
            }
            let methods = found.map(\.method.rawValue).joined(separator: ", ")
            throw APIProblem(
                .methodNotAllowed,
                "expected \(methods), found \(request.method.rawValue)",
                headers: [.allow: methods]
            )
        }
        if let right = route.right, !rights.isSuperset(of: right) {
            throw APIProblem(.forbidden, "this takes a right that was not given")
        }
        if let length = request.headerFields[.contentLength].flatMap({ Int($0) }), length > limit(of: route) {
            throw tooLong(limit(of: route))
        }
        return route
    }

    /// The maximum number of bytes in the body of a request. Whoever needs no right for it may be anybody of this host.
    static func limit(of route: APIRoute) -> Int { route.right == nil ? 4_096 : bodyLimit }

    /// The problem of a body that is too long.
    static func tooLong(_ limit: Int) -> APIProblem {
        APIProblem(.contentTooLarge, "expected at most \(limit) bytes in the body, found more")
    }
}
