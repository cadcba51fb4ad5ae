internal import Agent
internal import GatewayProtocol
internal import HTTPTypes
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
        let pairing = try members.pairing()
        let method = try members.member("method", "1 to 128 bytes") { $0.string.flatMap(GatewayCall.method) }
        guard let pairing, let method else {
            let missing = pairing == nil ? "pairing" : "method"
            throw APIProblem(.badRequest, "expected a pairing and a method, found no \(missing)")
        }
        (self.pairing, self.method) = (pairing, method)
        params = try members.member("params", "JSON", \.self) ?? .object([:])
        limit = try members.limit() ?? .seconds(10)
    }

    func answer(of radar: InProcessRadar) async throws(RadarError) -> CallReport {
        try await radar.call(method, params, at: pairing, within: limit)
    }
}
