internal import Agent
internal import GatewayProtocol
internal import HTTPTypes
internal import Reports

extension RouteTable {
    /// The history of gateways, and of which of them nothing is told.
    static let history: [APIRoute] = [
        APIRoute(.get, "/api/v1/history", .read) { agent, query in
            let start = try query.parameters["since"].map(Self.time) ?? Self.start(query.parameters["days"] ?? "7")
            return .document(.ok, try await agent.radar.history(since: start, of: query.parameters["gateway"]).line)
        },
        APIRoute(.get, "/api/v1/mute", .read) { agent, _ in
            .document(.ok, try await agent.radar.mutes().line)
        },
        APIRoute(.post, "/api/v1/mute", .change) { agent, query in
            let request = try MuteRequest(query.body)
            return .document(.ok, try await agent.radar.mute(request.gateway, for: request.milliseconds).line)
        },
    ]

    /// Returns the beginning of some days, of which as many can be asked for as are kept.
    private static func start(_ days: String) throws(APIProblem) -> Timestamp {
        guard let days = Int(days), (1...90).contains(days) else {
            throw APIProblem(.badRequest, "days: expected a number from 1 to 90, found another")
        }
        return .now.advanced(by: .seconds(-days * 86_400))
    }

    private static func time(_ text: String) throws(APIProblem) -> Timestamp {
        guard let time = Timestamp(text) else {
            throw APIProblem(.badRequest, "since: expected a time such as 2026-08-01T12:00:00.000Z, found another")
        }
        return time
    }
}

/// The body of a request to tell nothing of a gateway.
private struct MuteRequest {
    /// The key of the gateway in the history.
    let gateway: String

    /// The time for which nothing is told; `nil` to tell of it again.
    let milliseconds: Int?

    init(_ body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(
            body,
            ["gateway", "durationMs", "remove"],
            such: #"{"gateway": "…", "durationMs": 3600000}"#
        )
        let gateway = try members.member("gateway", "the id of a pairing or of a gateway", \.string)
        milliseconds = try members.member("durationMs", "milliseconds", \.int)
        let isRemoved = try members.flag("remove") ?? false
        guard let gateway, (milliseconds == nil) == isRemoved else {
            throw APIProblem(.badRequest, "expected a gateway, and either durationMs or remove, found otherwise")
        }
        self.gateway = gateway
    }
}
