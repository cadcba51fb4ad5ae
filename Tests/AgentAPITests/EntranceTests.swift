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
        Asker(description: "the page", entrance: .port, token: "Bearer page", rights: .owner, refusal: 403),
        Asker(
            description: "the page, by a name that is allowed",
            entrance: .port,
            token: "Bearer page",
            host: "Box.example.org",
            rights: .owner,
            refusal: 403
        ),
        Asker(
            description: "the page, by a name that is not",
            entrance: .port,
            token: "Bearer page",
            host: "evil.box.example.org",
            rights: nil,
            refusal: 421
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
        let entrance = Entrance(
            kind: asker.entrance,
            names: { ["box.example.org"] },
            rightsOfToken: { given in
                given.elementsEqual("page".utf8) ? .owner : given.elementsEqual("right".utf8) ? .read : []
            }
        )
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
            let expected = isAllowed ? 200 : asker.refusal
            #expect(status(route, asker) == expected, "\(asker)")
            // The own page says its own origin; at a socket there is no page.
            let own = "http://\(asker.host ?? "")"
            let ofOwn = asker.entrance == .port ? expected : 403
            #expect(status(route, asker, [.origin: own]) == ofOwn, "\(asker)")
            #expect(status(route, asker, [.origin: "https\(own.dropFirst(4))"]) == ofOwn, "\(asker)")
            #expect(status(route, asker, [.referer: "\(own)/page/x.js"]) == ofOwn, "\(asker)")
            for other in Self.otherOrigins {
                for field in [HTTPField.Name.origin, .referer] {
                    let refusal = asker.refusal == 421 ? 421 : 403
                    #expect(status(route, asker, [field: other]) == refusal, "\(asker) \(field): \(other)")
                }
            }
        }
    }

    /// The origins of pages that are not the own one: a name that leads here is none, nor is another port of this host.
    private static let otherOrigins = [
        "http://evil.example", "null", "", "http://localhost:3000", "http://127.0.0.1:3000",
        "http://localhost.evil.example", "http://localhost@evil.example/", "ftp://localhost",
        "http://box.example.org:81", "http://evil.box.example.org.",
    ]

    /// A token changes nothing, whatever routes there will be.
    @Test func theReadTokenOnlyReads() throws {
        let reader = try #require(Self.askers.first { $0.description == "the read token" })
        for route in RouteTable.routes {
            #expect((status(route, reader) == 200) == (route.right == nil || route.right == .read), "\(route.path)")
        }
        #expect(RouteTable.routes.contains { $0.right == .read } && RouteTable.routes.contains { $0.right == .change })
    }
}
