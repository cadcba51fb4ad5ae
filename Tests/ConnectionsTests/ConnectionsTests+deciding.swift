import GatewayProtocol
import PairingStore
import TestSupport
import Testing
import Trust

@testable import Connections
@testable import GatewayClient

/// Decisions about devices that wait, over the session that is kept.
extension ConnectionsTests {
    private static let waiting: JSONValue = .object([
        "type": "pair_approval_request", "deviceId": "a", "claimedName": "Pad",
    ])

    private static func error(_ message: String, messageID: JSONValue? = nil) -> GatewayEvent {
        var fields: [String: JSONValue] = ["type": "error", "code": "invalid_message", "message": .string(message)]
        fields["messageId"] = messageID
        return GatewayEvent(name: "error", payload: .object(fields))
    }

    /// Makes the pairing one of another dialect.
    private func pair(_ dialect: GatewayDialect, scopes: [String] = []) throws {
        try store.update(pairing.id) {
            $0.dialect = dialect
            $0.credentials[0].scopes = scopes
        }
    }

    /// Decides, and turns the clock where it waits for a moment: pings and ticks are not due.
    private func decide(_ decision: DeviceDecision, _ connections: Connections) async -> DecisionProblem.Code? {
        await withTaskGroup(of: DecisionProblem.Code?.self) { group in
            group.addTask {
                do throws(DecisionProblem) {
                    _ = try await connections.decide("a", decision, at: pairing.id)
                    return nil
                } catch {
                    return error.code
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    if clock.waits.contains(where: { $0 < .seconds(1) }) { clock.turn(by: .milliseconds(50)) }
                    await Task.yield()
                }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// A provider answers only what it refuses, before the pong or right behind it. Errors about a message of this device
    /// are none of that.
    @Test(arguments: [
        ("", nil, false), ("Unknown device", DecisionProblem.Code.notWaiting, false), ("Not admin", .notReached, true),
    ])
    func aProviderRefusesByAnError(message: String, code: DecisionProblem.Code?, waitsStill: Bool) async throws {
        try pair(.clawline)
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let say: GatewaySession.Say = { sent, _ throws(GatewayConnectionError) in
                #expect(sent["type"] == "pair_decision" && sent["approve"] == true)
                await attempt.call.received(Self.error("Unknown device", messageID: "m1"))
                if !message.isEmpty { await attempt.call.received(Self.error(message)) }
            }
            _ = try await attempt.connect(.leaf(pin), say: say)
            await attempt.call.received(GatewayEvent(name: "pair_approval_request", payload: Self.waiting))
            #expect(await decide(.approved, connections) == code)
            let again = await decide(.approved, connections)
            #expect(again == (waitsStill ? code : .notWaiting))
        }
    }

    /// Without an answer nobody knows what became of a decision.
    @Test func whoeverDoesNotAnswerLeavesItOpen() async throws {
        try pair(.clawline)
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let say: GatewaySession.Say = { _, _ throws(GatewayConnectionError) in
                throw GatewayConnectionError(.timedOut, "expected an answer, found none")
            }
            _ = try await attempt.connect(.leaf(pin), say: say)
            await attempt.call.received(GatewayEvent(name: "pair_approval_request", payload: Self.waiting))
            #expect(await decide(.rejected, connections) == .unknown)
        }
    }

    /// A request by something else under an identifier that was shown is not approved, and nothing is sent; it can be
    /// rejected.
    @Test func whatIsContestedIsNotApproved() async throws {
        try pair(.clawline)
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let say: GatewaySession.Say = { message, _ throws(GatewayConnectionError) in
                #expect(message["approve"] == false)
            }
            _ = try await attempt.connect(.leaf(pin), say: say)
            for name in ["Pad", "Other"] {
                let fields: [String: JSONValue] = ["deviceId": "a", "claimedName": .string(name)]
                let event = GatewayEvent(name: "pair_approval_request", payload: .object(fields))
                await attempt.call.received(event)
            }
            #expect(await decide(.approved, connections) == .contested)
            #expect(await decide(.rejected, connections) == nil)
        }
    }

    /// An OpenClaw gateway answers each decision. What goes beyond the scopes of this device is not sent.
    @Test(arguments: [
        ("operator.read", true, nil), ("operator.read", false, DecisionProblem.Code.notReached),
        ("operator.admin", true, .beyondOurScopes),
    ])
    func anOpenClawGatewayAnswers(scope: String, accepts: Bool, code: DecisionProblem.Code?) async throws {
        try pair(.openClaw, scopes: ["operator.pairing", "operator.read"])
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let entry: JSONValue = .object(["requestId": "a", "scopes": .array([.string(scope)])])
            let ask: GatewaySession.Ask = { method, params, _ throws(GatewayConnectionError) in
                guard method != "device.pair.list" else {
                    return GatewayResponse(id: "1", outcome: .success(.object(["pending": .array([entry])])))
                }
                #expect(method == "device.pair.approve" && params?["requestId"] == "a" && code != .beyondOurScopes)
                guard accepts else {
                    let failure = GatewayFailure(code: "INVALID_REQUEST", message: "unknown requestId")
                    return GatewayResponse(id: "1", outcome: .failure(failure))
                }
                return GatewayResponse(id: "1", outcome: .success(nil))
            }
            _ = try await attempt.connect(.leaf(pin), ask: ask)
            try await settle { await connections.knowsDevice(of: credential) }
            #expect(await decide(.approved, connections) == code)
            await #expect(throws: DecisionProblem.self) { try await connections.decide("b", .approved, at: pairing.id) }
        }
    }
}

extension Connections {
    /// Indicates whether a gateway has listed a device that waits.
    fileprivate func knowsDevice(of credential: CredentialID) -> Bool {
        kept[credential]?.devices?.known?.isEmpty == false
    }
}
