internal import Agent
internal import GatewayProtocol
internal import HTTPTypes
internal import Reports

extension RouteTable {
    /// The names that the user has given to gateways, paired or not.
    static let aliases: [APIRoute] = [
        APIRoute(.get, "/api/v1/alias", .read) { agent, _ in
            .document(.ok, AliasesReport(try await agent.radar.aliases()).line)
        },
        APIRoute(.post, "/api/v1/alias", .change) { agent, query in
            .document(.ok, try await AliasRequest(query.body).answer(of: agent.radar).line)
        },
    ]
}

/// The body of a request to name a gateway.
private struct AliasRequest {
    /// The identifier of its row.
    let gateway: String

    /// The new name; `nil` to take the name from it.
    let name: String?

    /// The alias that is set as it is, of a gateway that need not be there; `nil` to look up what tells the gateway from others.
    let alias: GatewayAlias?

    init(_ body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(
            body,
            ["gateway", "name", "remove", "fingerprint", "leafSha256"],
            such: #"{"gateway": "…", "name": "Attic"}"#
        )
        let gateway = try members.member("gateway", "the id of a gateway", \.string)
        name = try members.member("name", "1 to 255 bytes") { value in
            value.string.flatMap { (1...255).contains($0.utf8.count) ? $0 : nil }
        }
        let isRemoved = try members.flag("remove") ?? false
        let fingerprint = try members.member("fingerprint", "that with which it answers") { value in
            value.bytes.flatMap { GatewayFingerprint(bytes: $0) }
        }
        let leaf = try members.member("leafSha256", "that of its certificate") { value in
            value.string.flatMap { LeafFingerprint($0) }
        }
        guard let gateway, (name == nil) == isRemoved else {
            throw APIProblem(.badRequest, "expected a gateway, and either its name or to remove that, found otherwise")
        }
        self.gateway = gateway
        let isWhole = members.has("fingerprint") && members.has("leafSha256")
        alias =
            isWhole
            ? name.map { GatewayAlias(gatewayID: gateway, fingerprint: fingerprint, leaf: leaf, name: $0) } : nil
    }

    func answer(of radar: InProcessRadar) async throws(RadarError) -> AliasesReport {
        guard let name else { return try await radar.removeAlias(radar.alias(of: gateway)) }
        if let alias { return try await radar.alias(alias) }
        return try await radar.alias(radar.newAlias(of: gateway, name))
    }
}
