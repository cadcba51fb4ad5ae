import GatewayProtocol
import Testing

@testable import ReferenceGateway

@Suite struct GatewayStateTests {
    private let peer = GatewayPeer(connection: 7, address: "192.168.1.20:50000")

    private func request(_ method: String, _ params: JSONValue? = nil) -> GatewayRequest {
        GatewayRequest(id: "1", method: method, params: params)
    }

    /// Returns the only response among all the actions.
    private func response(_ actions: [GatewayAction]) throws -> GatewayResponse {
        let sent = actions.compactMap { action -> [UInt8]? in
            guard case .send(let bytes) = action else { return nil }
            return bytes
        }
        #expect(sent.count == 1)
        guard case .response(let response) = try GatewayFrame(parsing: try #require(sent.first)) else {
            throw GatewayFailure(code: "TEST", message: "expected a response")
        }
        return response
    }

    /// A pairing code is valid for one device and for a limited time. The same device may use it again for a short
    /// while, because the answer may have been lost.
    @Test func aCodeIsForOneDevice() throws {
        var (state, generator) = try (GatewayState.example, SystemRandomNumberGenerator())
        state.demandsPairingCode = true
        func attempt(_ device: String, _ code: Secret?, after milliseconds: Int) throws -> String? {
            var time = GatewayTime.start
            time.uptime += milliseconds
            let params = DevicePairParams(
                deviceID: device,
                deviceName: "n",
                platform: nil,
                requestedBots: .all,
                pairingToken: code
            )
            let actions = state.handle(request("device.pair", params.json), from: peer, at: time, using: &generator)
            guard case .failure(let failure) = try response(actions).outcome else { return nil }
            return failure.code
        }

        #expect(try attempt("a", nil, after: 0) == "PAIRING_TOKEN_REQUIRED")
        #expect(try attempt("a", Secret("x"), after: 0) == "PAIRING_TOKEN_INVALID", "no code exists yet")
        let code = PairingCode(at: .start, using: &generator)
        state.pairingCode = code
        #expect(try attempt("a", Secret("x"), after: 0) == "PAIRING_TOKEN_INVALID")
        #expect(try attempt("a", code.secret, after: 300_001) == "PAIRING_TOKEN_INVALID", "the code has expired")
        #expect(try attempt("a", code.secret, after: 300_000) == nil)
        #expect(try attempt("b", code.secret, after: 300_001) == "PAIRING_TOKEN_INVALID", "used by another device")
        #expect(try attempt("a", code.secret, after: 360_000) == nil, "the same device repeats its request")
        #expect(try attempt("a", code.secret, after: 360_001) == "PAIRING_TOKEN_INVALID")
    }

    private func pair(
        _ state: inout GatewayState,
        _ bots: JSONValue = "*"
    ) throws -> (DevicePairResult, [GatewayAction]) {
        var generator = SystemRandomNumberGenerator()
        let params: JSONValue = .object([
            "deviceId": "device-1", "deviceName": "Kitchen Pi", "platform": "linux", "requestedBots": bots,
        ])
        let actions = state.handle(request("device.pair", params), from: peer, at: .start, using: &generator)
        return (try DevicePairResult(json: try response(actions).outcome.get()), actions)
    }

    private func connect(_ state: inout GatewayState, token: String) -> [GatewayAction] {
        var generator = SystemRandomNumberGenerator()
        let params: JSONValue = .object([
            "minProtocol": 3, "maxProtocol": 4, "auth": .object(["token": .string(token)]),
        ])
        return state.handle(request("connect", params), from: peer, at: .start, using: &generator)
    }

    /// A gateway describes itself to anybody.
    @Test(arguments: [nil, JSONValue.object([:])])
    func discoverNeedsNothing(params: JSONValue?) throws {
        var (state, generator) = try (GatewayState.example, SystemRandomNumberGenerator())
        let actions = state.handle(request("gateway.discover", params), from: peer, at: .start, using: &generator)
        let payload = try DiscoverPayload(json: try response(actions).outcome.get())
        #expect(payload.fingerprint == GatewayFingerprint("abc123"))
        #expect(payload.name == "Home Gateway")
        #expect(payload.bots.map(\.name) == ["Jarvis", "Friday"])
        #expect(payload.pairingRequired == true)
    }

    /// The tokens of a pairing are saved before they are sent.
    @Test func aTokenIsKeptBeforeItIsTold() throws {
        var state = try GatewayState.example
        let (result, actions) = try pair(&state)
        #expect(result.pairings.map(\.bot.name) == ["Jarvis", "Friday"])
        #expect(state.pairings.map(\.token) == result.pairings.map(\.token.revealed))
        #expect(Set(result.pairings.map(\.token)).count == 2)
        #expect(result.pairings.allSatisfy { $0.token.revealed?.utf8.count == 64 })
        let save = try #require(actions.firstIndex(of: .save))
        let send = try #require(actions.firstIndex { if case .send = $0 { true } else { false } })
        #expect(save < send)
    }

    @Test func onlyBotsThatAreHere() throws {
        var (state, generator) = try (GatewayState.example, SystemRandomNumberGenerator())
        #expect(try pair(&state, .array(["bot-2", "bot-9"])).0.pairings.map(\.bot.id.text) == ["bot-2"])
        let params: JSONValue = .object(["deviceId": "d", "deviceName": "n", "requestedBots": .array(["bot-9"])])
        let actions = state.handle(request("device.pair", params), from: peer, at: .start, using: &generator)
        #expect(throws: GatewayFailure.self) { try response(actions).outcome.get() }
        #expect(!actions.contains(.save))
    }

    /// Pairing the same device again replaces its tokens of the same bots, and revokes the earlier ones.
    @Test func aSecondPairingEndsTheFirst() throws {
        var state = try GatewayState.example
        let first = try pair(&state).0.pairings.compactMap(\.token.revealed)
        let (result, actions) = try pair(&state, .array(["bot-1"]))
        #expect(state.pairings.count == 2)
        #expect(actions.contains(.revoke([first[0]])))
        #expect(connect(&state, token: first[0]).contains(.close(1_008)))
        let second = try #require(result.pairings[0].token.revealed)
        #expect(connect(&state, token: second).contains(.admit(token: second)))
    }

    @Test func connectSaysHelloToAPairedDevice() throws {
        var state = try GatewayState.example
        let token = try #require(try pair(&state).0.pairings[0].token.revealed)
        let payload = try response(connect(&state, token: token)).outcome.get()
        #expect(payload?["type"]?.string == "hello-ok")
        #expect(payload?["protocol"]?.int == 3)
        #expect(payload?["botId"]?.string == "bot-1")
    }

    /// A token that was revoked or never existed is refused with `NOT_PAIRED`.
    @Test func whoIsNotPairedIsToldSo() throws {
        var state = try GatewayState.example
        let token = try #require(try pair(&state).0.pairings[0].token.revealed)
        var generator = SystemRandomNumberGenerator()
        let params: JSONValue = .object(["deviceId": "device-1", "botIds": .array(["bot-1"])])
        let unpair = state.handle(request("device.unpair", params), from: peer, at: .start, using: &generator)
        #expect(unpair.contains(.revoke([token])))
        #expect(unpair.contains(.save))
        #expect(state.pairings.map(\.botID?.text) == ["bot-2"])
        for token in [token, "", "unknown"] {
            let actions = connect(&state, token: token)
            guard case .failure(let failure) = try response(actions).outcome else {
                Issue.record("a token that was revoked or never existed must be refused")
                continue
            }
            #expect(failure.code == "NOT_PAIRED")
            #expect(actions.last == .close(1_008))
        }
        // Unpairing again is no failure, and changes nothing.
        #expect(
            !state.handle(request("device.unpair", params), from: peer, at: .start, using: &generator).contains(.save)
        )
    }

    /// The token of a bot that no longer exists is refused.
    @Test func aBotThatIsGoneTakesItsTokensAlong() throws {
        var state = try GatewayState.example
        let token = try #require(try pair(&state).0.pairings[0].token.revealed)
        state.bots.removeFirst()
        #expect(connect(&state, token: token).contains(.close(1_008)))
    }

    @Test func anotherProtocolIsRefused() throws {
        var (state, generator) = try (GatewayState.example, SystemRandomNumberGenerator())
        let params: JSONValue = .object(["minProtocol": 4, "maxProtocol": 5])
        let actions = state.handle(request("connect", params), from: peer, at: .start, using: &generator)
        guard case .failure(let failure) = try response(actions).outcome else { throw CancellationError() }
        #expect(failure.details?["expectedProtocol"]?.int == 3)
        #expect(actions.last == .close(1_002))
    }

    @Test(arguments: ["device.pair", "device.unpair", "no.such.method"])
    func whatIsWrongIsRefused(method: String) throws {
        var (state, generator) = try (GatewayState.example, SystemRandomNumberGenerator())
        for params in [nil, .object([:]), .array([]), .object(["deviceId": 1])] as [JSONValue?] {
            let actions = state.handle(request(method, params), from: peer, at: .start, using: &generator)
            guard case .failure(let failure) = try response(actions).outcome else { throw CancellationError() }
            #expect(failure.code == "INVALID_REQUEST")
            #expect(try state == GatewayState.example)
        }
    }

    /// The number of pairings is limited, so that strangers cannot fill the disk.
    @Test func strangersCannotFillTheDisk() throws {
        var (state, generator) = try (GatewayState.example, SystemRandomNumberGenerator())
        for number in 0..<600 {
            let params: JSONValue = .object([
                "deviceId": .string("device-\(number)"), "deviceName": "x", "requestedBots": "*",
            ])
            _ = state.handle(request("device.pair", params), from: peer, at: .start, using: &generator)
        }
        #expect(state.pairings.count == GatewayState.maximumPairings)
    }

    /// No log message contains a token.
    @Test func noNoteHoldsAToken() throws {
        var state = try GatewayState.example
        let (result, actions) = try pair(&state)
        let token = try #require(result.pairings[0].token.revealed)
        for case .note(let text) in actions + connect(&state, token: token) { #expect(!text.contains(token)) }
    }

    @Test func whatIsKeptIsReadAgain() throws {
        var state = try GatewayState.example
        _ = try pair(&state)
        #expect(try GatewayState(json: try JSONValue(parsing: state.json.encoded)) == state)
    }

    @Test(arguments: [
        #"{}"#, #"{"version":2,"fingerprint":"a","name":"x","bots":[],"pairings":[]}"#,
        #"{"version":1,"fingerprint":"","name":"x","bots":[],"pairings":[]}"#,
        #"{"version":1,"fingerprint":"a","name":"x","bots":[{}],"pairings":[]}"#,
        #"{"version":1,"fingerprint":"a","name":"x","bots":[],"pairings":[{"deviceId":"d"}]}"#,
    ])
    func anIncompleteStateIsRefused(text: String) throws {
        let json = try JSONValue(parsing: Array(text.utf8))
        #expect(throws: ReferenceGatewayError.self) { try GatewayState(json: json) }
    }
}
