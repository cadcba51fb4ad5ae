internal import Agent
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The body of a request that is passed on to a gateway.
struct CallRequest: Hashable, Sendable {
    let pairing: PairingID
    let method: String
    let params: JSONValue

    /// The time that the gateway has to answer.
    let limit: Duration

    /// Reads a body.
    init(_ body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(
            body,
            ["pairing", "method", "params", "timeoutMs"],
            such: #"{"pairing": "…", "method": "health"}"#,
            limits: JSONLimits(maximumBytes: GatewayCall.mostBytes + JSONMembers.limit, hidesSecrets: true)
        )
        pairing = try members.neededPairing()
        method = try members.needed("method", "1 to 128 bytes") { $0.string.flatMap(GatewayCall.method) }
        params = try members.member("params", "JSON", \.self) ?? .object([:])
        limit = try members.limit() ?? .seconds(10)
    }

    func answer(of radar: InProcessRadar) async throws(RadarError) -> CallReport {
        try await radar.call(method, params, at: pairing, within: limit)
    }
}
