import Agent
import HTTPTypes
import Testing

@testable import AgentAPI

/// Every route of the table, and everybody who may ask for it.
@Suite struct EntranceTests {
    /// Somebody who asks.
    private struct Asker: Sendable, CustomStringConvertible {
        let description: String
        let entrance: Entrance.Kind
        var user: UInt32?
        var token: String?
        var host: String? = "localhost"

        /// The rights that it has; `nil` if it is answered nothing.
        let rights: Rights?

        /// The status of what it may not do.
        let refusal: Int
    }

    private static let owner: UInt32 = 1_000

    private static let askers = [
        Asker(description: "the owner", entrance: .ownSocket, user: owner, rights: .owner, refusal: 403),
        Asker(
            description: "the owner with a token",
            entrance: .ownSocket,
            user: owner,
            token: "x",
            rights: .owner,
            refusal: 403
        ),
        Asker(
            description: "the owner, of any host",
            entrance: .ownSocket,
            user: owner,
            host: "agent.example",
            rights: .owner,
            refusal: 403
        ),
        Asker(description: "another user", entrance: .ownSocket, user: 1_001, rights: [], refusal: 403),
        Asker(description: "root at the socket of a user", entrance: .ownSocket, user: 0, rights: [], refusal: 403),
        Asker(description: "an unknown user", entrance: .ownSocket, rights: [], refusal: 403),
        Asker(description: "the service itself", entrance: .sharedSocket, user: owner, rights: .owner, refusal: 403),
        Asker(description: "root", entrance: .sharedSocket, user: 0, rights: .owner, refusal: 403),
        Asker(description: "the group", entrance: .sharedSocket, user: 1_001, rights: [.read, .change], refusal: 403),
        Asker(description: "nobody known", entrance: .port, rights: [], refusal: 401),
        Asker(description: "the owner at the port", entrance: .port, user: owner, rights: [], refusal: 401),
        Asker(description: "the read token", entrance: .port, token: "Bearer right", rights: .read, refusal: 403),
        Asker(
            description: "the read token, in small letters",
            entrance: .port,
            token: "bearer right",
            host: "127.0.0.1:7417",
            rights: .read,
            refusal: 403
        ),
        Asker(description: "another token", entrance: .port, token: "Bearer wrong", rights: nil, refusal: 401),
        Asker(description: "no kind of token", entrance: .port, token: "right", rights: nil, refusal: 401),
        Asker(description: "a password", entrance: .port, token: "Basic right", rights: nil, refusal: 401),
        Asker(description: "an empty token", entrance: .port, token: "Bearer ", rights: nil, refusal: 401),
        Asker(
            description: "a foreign host",
            entrance: .port,
            token: "Bearer right",
            host: "evil.example",
            rights: nil,
            refusal: 421
        ),
        Asker(
            description: "a foreign host with its port",
            entrance: .port,
            host: "evil.example:7417",
            rights: nil,
            refusal: 421
        ),
        Asker(
            description: "a host that begins like this one",
            entrance: .port,
            host: "127.0.0.1.evil.example",
            rights: nil,
            refusal: 421
        ),
        Asker(
            description: "a host with a strange port",
            entrance: .port,
            host: "localhost:7417:evil",
            rights: nil,
            refusal: 421
        ),
        Asker(description: "no host", entrance: .port, host: nil, rights: nil, refusal: 421),
    ]

    private func status(_ route: APIRoute, _ asker: Asker, _ more: HTTPFields = [:]) -> Int {
        let entrance = Entrance(kind: asker.entrance) { $0.elementsEqual("right".utf8) }
        var fields = more
        if let token = asker.token { fields[.authorization] = token }
        let request = HTTPRequest(
            method: route.method,
            scheme: nil,
            authority: asker.host,
            path: route.path,
            headerFields: fields
        )
        do throws(APIProblem) {
            _ = try entrance.route(request, route.path[...], user: asker.user, owner: Self.owner)
            return 200
        } catch {
            #expect((error.status == .unauthorized) == (error.headers[.wwwAuthenticate] == "Bearer"))
            return error.status.code
        }
    }

    @Test(arguments: RouteTable.routes) func eachRouteIsAnsweredToThoseWhoMayAskForIt(route: APIRoute) {
        for asker in Self.askers {
            let isAllowed =
                asker.rights.map { rights in route.right.map { rights.isSuperset(of: $0) } ?? true } ?? false
            #expect(status(route, asker) == (isAllowed ? 200 : asker.refusal), "\(asker)")
            for field in [HTTPField.Name.origin, .referer] {
                #expect(status(route, asker, [field: "http://127.0.0.1:7417"]) == 403, "\(asker) \(field)")
            }
        }
    }

    /// A token changes nothing, whatever routes there will be.
    @Test func theReadTokenOnlyReads() throws {
        let reader = try #require(Self.askers.first { $0.description == "the read token" })
        for route in RouteTable.routes {
            #expect((status(route, reader) == 200) == (route.right == nil || route.right == .read), "\(route.path)")
        }
        #expect(RouteTable.routes.contains { $0.right == .read } && RouteTable.routes.contains { $0.right == .change })
    }
}
