import GatewayProtocol
import Synchronization
import TestSupport
import Testing

@testable import GatewayClient
@testable import Pairing

/// Decisions about one device that a command and a request make at once, over the session that is kept.
extension ConnectionsTests {
    /// A gateway answers the first decision about a request, and knows the request no more after that. Each of the two is told
    /// what became of its own.
    @Test func ofTwoDecisionsAboutADeviceTheGatewayMakesOne() async throws {
        try store.update(pairing.id) {
            $0.dialect = .openClaw
            $0.credentials[0].scopes = ["operator.pairing", "operator.read"]
        }
        let decided = Mutex<[String: DeviceDecision]>([:])
        let ask: GatewaySession.Ask = { method, params, _ throws(GatewayConnectionError) in
            guard let id = params?["requestId"]?.string else {
                return GatewayResponse(id: "1", outcome: .success(.object(["pending": .array([])])))
            }
            let decision: DeviceDecision = method == "device.pair.approve" ? .approved : .rejected
            let isFirst = decided.withLock { decided in
                guard decided[id] == nil else { return false }
                decided[id] = decision
                return true
            }
            guard !isFirst else { return GatewayResponse(id: "1", outcome: .success(nil)) }
            let failure = GatewayFailure(code: "INVALID_REQUEST", message: "unknown requestId")
            return GatewayResponse(id: "1", outcome: .failure(failure))
        }
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin), ask: ask)
            let session = try await connections.withSession(of: credential, within: .seconds(30)) { $0 }
            for round in 0..<TestCases.count(1_000) {
                let entry = JSONValue.object(["requestId": .string("r\(round)"), "scopes": .array(["operator.read"])])
                let request = try #require(DeviceRequest(json: entry))
                async let ofCommand = connections.isMade(.approved, about: request, over: session)
                async let ofRequest = connections.isMade(.rejected, about: request, over: session)
                let made: [DeviceDecision: Bool] = await [.approved: ofCommand, .rejected: ofRequest]
                let first = try #require(decided.withLock { $0["r\(round)"] })
                try #require(made.filter(\.value).map(\.key) == [first], "\(round): \(made)")
            }
        }
    }
}

extension Connections {
    /// Decides, and indicates whether the gateway has made the decision.
    fileprivate func isMade(
        _ decision: DeviceDecision,
        about request: DeviceRequest,
        over session: GatewaySession
    ) async -> Bool {
        do throws(DecisionProblem) {
            _ = try await decide(decision, about: request, over: session)
            return true
        } catch {
            #expect(error.code == .notReached, "\(error)")
            return false
        }
    }
}
