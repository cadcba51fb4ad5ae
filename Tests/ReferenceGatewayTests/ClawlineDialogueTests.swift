import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// A Clawline provider: its limits, and what its operator decides.
@Suite struct ClawlineDialogueTests {
    private static let device = "6f9619ff-8b86-4d01-b42d-00cf4fc964f1"
    private static let long = String(repeating: "x", count: 65)

    private var state: GatewayState
    private var generator = SystemRandomNumberGenerator()

    init() throws {
        state = try .example
        state.clawline.approvesAll = false
    }

    private mutating func receive(
        _ message: ClawlineMessage,
        on connection: Int = 1,
        at time: GatewayTime = .start
    ) -> [GatewayAction] {
        var dialogue = Dialogue(
            dialect: .clawline,
            peer: GatewayPeer(connection: connection, address: "192.168.1.20:50000")
        )
        return dialogue.receive(message.encoded, state: &state, at: time, using: &generator)
    }

    private mutating func operate(_ method: String, at time: GatewayTime = .start) -> [GatewayAction] {
        let request = GatewayRequest(id: "1", method: method, params: .object(["id": .string(Self.device)]))
        return state.operate(request, dialect: .clawline, url: "", at: time, using: &generator)
    }

    private static let pair = ClawlineMessage.pairRequest(deviceID: device, claimedName: "Pad", deviceInfo: info)

    private func sent(_ actions: [GatewayAction]) -> [ClawlineMessage] {
        actions.compactMap { action in
            switch action {
            case .send(let bytes), .resolve(_, let bytes), .tell(_, let bytes): try? ClawlineMessage(parsing: bytes)
            default: nil
            }
        }
    }

    private mutating func token() throws -> Secret {
        _ = receive(Self.pair)
        guard case .pairResult(.success(let grant))? = sent(operate("approve")).first else { throw CancellationError() }
        return grant.token
    }

    /// A device waits for a decision, and is told it on the same connection.
    @Test(arguments: ["approve", "reject"])
    mutating func aDeviceWaitsForTheOperator(_ verb: String) {
        let asked = receive(Self.pair)
        #expect(asked.contains(.hold(deviceID: Self.device)) && sent(asked).isEmpty)
        guard case .pairResult(let result)? = sent(operate(verb)).first else {
            Issue.record("expected a result")
            return
        }
        switch result {
        case .success: #expect(verb == "approve" && state.pairings.count == 1)
        case .failure(let refusal): #expect(verb == "reject" && refusal.reason == "pair_denied")
        }
        #expect(state.clawline.queue.requests.isEmpty)
    }

    /// A device has one token: it gets no second one before the operator has removed it.
    @Test mutating func aPairedDeviceGetsNoSecondToken() throws {
        let token = try token()
        let again = sent(receive(Self.pair))
        #expect(again == [.error(code: "invalid_message", message: "Device already paired")])
        #expect(state.pairings.map(\.token) == [token.revealed])
        _ = operate("remove")
        #expect(receive(Self.pair).contains(.hold(deviceID: Self.device)))
    }

    /// A device that has left waits no more: its token would reach nobody.
    @Test mutating func aDeviceThatHasLeftWaitsNoMore() {
        _ = receive(Self.pair)
        state.clawline.queue.forget(connection: 1)
        #expect(sent(operate("approve")).isEmpty && state.pairings.isEmpty)
    }

    /// Each kind of request is refused from the sixth within a minute, which refused ones belong to.
    @Test mutating func theSixthRequestOfAMinuteIsRefused() throws {
        let auth = ClawlineMessage.auth(token: Secret("wrong"), deviceID: Self.device, lastMessageID: nil)
        for message in [Self.pair, auth] {
            func isRefused(_ actions: [GatewayAction]) -> Bool {
                sent(actions) == [.error(code: "rate_limited", message: "")]
            }
            for second in 0..<5 { #expect(!isRefused(receive(message, at: .start.later(second * 1_000)))) }
            #expect(isRefused(receive(message, at: .start.later(59_999))))
            #expect(!isRefused(receive(message, at: .start.later(63_000))))
        }
    }

    /// Another session of the same device ends the one before, and says so.
    @Test mutating func aSecondSessionReplacesTheFirst() throws {
        let token = try token()
        let auth = ClawlineMessage.auth(token: token, deviceID: Self.device, lastMessageID: nil)
        let actions = receive(auth, on: 2)
        let text = try #require(token.revealed)
        #expect(actions.contains(.displace(token: text)))
        #expect(sent(actions).first == .error(code: "session_replaced", message: ""))
    }

    /// A device learns the difference between a token that was revoked, one that was never given, and a suspension.
    @Test mutating func eachRefusalHasItsReason() throws {
        let token = try token()
        func reason(_ actions: [GatewayAction]) -> String? {
            guard case .authResult(.failure(let refusal))? = sent(actions).last else { return nil }
            return refusal.reason
        }
        let auth = ClawlineMessage.auth(token: token, deviceID: Self.device, lastMessageID: nil)
        #expect(reason(receive(auth)) == nil)
        _ = operate("reject")
        #expect(reason(receive(auth)) == "device_not_approved")
        _ = operate("approve")
        #expect(reason(receive(auth)) == nil)
        _ = operate("revoke")
        #expect(reason(receive(auth)) == "token_revoked")
        let other = ClawlineMessage.auth(token: Secret("other"), deviceID: Self.device, lastMessageID: nil)
        #expect(reason(receive(other)) == "auth_failed")
    }

    /// Requests without the protocol's version, or with another identifier than a random UUID, are refused.
    @Test(arguments: [
        #"{"type":"pair_request","deviceId":"6f9619ff-8b86-4d01-b42d-00cf4fc964f1"}"#,
        #"{"type":"pair_request","protocolVersion":1,"deviceId":"6f9619ff-8b86-8d01-b42d-00cf4fc964f1"}"#,
        #"{"type":"auth","protocolVersion":2,"token":"x","deviceId":"6f9619ff-8b86-4d01-b42d-00cf4fc964f1"}"#,
        #"{"type":"auth","protocolVersion":1,"token":"x","deviceId":"6f9619ff-8b86-4d01-b42d-00cf4fc964f1","lastMessageId":"c_1"}"#,
        #"{"type":"pair_request","protocolVersion":1,"deviceId":"6f9619ff-8b86-4d01-b42d-00cf4fc964f1","claimedName":"\#(long)"}"#,
    ])
    mutating func anInvalidRequestIsRefused(_ text: String) throws {
        let message = Array(text.utf8)
        var dialogue = Dialogue(dialect: .clawline, peer: GatewayPeer(connection: 1, address: "192.168.1.20:50000"))
        let actions = dialogue.receive(message, state: &state, at: .start, using: &generator)
        #expect(sent(actions) == [.error(code: "invalid_message", message: "")])
        #expect(actions.contains { $0.endsConnection })
    }

    // MARK: Admins

    private static let other = "7a9619ff-8b86-4d01-b42d-00cf4fc964f1"
    private static let account = "user_9a9619ff-8b86-4d01-b42d-00cf4fc964f1"
    private static let info: JSONValue = .object(["platform": "iOS", "model": "iPhone 15"])
    private static let newcomer = ClawlineMessage.pairRequest(
        deviceID: other,
        claimedName: "Phone",
        deviceInfo: info
    )
    private static let waits = ClawlineMessage.pairApprovalRequest(
        deviceID: other,
        claimedName: "Phone",
        deviceInfo: info
    )

    /// Begins a session of a device.
    private mutating func session(_ deviceID: String, _ token: Secret, on connection: Int) -> Dialogue {
        var dialogue = Dialogue(
            dialect: .clawline,
            peer: GatewayPeer(connection: connection, address: "192.168.1.20:50000")
        )
        let auth = ClawlineMessage.auth(token: token, deviceID: deviceID, lastMessageID: nil)
        _ = dialogue.receive(auth.encoded, state: &state, at: .start, using: &generator)
        return dialogue
    }

    /// The first device is an admin, which is told who waits when its session begins, and when another one comes. It decides
    /// by one message, which is answered only if no such device waits.
    @Test(arguments: [true, false])
    mutating func theFirstDeviceDecides(_ isApproved: Bool) throws {
        let token = try token()
        #expect(ClawlineClaims(token)?.isAdmin == true)
        let asked = receive(Self.newcomer, on: 2)
        #expect(asked.contains(.tellAdmins(Self.waits.encoded)))
        let auth = ClawlineMessage.auth(token: token, deviceID: Self.device, lastMessageID: nil)
        #expect(sent(receive(auth, on: 3)).last == Self.waits)
        var admin = session(Self.device, token, on: 4)
        let decision = ClawlineMessage.pairDecision(
            deviceID: Self.other,
            isApproved: isApproved,
            userID: isApproved ? Self.account : nil
        )
        let decided = admin.receive(decision.encoded, state: &state, at: .start, using: &generator)
        guard case .pairResult(let result)? = sent(decided).first else {
            Issue.record("expected a result")
            return
        }
        switch result {
        // The second device is no admin.
        case .success(let grant):
            #expect(isApproved && ClawlineClaims(grant.token)?.isAdmin == false && grant.userID == Self.account)
        case .failure(let refusal): #expect(!isApproved && refusal.reason == "pair_denied")
        }
        #expect(sent(decided).count == 1 && state.clawline.queue.requests.isEmpty)
        let again = admin.receive(decision.encoded, state: &state, at: .start, using: &generator)
        #expect(sent(again) == [.error(code: "invalid_message", message: "Unknown device")])
        #expect(!again.contains(where: \.endsConnection) && state.pairings.count == (isApproved ? 2 : 1))
    }

    /// An approval that names no account, or something else, is refused, and the device waits on. A rejection needs none.
    @Test(arguments: [nil, "", "user_1", "6f9619ff-8b86-4d01-b42d-00cf4fc964f1"])
    mutating func anApprovalNeedsAnAccount(_ account: String?) throws {
        let token = try token()
        _ = receive(Self.newcomer, on: 2)
        var admin = session(Self.device, token, on: 3)
        let decision = ClawlineMessage.pairDecision(deviceID: Self.other, isApproved: true, userID: account)
        let decided = admin.receive(decision.encoded, state: &state, at: .start, using: &generator)
        #expect(sent(decided) == [.error(code: "invalid_message", message: "Invalid userId")])
        #expect(!decided.contains(where: \.endsConnection) && state.clawline.queue.requests.count == 1)
    }

    /// A device hears to which account it belongs when it is paired, and in each session, also after a restart.
    @Test mutating func aDeviceKeepsItsAccount() throws {
        let token = try token()
        let auth = ClawlineMessage.auth(token: token, deviceID: Self.device, lastMessageID: nil)
        state = try GatewayState(json: state.json)
        guard case .authResult(.success(let session))? = sent(receive(auth)).last else {
            Issue.record("expected a session")
            return
        }
        #expect(session.userID == state.pairings.first?.userID && ClawlineState.isAccount(session.userID))
    }

    /// A full queue is called so.
    @Test mutating func aFullQueueIsTooMuch() {
        for index in 0..<64 {
            let id = "6f9619ff-8b86-4d01-b42d-00cf4fc964\(index + 10)"
            _ = receive(.pairRequest(deviceID: id, claimedName: nil, deviceInfo: Self.info), on: index)
        }
        let refused = receive(Self.newcomer, on: 100)
        #expect(sent(refused) == [.error(code: "rate_limited", message: "")])
    }

    /// Whoever is no admin is told of nobody, and decides nothing; nor does whoever has no session.
    @Test mutating func nobodyElseDecides() throws {
        _ = try token()
        let grant = try #require(state.grantClawline(Self.other, "Phone", at: .start, using: &generator))
        let third = "8a9619ff-8b86-4d01-b42d-00cf4fc964f1"
        _ = receive(.pairRequest(deviceID: third, claimedName: nil, deviceInfo: Self.info), on: 3)
        let auth = ClawlineMessage.auth(token: grant.token, deviceID: Self.other, lastMessageID: nil)
        #expect(sent(receive(auth, on: 4)).count == 2)
        var other = session(Self.other, grant.token, on: 5)
        let decision = ClawlineMessage.pairDecision(deviceID: third, isApproved: true, userID: Self.account)
        let decided = other.receive(decision.encoded, state: &state, at: .start, using: &generator)
        let refusal = ClawlineMessage.error(code: "invalid_message", message: "Not admin")
        #expect(sent(decided) == [refusal] && sent(receive(decision, on: 6)) == [refusal])
        #expect(state.clawline.queue.requests.map(\.deviceID) == [third] && state.pairings.count == 2)
    }
}
