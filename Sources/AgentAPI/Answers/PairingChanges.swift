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
    /// Accepts another certificate of a gateway: the one whose digits the user has read on its host.
    func trust(_ request: PairingRequest) async throws -> PairingDocument {
        let leaf = try request.needed(
            \.leaf,
            "leaf: expected the digits of its certificate, as its host shows them"
        )
        let pairing = try await pairing(request)
        guard !pairing.awaitsTrust else { throw RadarError(awaitingTrust: pairing) }
        if case .certified = pairing.trust {
            throw APIProblem(.conflict, "it is trusted by its host name, whatever its certificate")
        }
        guard let store else { throw APIProblem(.serviceUnavailable, "the store of pairings is not open") }
        let coordinator = store.pairingCoordinator(constellation, version: configuration.version, nil)
        var change = TrustChange(policy: .pinned(leaf))
        if pairing.trust != change.policy {
            let shown = await coordinator.certificates(of: pairing)
            guard shown.identity(with: leaf) != nil else {
                throw APIProblem(.conflict, "\(shown.doubt(about: leaf)). Nothing was changed")
            }
            change = shown.change(to: leaf)
        }
        return try await accept(change, for: pairing)
    }

    /// Changes the trust in a gateway, unless somebody else has decided about it since the pairing was read.
    func accept(_ change: TrustChange, for pairing: StoredPairing) async throws -> PairingDocument {
        let (isAccepted, result) = try await radar.write { store throws(StoreError) in
            (try store.accept(change, for: pairing), try store.pairing(pairing.id))
        }
        guard isAccepted else {
            throw APIProblem(.conflict, "somebody else has decided about its certificate meanwhile")
        }
        return PairingDocument(PairingReport(result ?? pairing))
    }

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
