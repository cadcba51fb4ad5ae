internal import DNSSD
package import GatewayProtocol
package import PairingStore

/// The reason why a decision about a device that waits was not made.
package struct DecisionProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No such device waits there, or this device is not told of any.
        case notWaiting
        /// It asks for more than this device may do itself.
        case beyondOurScopes
        /// The gateway refuses, or there is no session with it.
        case notReached
    }

    package let code: Code

    /// A sentence for people, without a full stop.
    package let description: String

    package init(code: Code, description: String) {
        self.code = code
        self.description = description
    }
}

/// Decisions about the devices that wait for an approval, over the sessions that are kept.
extension Connections {
    /// Tells a gateway what this device, as its admin, decides about a device that waits there. Nothing that goes beyond
    /// what this device may do itself is approved.
    ///
    /// - Parameters:
    ///   - id: The identifier of its request.
    ///   - decision: The decision.
    ///   - pairing: The pairing with the gateway.
    /// - Returns: The request.
    package func decide(
        _ id: String,
        _ decision: DeviceDecision,
        at pairing: PairingID
    ) async throws(DecisionProblem) -> DeviceRequest {
        let sessions = pairings.credentials(of: pairing).compactMap { credential -> (CredentialID, GatewaySession)? in
            let live = kept[credential]?.live
            return live.flatMap { kept[credential]?.running[$0.attempt]?.session }.map { (credential, $0) }
        }
        guard !sessions.isEmpty else {
            throw DecisionProblem(code: .notReached, description: "expected a session with the gateway, found none")
        }
        for (credential, session) in sessions {
            guard let request = kept[credential]?.devices?.requests.first(where: { $0.id == id }) else { continue }
            if decision == .approved, session.dialect == .openClaw {
                let lacking = request.scopesLacking(in: kept[credential]?.record.scopes ?? [])
                guard lacking.isEmpty else {
                    let scopes = lacking.map { DisplayText($0, limit: 48).text }.joined(separator: ", ")
                    throw DecisionProblem(
                        code: .beyondOurScopes,
                        description: "expected a request that this device may approve, found one that needs \(scopes)"
                    )
                }
            }
            try await tell(session, decision, about: request)
            if session.dialect == .clawline {
                // It says nothing of what it was told.
                kept[credential]?.devices?.forget(id)
                reportDevices(of: credential)
            }
            return request
        }
        throw DecisionProblem(code: .notWaiting, description: "expected a device that waits, found no such one")
    }

    private func tell(
        _ session: GatewaySession,
        _ decision: DeviceDecision,
        about request: DeviceRequest
    ) async throws(DecisionProblem) {
        do {
            guard session.dialect == .openClaw else {
                let isApproved = decision == .approved
                let message = ClawlineMessage.pairDecision(deviceID: request.id, isApproved: isApproved, userID: nil)
                return try await session.send(message.json)
            }
            let params = JSONValue.object(["requestId": .string(request.id)])
            let response = try await session.request(decision.method, params: params)
            if case .failure(let failure) = response.outcome {
                let text = failure.message.isEmpty ? failure.code : failure.message
                throw DecisionProblem(
                    code: .notReached,
                    description: "the gateway refuses: \(DisplayText(text, limit: 128))"
                )
            }
        } catch let problem as DecisionProblem {
            throw problem
        } catch {
            throw DecisionProblem(code: .notReached, description: "\(error)")
        }
    }
}
