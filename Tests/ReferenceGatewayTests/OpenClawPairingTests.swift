import DNSSD
import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// All the ways in which devices are paired with an OpenClaw gateway, and in which pairings end.
@Suite struct OpenClawPairingTests {
    private func gateway(_ era: OpenClawEra = .july2026, token: String? = "shared") throws -> GatewayState {
        var state = try GatewayState.example
        state.openClaw.settings.era = era
        if let token { state.openClaw.settings.authentication = .token(Secret(token)) }
        return state
    }

    private func client(_ auth: [String: String] = ["token": "shared"], _ scopes: String...) throws -> OpenClawClient {
        var client = try OpenClawClient()
        client.auth = auth
        if !scopes.isEmpty { client.scopes = scopes.map { "operator.\($0)" } }
        return client
    }

    /// Carries out a command of the operator.
    @discardableResult
    private func operate(
        _ method: String,
        _ id: String,
        _ state: inout GatewayState,
        at time: GatewayTime = .start
    ) -> [GatewayAction] {
        var generator = SystemRandomNumberGenerator()
        let request = GatewayRequest(id: "1", method: method, params: .object(["id": .string(id)]))
        return state.operate(request, dialect: .openClaw, url: "wss://h:1", at: time, using: &generator)
    }

    /// Pairs the device of the example, and returns its token.
    private func pair(_ state: inout GatewayState, _ scopes: String...) throws -> String {
        var client = try client()
        if !scopes.isEmpty { client.scopes = scopes.map { "operator.\($0)" } }
        let asked = try client.connect(&state)
        operate("approve", try #require(asked.requestID), &state)
        return try #require(try client.connect(&state).deviceToken)
    }

    @Test(arguments: OpenClawEra.allCases)
    func aDeviceIsApprovedAndFindsItsToken(era: OpenClawEra) throws {
        var state = try gateway(era)
        let asked = try client().connect(&state)
        #expect(asked.failure?.code == "NOT_PAIRED")
        #expect(asked.close == 1_008)
        let id = try #require(asked.requestID)
        #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        switch era {
        case .january2026:
            #expect(asked.failure?.details == .object(["requestId": .string(id), "implementation": "clawradar"]))
        case .april2026:
            let details = [
                "requestId": id, "code": "PAIRING_REQUIRED", "reason": "not-paired", "implementation": "clawradar",
            ]
            #expect(asked.failure?.details == .object(details.mapValues(JSONValue.string)))
            #expect(asked.failure?.message == "pairing required")
        case .july2026, .august2026:
            #expect(asked.failure?.message == "pairing required: device is not approved yet")
            #expect(asked.failure?.details?["requestedRole"]?.string == "operator")
            #expect(asked.reason.contains("requestId: \(id)"))
        }
        #expect(operate("approve", id, &state).contains(.save))
        let hello = try client().connect(&state)
        let token = try #require(hello.deviceToken)
        #expect(token.utf8.count == 43)
        #expect(hello.hello?["protocol"]?.int == (era >= .july2026 ? 4 : 3))
        #expect(hello.hello?["auth"]?["scopes"]?.array == ["operator.read"])
        #expect(hello.hello?["policy"]?["tickIntervalMs"]?.int == 30_000)
        #expect(try client().connect(&state).deviceToken == token, "each hello-ok has the same token")
        #expect(try client(["token": token]).connect(&state).deviceToken == token, "every era accepts it as `token`")
        #expect(
            try GatewayState(json: try JSONValue(parsing: state.json.encoded)).openClaw.devices
                == state.openClaw.devices
        )
        for case .note(let text) in asked.actions + hello.actions { #expect(!text.contains(token)) }
    }

    /// A long platform and device family are stored shortened, and also compared shortened: otherwise such a device
    /// would have to be approved again at every connection.
    @Test func aLongPlatformIsKnownAgain() throws {
        var state = try gateway()
        var client = try client()
        client.platform = String(repeating: "x", count: 200)
        client.tampering = { fields in
            guard case .object(var client) = fields["client"] else { return }
            client["deviceFamily"] = .string(String(repeating: "y", count: 200))
            fields["client"] = .object(client)
        }
        let asked = try client.connect(&state)
        operate("approve", try #require(asked.requestID), &state)
        #expect(try client.connect(&state).deviceToken != nil)
        client.platform = "another"
        #expect(try client.connect(&state).failure?.details?["reason"]?.string == "metadata-upgrade")
    }

    /// Without the secret of the gateway, the refusal says which one is missing, and the operator gets no request.
    @Test func withoutASecretNoRequestIsMade() throws {
        for (secret, code, message) in [
            (OpenClawSettings.Authentication.token(Secret("a")), "AUTH_TOKEN_MISSING", "gateway token missing"),
            (.password(Secret("a")), "AUTH_PASSWORD_MISSING", "gateway password missing"),
        ] {
            var state = try gateway(token: nil)
            state.openClaw.settings.authentication = secret
            let outcome = try client([:]).connect(&state)
            #expect(outcome.failure?.code == "INVALID_REQUEST")
            #expect(outcome.code == code)
            #expect(outcome.failure?.message.contains(message) == true)
            #expect(outcome.failure?.details?["recommendedNextStep"]?.string == "update_auth_configuration")
            #expect(state.openClaw.requests.requests.isEmpty)
        }
        var open = try gateway(token: nil)
        #expect(try client([:]).connect(&open).failure?.code == "NOT_PAIRED", "no secret is needed for a request")
    }

    /// The refusal of a wrong secret names its kind, and suggests the device token if that may be accepted.
    @Test func eachWrongSecretHasItsName() throws {
        var state = try gateway()
        #expect(try client(["token": "wrong"]).connect(&state).code == "AUTH_TOKEN_MISMATCH")
        #expect(try client(["deviceToken": "wrong"]).connect(&state).code == "AUTH_DEVICE_TOKEN_MISMATCH")
        #expect(try client(["bootstrapToken": "wrong"]).connect(&state).code == "AUTH_BOOTSTRAP_TOKEN_INVALID")
        let token = try pair(&state)
        let wider = try client(["deviceToken": token], "read", "write").connect(&state)
        #expect(wider.code == "AUTH_SCOPE_MISMATCH")
        let wrong = try client(["token": "wrong"]).connect(&state)
        #expect(wrong.failure?.details?["canRetryWithDeviceToken"]?.bool == true)
        #expect(wrong.failure?.details?["recommendedNextStep"]?.string == "retry_with_device_token")
        state.openClaw.settings.authentication = .password(Secret("p"))
        #expect(try client(["password": "x"]).connect(&state).code == "AUTH_PASSWORD_MISMATCH")
        #expect(try client(["password": "p"]).connect(&state).deviceToken == token)
    }

    /// A setup code is valid for one device, until that device has been approved, and for a limited time.
    @Test func aSetupCodeLetsOneDeviceAsk() throws {
        var state = try gateway()
        guard case .send(let bytes) = operate("code", "", &state).last,
            case .response(let response) = try GatewayFrame(parsing: bytes),
            let text = try response.outcome.get()?["code"]?.string
        else { throw CancellationError() }
        let code = try SetupCode(parsing: Secret(text))
        let auth = ["bootstrapToken": try #require(code.bootstrapToken.revealed)]
        let asked = try client(auth).connect(&state, at: .start.later(600_000))
        #expect(asked.failure?.code == "NOT_PAIRED")
        var other = try OpenClawClient(seed: String(repeating: "ab", count: 32))
        other.auth = auth
        #expect(try other.connect(&state).code == "AUTH_BOOTSTRAP_TOKEN_INVALID", "the code belongs to another device")
        operate("approve", try #require(asked.requestID), &state, at: .start.later(600_000))
        let early = try client(auth).connect(&state, at: .start.later(600_000))
        #expect(early.deviceToken != nil)
        #expect(try client(auth).connect(&state).code == "AUTH_BOOTSTRAP_TOKEN_INVALID", "the code has been used up")
        operate("code", "", &state)
        #expect(try client(auth).connect(&state, at: .start.later(600_001)).code == "AUTH_BOOTSTRAP_TOKEN_INVALID")
    }

    // MARK: Requests

    /// The identifier of a request stays the same while the device repeats it, because the operator approves by it.
    /// Which attempts count as the same depends on the era.
    @Test func requestsKeepTheirIdentifiers() throws {
        for (era, fewer, more) in [
            (OpenClawEra.january2026, true, true), (.april2026, false, false), (.july2026, true, false),
            (.august2026, true, false),
        ] {
            var state = try gateway(era)
            let first = try client(["token": "shared"], "read", "write").connect(&state).requestID
            #expect(first != nil)
            #expect(try client(["token": "shared"], "write", "read").connect(&state).requestID == first)
            let less = try client(["token": "shared"], "read").connect(&state)
            #expect((less.requestID == first) == fewer, "\(era)")
            let before = less.requestID
            let wider = try client(["token": "shared"], "read", "admin").connect(&state)
            #expect((wider.requestID == before) == more, "\(era)")
            #expect(state.openClaw.requests.requests.count == 1, "there is one request for each device")
            guard !more else { continue }
            let isResolved = wider.actions.contains { action in
                guard case .broadcast("device.pair.resolved", let payload, _) = action else { return false }
                return payload["requestId"]?.string == before && payload["decision"]?.string == "rejected"
            }
            #expect(isResolved)
        }
    }

    /// A new request of July 2026 contains the scopes of the one that it replaces.
    @Test func whatWasAskedForBeforeIsAskedForStill() throws {
        var state = try gateway()
        _ = try client(["token": "shared"], "read").connect(&state)
        _ = try client(["token": "shared"], "admin").connect(&state)
        #expect(state.openClaw.requests.requests.map(\.scopes) == [["operator.admin", "operator.read"]])
    }

    /// A request expires after five minutes; in July 2026, each further attempt extends it.
    @Test func requestsLiveForFiveMinutes() throws {
        for (era, isRefreshed) in [(OpenClawEra.april2026, false), (.july2026, true), (.august2026, true)] {
            var state = try gateway(era)
            let first = try client().connect(&state).requestID
            #expect(try client().connect(&state, at: .start.later(299_999)).requestID == first)
            #expect((try client().connect(&state, at: .start.later(300_000)).requestID == first) == isRefreshed)
        }
    }

    @Test func whoWasRejectedHasANewRequest() throws {
        var state = try gateway()
        let first = try #require(try client().connect(&state).requestID)
        operate("reject", first, &state)
        #expect(try client().connect(&state).requestID != first)
    }

    /// The scopes of a request are limited even if it replaces many others: scopes that would exceed the limit are
    /// dropped, except those of the latest attempt.
    @Test func requestsDoNotGrow() throws {
        var state = try gateway()
        for round in 0..<20 {
            var client = try client()
            client.scopes = (0..<20).map { "scope.\(round).\($0)" }
            #expect(try client.connect(&state).requestID != nil)
            #expect(state.openClaw.requests.requests.allSatisfy { $0.scopes.count <= 32 })
        }
        #expect(state.openClaw.requests.requests.first?.scopes.contains("scope.19.7") == true, "the latest are kept")
    }

    /// The scopes of a device are limited: an approval that would exceed the limit is refused.
    @Test func devicesDoNotGrow() throws {
        var state = try gateway()
        var first = try client()
        first.scopes = (0..<20).map { "first.\($0)" }
        operate("approve", try #require(try first.connect(&state).requestID), &state)
        var second = try client()
        second.scopes = (0..<20).map { "second.\($0)" }
        let id = try #require(try second.connect(&state).requestID)
        guard case .send(let bytes) = operate("approve", id, &state).last,
            case .response(let response) = try GatewayFrame(parsing: bytes),
            case .failure(let failure) = response.outcome
        else {
            Issue.record("an approval beyond the limit of scopes must be refused")
            return
        }
        #expect(failure.message == "a device has at most 32 scopes; remove it, and let it ask again")
        #expect(state.openClaw.devices[first.deviceID]?.grants["operator"]?.scopes.count == 20)
        operate("remove", first.deviceID, &state)
        operate("approve", try #require(try second.connect(&state).requestID), &state)
        #expect(try second.connect(&state).deviceToken != nil)
    }

    /// A rotation of a token cannot grant more scopes than the device has.
    @Test func aRotationCannotWiden() throws {
        var state = try gateway()
        _ = try pair(&state, "admin")
        var dialogue = Dialogue(dialect: .openClaw, peer: try client().peer)
        _ = try client(["token": "shared"], "admin").connect(&dialogue, &state, at: .start)
        let scopes = (0..<33).map { JSONValue.string("operator.\($0)") }
        let params: JSONValue = .object([
            "deviceId": .string(try client().deviceID), "role": "operator", "scopes": .array(scopes),
        ])
        let refused = try OpenClawClient.ask("device.token.rotate", &dialogue, &state, params)
        #expect(refused.failure?.message == "device token rotation denied")
    }

    /// The number of waiting requests is limited; the oldest ones are dropped.
    @Test func strangersCannotFillTheMemory() {
        var (requests, generator) = (PairingRequests(), SystemRandomNumberGenerator())
        for number in 0..<200 {
            _ = requests.attempt(
                ConnectParams(.object([:])),
                deviceID: "\(number)",
                publicKey: [],
                reason: .notPaired,
                era: .july2026,
                at: .start,
                using: &generator
            )
        }
        #expect(requests.requests.count == 64)
        #expect(requests.requests.last?.deviceID == "199")
    }

    /// A device that asks for more than was approved needs another approval, whose reason says what is new. Its token
    /// stays valid for the rest.
    @Test func whoWantsMoreThanWasApprovedAsksAgain() throws {
        var paired = try gateway()
        let token = try pair(&paired)
        // Each case begins with a copy of the state, because a waiting request would be merged with the next one.
        func reason(_ change: (inout OpenClawClient) -> Void) throws -> String? {
            var client = try client()
            change(&client)
            var state = paired
            return try client.connect(&state).failure?.details?["reason"]?.string
        }
        #expect(try reason { $0.scopes.append("operator.admin") } == "scope-upgrade")
        #expect(try reason { $0.role = "node" } == "role-upgrade")
        #expect(try reason { $0.platform = "darwin" } == "metadata-upgrade")
        #expect(try reason { $0.clientID = "cli" } == nil, "the kind of client may change")
        #expect(try client(["token": token]).connect(&paired).deviceToken == token, "the earlier token stays valid")
    }

    /// A gateway that approves all devices does so without an operator.
    @Test func approvedByNobody() throws {
        var state = try gateway()
        state.openClaw.settings.approvesAll = true
        let outcome = try client().connect(&state)
        #expect(outcome.deviceToken != nil)
        #expect(outcome.actions.contains(.save))
    }

    // MARK: Paired devices

    @Test func eachMethodNeedsItsScope() throws {
        var state = try gateway()
        _ = try pair(&state)
        var dialogue = Dialogue(dialect: .openClaw, peer: try client().peer)
        _ = try client().connect(&dialogue, &state, at: .start)
        let list = try OpenClawClient.ask("agents.list", &dialogue, &state).hello
        #expect(try AgentList(json: list).bots.map(\.name) == ["Jarvis", "Friday"])
        let identity = try OpenClawClient.ask("gateway.identity.get", &dialogue, &state).hello
        #expect(identity?["deviceId"]?.string?.utf8.count == 64)
        #expect(try OpenClawClient.ask("gateway.identity.get", &dialogue, &state).hello == identity)
        let refused = try OpenClawClient.ask("device.pair.list", &dialogue, &state)
        #expect(refused.failure == GatewayFailure(code: "INVALID_REQUEST", message: "missing scope: operator.pairing"))
        #expect(try OpenClawClient.ask("nothing", &dialogue, &state).failure?.message == "unknown method: nothing")
    }

    @Test func anOperatorWhoIsConnectedDecides() throws {
        var state = try gateway(.april2026)
        _ = try pair(&state, "pairing", "read")
        var dialogue = Dialogue(dialect: .openClaw, peer: try client().peer)
        _ = try client(["token": "shared"], "pairing").connect(&dialogue, &state, at: .start)
        var other = try OpenClawClient(seed: String(repeating: "ab", count: 32))
        other.auth = ["token": "shared"]
        other.scopes = ["operator.admin"]
        let asked = try other.connect(&state)
        let isBroadcast = asked.actions.contains { action in
            guard case .broadcast("device.pair.requested", _, "operator.pairing") = action else { return false }
            return true
        }
        #expect(isBroadcast)
        let id: JSONValue = .object(["requestId": .string(try #require(asked.requestID))])
        let approval = try OpenClawClient.ask("device.pair.approve", &dialogue, &state, id)
        #expect(approval.failure?.message == "missing scope: operator.admin", "an operator cannot grant what it lacks")
        #expect(try OpenClawClient.ask("device.pair.reject", &dialogue, &state, id).failure == nil)
        #expect(
            try OpenClawClient.ask("device.pair.reject", &dialogue, &state, id).failure?.message == "unknown requestId"
        )
    }

    /// Since 2026.7, a device that may only approve sees and decides its own requests alone; an admin those of all. Before,
    /// approving was enough.
    @Test(arguments: OpenClawEra.allCases, ["pairing", "admin"])
    func whoDecidesAboutOthersDependsOnTheEra(era: OpenClawEra, scope: String) throws {
        var state = try gateway(era)
        _ = try pair(&state, scope, "read")
        var dialogue = Dialogue(dialect: .openClaw, peer: try client().peer)
        _ = try client(["token": "shared"], scope, "read").connect(&dialogue, &state, at: .start)
        var other = try OpenClawClient(seed: String(repeating: "ab", count: 32))
        other.auth = ["token": "shared"]
        other.scopes = ["operator.read"]
        let asked = try other.connect(&state)
        let mayDecide = scope == "admin" || era < .july2026
        let heard = mayDecide && scope == "pairing" ? "operator.pairing" : "operator.admin"
        let isTold = asked.actions.contains { action in
            guard case .broadcast("device.pair.requested", _, let needed) = action else { return false }
            return OperatorScopes.allow(needed, granted: [heard])
        }
        #expect(isTold)
        let list = try OpenClawClient.ask("device.pair.list", &dialogue, &state).hello
        #expect(list?["pending"]?.array?.count == (mayDecide ? 1 : 0))
        #expect(list?["paired"]?.array?.count == 1)
        let id: JSONValue = .object(["requestId": .string(try #require(asked.requestID))])
        for method in ["device.pair.reject", "device.pair.approve"] {
            var copy = state
            let answer = try OpenClawClient.ask(method, &dialogue, &copy, id)
            #expect(answer.failure?.message == (mayDecide ? nil : "missing scope: operator.admin"))
        }
    }

    /// A setup code opens what it was made for, and is not spent by whoever asks for more; before 2026.7, whatever is approved.
    @Test(arguments: [OpenClawEra.april2026, .july2026, .august2026], ["wss://h:1", "ws://h:1"])
    func aSetupCodeOpensItsScopes(era: OpenClawEra, url: String) throws {
        var state = try gateway(era)
        var generator = SystemRandomNumberGenerator()
        let text = state.openClaw.makeSetupCode(url: url, at: .start, using: &generator)
        let token = try #require(try SetupCode(parsing: text).bootstrapToken.revealed)
        func code(_ scopes: String...) throws -> String? {
            var client = try client(["bootstrapToken": token])
            client.scopes = scopes.map { "operator.\($0)" }
            return try client.connect(&state).failure?.code
        }
        let isBound = era >= .july2026
        #expect(try code("read", "pairing") == (isBound ? "INVALID_REQUEST" : "NOT_PAIRED"))
        #expect(try code("read", "admin") == (isBound && url.hasPrefix("ws://") ? "INVALID_REQUEST" : "NOT_PAIRED"))
        #expect(try code("read") == "NOT_PAIRED")
    }

    /// Only an admin of the whole gateway approves a node, though that asks for no scope.
    @Test(arguments: [("operator.pairing", false), ("operator.admin", true)])
    func onlyAnAdminOfTheGatewayApprovesANode(scope: String, isApproved: Bool) throws {
        var state = try gateway()
        var admin = try client()
        admin.scopes = [scope]
        operate("approve", try #require(try admin.connect(&state).requestID), &state)
        var dialogue = Dialogue(dialect: .openClaw, peer: try client().peer)
        _ = try admin.connect(&dialogue, &state, at: .start)
        var node = try OpenClawClient(seed: String(repeating: "ab", count: 32))
        node.auth = ["token": "shared"]
        (node.role, node.scopes) = ("node", [])
        let id: JSONValue = .object(["requestId": .string(try #require(try node.connect(&state).requestID))])
        let approval = try OpenClawClient.ask("device.pair.approve", &dialogue, &state, id)
        #expect(approval.failure?.message == (isApproved ? nil : "missing scope: operator.admin"))
    }

    /// The token of a revoked or removed device is refused, and the reason of its next request depends on the era and
    /// on what the operator did. In January 2026 connections stay open, and the shared token gets another device token.
    @Test func whatIsRevokedIsToldByItsName() throws {
        for (era, verb, reason) in [
            (OpenClawEra.april2026, "revoke", "role-upgrade"), (.july2026, "revoke", "role-upgrade"),
            (.april2026, "remove", "not-paired"), (.july2026, "remove", "not-paired"),
        ] {
            var state = try gateway(era)
            let token = try pair(&state)
            let id = try client().deviceID
            #expect(operate(verb, String(id.prefix(8)), &state).contains(.remove(deviceID: id)))
            #expect(try client(["deviceToken": token]).connect(&state).code == "AUTH_DEVICE_TOKEN_MISMATCH")
            #expect(try client(["token": token]).connect(&state).code == "AUTH_TOKEN_MISMATCH")
            let again = try client().connect(&state)
            #expect(again.failure?.code == "NOT_PAIRED")
            #expect(again.failure?.details?["reason"]?.string == reason, "\(era) \(verb)")
        }
        var january = try gateway(.january2026)
        let token = try pair(&january)
        let actions = operate("revoke", try client().deviceID, &january)
        #expect(!actions.contains(.remove(deviceID: try client().deviceID)), "no connection is closed")
        let next = try client().connect(&january).deviceToken
        #expect(next != nil && next != token, "the shared token gets a new device token")
    }

    /// Scopes that the operator has revoked do not come back when the device is approved for fewer.
    @Test(arguments: [OpenClawEra.april2026, .july2026])
    func whatWasRevokedDoesNotComeBack(era: OpenClawEra) throws {
        var state = try gateway(era)
        _ = try pair(&state, "admin", "read")
        operate("revoke", try client().deviceID, &state)
        let asked = try client(["token": "shared"], "read").connect(&state)
        operate("approve", try #require(asked.requestID), &state)
        let hello = try client(["token": "shared"], "read").connect(&state)
        #expect(hello.hello?["auth"]?["scopes"]?.array == ["operator.read"])
    }

    /// The approval of further scopes adds them to those that the device has.
    @Test func anUpgradeAdds() throws {
        var state = try gateway()
        _ = try pair(&state, "read")
        let asked = try client(["token": "shared"], "approvals").connect(&state)
        operate("approve", try #require(asked.requestID), &state)
        let hello = try client(["token": "shared"], "approvals").connect(&state)
        #expect(hello.hello?["auth"]?["scopes"]?.array == ["operator.approvals", "operator.read"])
    }

    /// A rotated token is sent only to a device that rotates its own, and its session ends after the answer.
    @Test func aRotatedTokenGoesToItsOwnDeviceAlone() throws {
        var state = try gateway()
        let token = try pair(&state, "pairing")
        let id = try client().deviceID
        var dialogue = Dialogue(dialect: .openClaw, peer: try client().peer)
        _ = try client(["token": "shared"], "pairing").connect(&dialogue, &state, at: .start)
        let params: JSONValue = .object(["deviceId": .string(id), "role": "operator"])
        let rotation = try OpenClawClient.ask("device.token.rotate", &dialogue, &state, params)
        let next = try #require(rotation.hello?["token"]?.string)
        #expect(next != token)
        #expect(rotation.actions.last == .remove(deviceID: id), "the session ends after the answer")
        #expect(try client(["deviceToken": token], "pairing").connect(&state).code == "AUTH_DEVICE_TOKEN_MISMATCH")
        #expect(try client(["token": "shared"], "pairing").connect(&state).deviceToken == next)
    }

    // MARK: Lock-outs

    /// After ten failures with a secret of one kind, an address is locked out for five minutes, even with the right
    /// secret. Other addresses are not affected.
    @Test func tenFailuresLockAnAddressOut() throws {
        var state = try gateway()
        for _ in 0..<10 { #expect(try client(["token": "wrong"]).connect(&state).code == "AUTH_TOKEN_MISMATCH") }
        let locked = try client().connect(&state)
        #expect(locked.code == "AUTH_RATE_LIMITED", "the right token is refused as well")
        #expect(locked.failure?.details?["recommendedNextStep"]?.string == "wait_then_retry")
        #expect(try client(["deviceToken": "x"]).connect(&state).code == "AUTH_DEVICE_TOKEN_MISMATCH", "counted apart")
        var elsewhere = try client()
        elsewhere.peer = GatewayPeer(connection: 2, address: "b", ip: IPAddress("192.168.1.21"))
        #expect(try elsewhere.connect(&state).failure?.code == "NOT_PAIRED")
        #expect(try client().connect(&state, at: .start.later(299_999)).code == "AUTH_RATE_LIMITED")
        #expect(try client().connect(&state, at: .start.later(300_000)).failure?.code == "NOT_PAIRED")
    }

    /// Failures that do not lock out: too few of them in a minute, missing secrets, those of this host, and all of them
    /// in April 2026.
    @Test func failuresThatDoNotLockOut() throws {
        var state = try gateway()
        for number in 0..<20 {
            _ = try client(["token": "wrong"]).connect(&state, at: .start.later(number * 7_000))
            _ = try client([:]).connect(&state)
        }
        #expect(try client().connect(&state, at: .start.later(133_001)).failure?.code == "NOT_PAIRED", "few per minute")
        var own = try client(["token": "wrong"])
        own.peer = GatewayPeer(connection: 1, address: "::1", ip: IPAddress("::1"))
        for _ in 0..<20 { #expect(try own.connect(&state).code == "AUTH_TOKEN_MISMATCH", "this host is exempt") }
        var april = try gateway(.april2026)
        for _ in 0..<12 { #expect(try client(["token": "wrong"]).connect(&april).code == "AUTH_TOKEN_MISMATCH") }
        #expect(try client().connect(&april).failure?.code == "NOT_PAIRED", "lock-outs are off by default")
    }
}
