import HTTPTypes
import Testing

@testable import AgentAPI

/// The decision for every route of the table, and every kind of request.
@Suite struct GateTests {
    private func status(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ rights: Rights,
        _ fields: HTTPFields = [:]
    ) -> Int {
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: path, headerFields: fields)
        do throws(APIProblem) {
            _ = try Gate.route(request, path[...], rights)
            return 200
        } catch {
            return error.status.code
        }
    }

    @Test(arguments: RouteTable.routes)
    func eachRouteTakesItsRight(route: APIRoute) {
        let all = [[], .read, .change, .secret, [.read, .change], .owner] as [Rights]
        for rights in all {
            let isAllowed = route.right.map { rights.isSuperset(of: $0) } ?? true
            #expect(status(route.method, route.path, rights) == (isAllowed ? 200 : 403), "\(rights)")
        }
        // No right follows from another one.
        if let right = route.right { #expect(status(route.method, route.path, Rights.owner.subtracting(right)) == 403) }
    }

    @Test func onlyThatItAnswersIsToldToEverybody() {
        // The files of the page know nothing, its login is a secret in itself, and a proof is worth nothing without its key.
        let paths = RouteTable.routes.filter { $0.right == nil }.map(\.path)
        #expect(paths == ["/health/live", "/", "/page/{id}", "/api/v1/page/session", "/api/v1/page/proof"])
    }

    @Test func whatChangesSomethingIsNoRead() {
        for route in RouteTable.routes where route.method != .get { #expect(route.right != .read, "\(route.path)") }
    }

    /// Secrets are handed over by nobody but the user who runs the agent, not even by the group of a shared socket.
    @Test func whatTakesSecretsIsForTheOwnerAlone() {
        let ofPairing = RouteTable.routes.filter { $0.path == "/api/v1/pair" || $0.path.hasPrefix("/api/v1/pair/") }
        #expect(ofPairing.count == 5)
        for route in ofPairing where route.method != .get {
            #expect(route.right == [.change, .secret], "\(route.method) \(route.path)")
            #expect(status(route.method, route.path, [.read, .change]) == 403)
        }
        for route in ofPairing where route.method == .get { #expect(route.right == .read, "\(route.path)") }
        // Who may have a token is as much as the token.
        for name in ["trust", "approve", "reject", "call", "link", "page"] {
            #expect(status(.post, "/api/v1/\(name)", [.read, .change]) == 403, "\(name)")
        }
    }

    @Test func aNameInAPathIsOnePart() throws {
        let id = "0123456789abcdef0123456789abcdef"
        #expect(status(.get, "/api/v1/pair/\(id)", .owner) == 200)
        #expect(status(.post, "/api/v1/pair/\(id)/answer", .owner) == 200)
        for path in [
            "/api/v1/pair/", "/api/v1/pair/\(id)/", "/api/v1/pair/\(id)/other", "/api/v1/pair//answer",
            "/api/v1/pair/\(id)\(id)\(id)",
        ] {
            #expect(status(.get, path, .owner) == 404, "\(path)")
        }
        #expect(status(.post, "/api/v1/pair/\(id)", .owner) == 405)
        #expect(status(.get, "/api/v1/pair/\(id)/answer", .owner) == 405)
        let route = try #require(RouteTable.routes.first { $0.path == "/api/v1/pair/{id}/answer" })
        #expect(route.name(in: "/api/v1/pair/\(id)/answer") == id[...])
    }

    @Test func eachPathStandsOnceForAMethod() {
        let names = RouteTable.routes.map { "\($0.method) \($0.path)" }
        #expect(Set(names).count == names.count)
    }

    @Test func whatIsNotInTheTableIsRefused() throws {
        #expect(status(.get, "/other", .owner) == 404)
        #expect(status(.get, "/page/../api/v1/status", .owner) == 404)
        #expect(status(.get, "/api/v1/gateways/", .owner) == 404)
        #expect(status(.get, "/api/v1/../v1/gateways", .owner) == 404)
        #expect(status(.delete, "/api/v1/gateways", .owner) == 405)
        let request = HTTPRequest(method: .put, scheme: nil, authority: nil, path: "/api/v1/scan")
        let problem = #expect(throws: APIProblem.self) { try Gate.route(request, "/api/v1/scan", .owner) }
        #expect(problem?.headers[.allow] == "POST")
    }

    @Test func aBodyThatIsSaidToBeTooLongIsRefusedAtOnce() {
        func status(_ length: Int) -> Int {
            self.status(.post, "/api/v1/scan", .owner, [.contentLength: "\(length)"])
        }
        #expect(status(1_048_576) == 200)
        #expect(status(1_048_577) == 413)
        // Whoever needs no right may be anybody of this host.
        #expect(self.status(.post, "/api/v1/page/session", [], [.contentLength: "4096"]) == 200)
        #expect(self.status(.post, "/api/v1/page/session", [], [.contentLength: "4097"]) == 413)
    }
}
