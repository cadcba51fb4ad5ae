internal import Agent
internal import Connections
internal import Constellation
internal import GatewayProtocol
internal import HTTPTypes
internal import Pairing
internal import PairingStore
internal import Reports
internal import Trust

/// The changes of pairings. Whatever needs the user to look at something stays with the commands that show it.
extension Agent {
    /// Decides about a device that waits at a gateway where this device is an admin.
    func decide(_ request: PairingRequest, _ decision: DeviceDecision) async throws -> DecisionReport {
        let name = try request.needed(\.request, "request: expected the identifier of a request")
        let pairing = try await pairing(request)
        do throws(DecisionProblem) {
            let made = try await decide(name, decision, to: request.account, at: pairing.id)
            let lacking = pairing.scopesLacking(for: made.request)
            let device = DeviceRequestReport(made.request, at: pairing, lacking: lacking)
            return DecisionReport(decision, device, account: made.account)
        } catch {
            throw APIProblem(error)
        }
    }

    private func pairing(_ request: PairingRequest) async throws -> StoredPairing {
        let found = try await radar.read { store throws(StoreError) in try store.pairing(request.pairing) }
        guard let found else { throw APIProblem(.notFound, "there is no such pairing") }
        return found
    }
}

extension APIProblem {
    /// The problem of a decision that was not made.
    init(_ problem: DecisionProblem) {
        switch problem.code {
        case .notWaiting: self.init(.notFound, problem.description)
        case .ambiguous, .beyondOurScopes, .contested: self.init(.conflict, problem.description)
        case .notReached: self.init(.badGateway, problem.description)
        case .unknown:
            self.init(.gatewayTimeout, "\(problem): it is not known whether it was decided")
        }
    }
}
