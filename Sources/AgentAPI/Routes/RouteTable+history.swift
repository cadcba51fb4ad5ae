internal import Agent
internal import GatewayProtocol
internal import HTTPTypes
internal import Reports

extension RouteTable {
    /// The history of gateways, and of which of them nothing is told.
    static let history: [APIRoute] = [
        APIRoute(.get, "/api/v1/history", .read) { agent, query in
            let text = query.parameters["days"] ?? "7"
            guard let days = Int(text), Self.days.contains(days) else {
                throw APIProblem(.badRequest, "days: expected a number from 1 to 90, found another")
            }
            let start = Timestamp.now.advanced(by: .seconds(-days * 86_400))
            let history = try await agent.radar.history(since: start, of: query.parameters["gateway"])
            return .document(.ok, GatewayHistoryReport(history).line)
        },
        APIRoute(.get, "/api/v1/mute", .read) { agent, _ in
            .document(.ok, try await agent.radar.mutes().line)
        },
        APIRoute(.post, "/api/v1/mute", .change) { agent, query in
            let request = try MuteRequest(query.body)
            return .document(.ok, try await agent.radar.mute(request.gateway, for: request.milliseconds).line)
        },
    ]

    /// The range of the days that can be asked for: as many are kept.
    private static let days = 1...90
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
