package import GatewayProtocol
package import Pairing
package import Reports

/// Requests to gateways in the name of this device.
extension InProcessRadar {
    /// Passes a request on, over the session that is kept with the gateway.
    package func call(
        _ method: String,
        _ params: JSONValue,
        at id: PairingID,
        within limit: Duration
    ) async throws(RadarError) -> CallReport {
        let pairing = try await pairing(id)
        try Self.checkThatItIsCalled(pairing)
        let desk = try desk(within: limit)
        do throws(CallProblem) {
            return CallReport(try await desk.call(method, params, at: pairing).outcome)
        } catch {
            throw RadarError(error)
        }
    }

    /// Throws unless a gateway answers requests, and may have the token of this device.
    package static func checkThatItIsCalled(_ pairing: StoredPairing) throws(RadarError) {
        guard pairing.dialect.hasFrames else {
            throw RadarError(.conflict, "\(pairing.label): \(GatewayCall.noRequests(of: pairing.dialect)).")
        }
        guard !pairing.awaitsTrust else { throw RadarError(awaitingTrust: pairing) }
    }
}
