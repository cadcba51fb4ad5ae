package import GatewayProtocol
package import Pairing
package import Reports

/// Decisions about devices that wait.
extension InProcessRadar {
    package func decide(
        _ request: RequestName,
        _ decision: DeviceDecision,
        to account: ClawlineAccount?,
        at id: PairingID
    ) async throws(RadarError) -> DecisionReport {
        let pairing = try await pairing(id)
        guard let sessions = sessions() else { throw .noSessions }
        do throws(DecisionProblem) {
            let made = try await sessions.decide(request, decision, to: account, at: id)
            let lacking = pairing.scopesLacking(for: made.request)
            let device = DeviceRequestReport(made.request, at: pairing, lacking: lacking)
            return DecisionReport(decision, device, account: made.account)
        } catch {
            throw RadarError(error)
        }
    }
}
