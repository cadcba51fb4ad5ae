import GatewayProtocol
import TestSupport
import Testing

@testable import GatewayClient
@testable import Pairing

/// Decisions about devices that wait, over the session that is kept.
extension ConnectionsTests {
    private static let waiting: JSONValue = .object([
        "type": "pair_approval_request", "deviceId": "a", "claimedName": "Pad",
    ])

    private static func error(
        _ message: String,
        code: String = "invalid_message",
        messageID: JSONValue? = nil
    ) -> GatewayEvent {
        var fields: [String: JSONValue] = ["type": "error", "code": .string(code), "message": .string(message)]
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

    /// Waits until this is stored as the last message.
    private func settle(on message: String?) async throws {
        try await settle {
            if clock.waits.contains(where: { $0 <= .seconds(1) }) { clock.turn(by: .milliseconds(50)) }
            return try store.lastMessage(of: credential) == message
        }
    }

    /// Decides, and turns the clock where it waits for a moment: pings and ticks are not due.
    private func decide(
        _ decision: DeviceDecision,
        to account: ClawlineAccount? = nil,
        _ connections: Connections
    ) async -> DecisionProblem.Code? {
        guard let name = RequestName("a") else { return .notWaiting }
        return await withTaskGroup(of: DecisionProblem.Code?.self) { group in
            group.addTask {
                do throws(DecisionProblem) {
                    _ = try await connections.decide(name, decision, to: account, by: credential)
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
    /// are none of that. Whatever it calls invalid was decided before.
    @Test(arguments: [
        ("", "", nil, false), ("invalid_message", "Unknown device", DecisionProblem.Code.notWaiting, false),
        ("invalid_message", "Not admin", .notWaiting, false), ("invalid_message", "", .notWaiting, false),
        ("rate_limited", "", .notReached, true),
    ])
    func aProviderRefusesByAnError(
        refusal: String,
        message: String,
        code: DecisionProblem.Code?,
        waitsStill: Bool
    ) async throws {
        try pair(.clawline)
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let say: GatewaySession.Say = { sent, _ throws(GatewayConnectionError) in
                #expect(sent["type"] == "pair_decision" && sent["approve"] == true)
                await attempt.call.received(Self.error("Unknown device", messageID: "m1"))
                if !refusal.isEmpty { await attempt.call.received(Self.error(message, code: refusal)) }
            }
            _ = try await attempt.connect(.leaf(pin), say: say)
            await attempt.call.received(GatewayEvent(name: "pair_approval_request", payload: Self.waiting))
            #expect(await decide(.approved, connections) == code)
            let again = await decide(.approved, connections)
            #expect(again == (waitsStill ? code : .notWaiting))
        }
    }

    /// An approval names the account to which the device is attached, by default this device's own: without one, a provider
    /// refuses it. A rejection names none.
    @Test(arguments: [DeviceDecision.approved, .rejected], [true, false])
    func anApprovalNamesAnAccount(decision: DeviceDecision, isOwn: Bool) async throws {
        try pair(.clawline)
        let own = "user_6f9619ff-8b86-4d01-b42d-00cf4fc964f1"
        var generator = SystemRandomNumberGenerator()
        let chosen = isOwn ? nil : ClawlineAccount(using: &generator)
        #expect(chosen.map { ClawlineAccount($0.description) == $0 } != false && ClawlineAccount("user_1") == nil)
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let say: GatewaySession.Say = { sent, _ throws(GatewayConnectionError) in
                #expect(sent["userId"]?.string == (decision == .approved ? chosen?.description ?? own : nil))
            }
            _ = try await attempt.connect(.leaf(pin), clawline: ClawlineSession(userID: own, sessionID: "1"), say: say)
            await attempt.call.received(GatewayEvent(name: "pair_approval_request", payload: Self.waiting))
            #expect(await decide(decision, to: chosen, connections) == nil)
        }
    }

    /// Newer providers say in each session whether the device is an admin, and nothing in its token: an admin who is told of
    /// nobody knows then that nobody waits.
    @Test(arguments: [true, false]) func theSessionSaysWhoIsAnAdmin(isAdmin: Bool) async throws {
        try pair(.clawline)
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let session = ClawlineSession(userID: "u", sessionID: "1", isAdmin: isAdmin)
            _ = try await attempt.connect(.leaf(pin), clawline: session)
            try await settle {
                if clock.waits.contains(where: { $0 <= .seconds(1) }) { clock.turn(by: .milliseconds(50)) }
                return await connections.hasSettledDevices(of: credential)
            }
            #expect(await connections.knownDevices(of: credential) == (isAdmin ? [] : nil))
        }
    }

    /// The last message of the provider outlives the process: the next session goes on after it.
    @Test func theLastMessageOutlivesTheProcess() async throws {
        try pair(.clawline)
        try store.noteMessages([credential: "s_1"])
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            _ = try await attempt.connect(.leaf(pin), clawline: ClawlineSession(userID: "u", sessionID: "1"))
            #expect(attempt.call.history.last == "s_1")
            for id in ["s_1", "s_2", "c_3"] {
                let event = GatewayEvent(name: "message", payload: .object(["id": .string(id)]))
                guard attempt.call.history.isNew(event) else { continue }
                await attempt.call.received(event)
            }
            try await settle(on: "s_2")
        }
    }

    /// A provider says what is lost of the messages that were missed, and so does the session. A history that begins anew has
    /// no last message.
    @Test(arguments: [(false, true), (true, false), (false, false)])
    func whatIsLostIsSaid(isTruncated: Bool, isReset: Bool) async throws {
        try pair(.clawline)
        try store.noteMessages([credential: "s_1"])
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let session = ClawlineSession(
                userID: "u",
                sessionID: "1",
                isReplayTruncated: isTruncated,
                isHistoryReset: isReset
            )
            _ = try await attempt.connect(.leaf(pin), clawline: session)
            for await event in connections.events {
                let sessions: [SessionSnapshot] =
                    switch event {
                    case .snapshot(let all): all
                    case .changed(let one): [one]
                    case .removed: []
                    }
                guard let connected = sessions.first(where: \.detail.isConnected) else { continue }
                let reason = connected.reason ?? ""
                #expect(reason.contains("lost") == isTruncated && reason.contains("anew") == isReset, "\(reason)")
                break
            }
            try await settle(on: isReset ? nil : "s_1")
        }
    }

    /// The scopes of a token are those that its gateway names, whether it is a new one or the same: without them the device
    /// would not know that it may decide about others.
    @Test(arguments: ["t0ken", "another"]) func theScopesOfATokenAreThoseOfItsGateway(token: String) async throws {
        try pair(.openClaw, scopes: ["operator.read"])
        let granted = ["operator.admin", "operator.read"]
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            let (methods, method) = AsyncStream.makeStream(of: String.self)
            let ask: GatewaySession.Ask = { name, _, _ throws(GatewayConnectionError) in
                method.yield(name)
                return GatewayResponse(id: "1", outcome: .success(.object(["pending": .array([])])))
            }
            _ = try await attempt.connect(.leaf(pin), token: Secret(token), scopes: granted, ask: ask)
            var asked = methods.makeAsyncIterator()
            #expect(await asked.next() == "device.pair.list")
            #expect(await asked.next() == "node.pair.list")
            try await settle { try store.pairing(pairing.id)?.credentials.first?.scopes == granted }
            let secret = try store.secret(of: credential, in: pairing.id)
            #expect(secret == Secret(token))
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
            // Nodes have a list and methods of their own.
            let node: JSONValue = .object([
                "requestId": "n", "nodeId": "node-1", "platform": "ios", "version": "1.2", "remoteIp": "10.0.0.7",
            ])
            let ask: GatewaySession.Ask = { method, params, _ throws(GatewayConnectionError) in
                guard method != "device.pair.list" else {
                    return GatewayResponse(id: "1", outcome: .success(.object(["pending": .array([entry])])))
                }
                guard method != "node.pair.list" else {
                    return GatewayResponse(id: "1", outcome: .success(.object(["pending": .array([node])])))
                }
                if params?["requestId"] == "n" {
                    #expect(method == "node.pair.reject")
                    return GatewayResponse(id: "1", outcome: .success(nil))
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
            let (other, last) = try (#require(RequestName("b")), #require(RequestName("n")))
            await #expect(throws: DecisionProblem.self) {
                try await connections.decide(other, .approved, by: credential)
            }
            let rejected = try await connections.decide(last, .rejected, by: credential).request
            #expect(rejected.isNode && rejected.deviceID == "node-1" && rejected.address == "10.0.0.7")
            #expect(rejected.version == "1.2" && rejected.scopesLacking(in: ["operator.pairing"]).isEmpty)
            // What tells others of it keeps what it is.
            #expect(DeviceRequest(json: node) == rejected)
        }
    }
}

extension Connections {
    /// Decides about a device of which the session that is kept has told.
    fileprivate func decide(
        _ name: RequestName,
        _ decision: DeviceDecision,
        to account: ClawlineAccount? = nil,
        by credential: CredentialID
    ) async throws(DecisionProblem) -> MadeDecision {
        let known = kept[credential]?.devices?.requests ?? []
        guard let live = kept[credential]?.live, let session = kept[credential]?.running[live.attempt]?.session,
            let request = name.matches(known, in: session.dialect).first
        else { throw DecisionProblem(code: .notWaiting, description: "found no such device") }
        return try await decide(decision, about: request, to: account, over: session)
    }

    /// Indicates whether a gateway has listed a device that waits.
    fileprivate func knowsDevice(of credential: CredentialID) -> Bool {
        kept[credential]?.devices?.known?.isEmpty == false
    }

    /// Indicates whether a provider has told of all devices that wait.
    fileprivate func hasSettledDevices(of credential: CredentialID) -> Bool {
        kept[credential]?.devices?.isSettled == true
    }

    /// The devices that are known to wait; `nil` if nothing is known of them.
    fileprivate func knownDevices(of credential: CredentialID) -> [DeviceRequest]? { kept[credential]?.devices?.known }
}
