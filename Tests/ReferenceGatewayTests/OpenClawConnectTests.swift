import GatewayProtocol
import Testing

@testable import ReferenceGateway

/// The requirements of an OpenClaw gateway for `connect`, in the order in which they are checked.
@Suite struct OpenClawConnectTests {
    private func gateway(_ era: OpenClawEra = .july2026, token: String? = "shared") throws -> GatewayState {
        var state = try GatewayState.example
        state.openClaw.settings.era = era
        if let token { state.openClaw.settings.authentication = .token(Secret(token)) }
        return state
    }

    private func client(_ change: (inout OpenClawClient) -> Void = { _ in }) throws -> OpenClawClient {
        var client = try OpenClawClient()
        client.auth = ["token": "shared"]
        change(&client)
        return client
    }

    /// The identifier of a device is the SHA-256 of its public key. This value is accepted by released gateways.
    @Test func theIdentifierIsTheHashOfTheKey() throws {
        #expect(
            try OpenClawClient().deviceID == "21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9"
        )
    }

    /// Unknown and missing properties and wrong values are refused in every object, with the same message as by
    /// released gateways.
    @Test(arguments: OpenClawEra.allCases)
    func objectsAreClosedAtEveryLevel(era: OpenClawEra) throws {
        let cases: [(String, String, @Sendable (inout [String: JSONValue]) -> Void)] = [
            ("at root: unexpected property 'x'", "root", { $0["x"] = 1 }),
            ("at /client: unexpected property 'buildId'", "client", { $0.set("client", "buildId", "1") }),
            ("at /device: unexpected property 'x'", "device", { $0.set("device", "x", "1") }),
            ("at /auth: unexpected property 'x'", "auth", { $0.set("auth", "x", "1") }),
            ("must have required property 'client'", "missing", { $0["client"] = nil }),
            ("at /client/id: must be equal to one of the allowed values", "id", { $0.set("client", "id", "me") }),
            (
                "at /client/mode: must be equal to one of the allowed values", "mode",
                { $0.set("client", "mode", "operator") }
            ),
            ("at /client/version: must NOT have fewer than 1 characters", "empty", { $0.set("client", "version", "") }),
            ("at /minProtocol: must be >= 1", "minimum", { $0["minProtocol"] = 0 }),
            ("at /scopes/0: must be string", "scopes", { $0["scopes"] = .array([1]) }),
            ("at /scopes: must be array", "list", { $0["scopes"] = "operator.read" }),
            ("at /device/signedAt: must be integer", "time", { $0.set("device", "signedAt", "now") }),
            ("at /caps: must be array", "null", { $0["caps"] = .null }),
        ]
        for (problem, name, tampering) in cases {
            var state = try gateway(era)
            let outcome = try client { $0.tampering = tampering }.connect(&state)
            #expect(outcome.failure?.code == "INVALID_REQUEST", "\(name)")
            #expect(outcome.failure?.message == "invalid connect params: \(problem)", "\(name)")
            #expect(outcome.close == 1_008)
        }
    }

    /// Release 2026.7 refuses everything, without looking at it, until it is ready; older releases do not do so.
    @Test(arguments: OpenClawEra.allCases)
    func aGatewayThatStartsSaysSo(era: OpenClawEra) throws {
        var state = try gateway(era)
        state.openClaw.readyAt = GatewayTime.start.later(1_000).uptime
        let early = try client { $0.tampering = { $0["x"] = 1 } }.connect(&state, at: .start.later(999))
        if era >= .july2026 {
            #expect(early.close == 1_013 && early.reason == "gateway starting")
            #expect(early.failure?.code == "UNAVAILABLE")
            #expect(early.failure?.retryAfter == .milliseconds(500))
            #expect(early.failure?.details == .object(["reason": "startup-sidecars"]))
        } else {
            #expect(early.close == 1_008)
        }
        #expect(try client().connect(&state, at: .start.later(1_000)).failure?.code == "NOT_PAIRED")
    }

    /// The number and the length of scopes are limited, because they are stored for strangers. Released gateways
    /// document no limits.
    @Test(arguments: OpenClawEra.allCases)
    func scopesHaveABound(era: OpenClawEra) throws {
        for (scopes, problem) in [
            ((0..<33).map { "s\($0)" }, "at /scopes: must NOT have more than 32 items"),
            ([String(repeating: "s", count: 129)], "at /scopes/0: must NOT have more than 128 characters"),
            ((0..<31).map { "s\($0)" } + [String(repeating: "s", count: 128)], nil),
        ] {
            var state = try gateway(era)
            let outcome = try client { $0.scopes = scopes }.connect(&state)
            if let problem { #expect(outcome.failure?.message == "invalid connect params: \(problem)") }
            #expect((outcome.requestID != nil) == (problem == nil))
        }
    }

    /// A field that only later eras know is an unknown property in earlier ones.
    @Test func oldSchemasKnowNoDeviceToken() throws {
        for (era, field, isKnown) in [
            (OpenClawEra.january2026, "deviceToken", false), (.april2026, "deviceToken", true),
            (.april2026, "approvalRuntimeToken", false), (.july2026, "approvalRuntimeToken", true),
        ] {
            var state = try gateway(era)
            let outcome = try client { $0.tampering = { $0.set("auth", field, "x") } }.connect(&state)
            let isRefused =
                outcome.failure?.message == "invalid connect params: at /auth: unexpected property '\(field)'"
            #expect(isRefused != isKnown, "\(era) \(field)")
        }
    }

    /// The range of protocol versions that a client offers must include one that the gateway accepts; probes and nodes
    /// may offer older ones.
    @Test func protocolsOutsideTheRangeAreRefused() throws {
        for (era, range, mode, role, isAccepted) in [
            (OpenClawEra.july2026, 3...4, "backend", "operator", true), (.july2026, 4...9, "backend", "operator", true),
            (.july2026, 3...3, "backend", "operator", false), (.july2026, 3...3, "probe", "operator", true),
            (.july2026, 3...3, "node", "node", true), (.july2026, 5...9, "probe", "operator", false),
            (.april2026, 3...4, "backend", "operator", true), (.april2026, 4...4, "backend", "operator", false),
            (.january2026, 3...3, "backend", "operator", true), (.january2026, 1...2, "backend", "operator", false),
        ] {
            var state = try gateway(era)
            let outcome = try client {
                ($0.protocols, $0.mode, $0.role) = (range, mode, role)
            }.connect(&state)
            #expect((outcome.close != 1_002) == isAccepted, "\(era) \(range) \(mode)")
            guard !isAccepted else { continue }
            #expect(outcome.failure?.message == "protocol mismatch")
            #expect(outcome.failure?.details?["expectedProtocol"]?.int == (era == .july2026 ? 4 : 3))
            #expect(outcome.code == (era == .july2026 ? "PROTOCOL_MISMATCH" : nil))
        }
    }

    /// The role and the origin are checked before the identity of the device.
    @Test func rolesAndBrowsersAreLookedAtBeforeTheDevice() throws {
        var state = try gateway()
        #expect(
            try client {
                $0.role = "king"
                $0.hasDevice = false
            }.connect(&state).failure?.message == "invalid role"
        )
        let fromPage = try client {
            $0.peer.origin = "http://evil.example"
            $0.hasDevice = false
        }.connect(&state)
        #expect(fromPage.failure?.message.hasPrefix("origin not allowed") == true)
        #expect(try client { $0.clientID = "openclaw-control-ui" }.connect(&state).close == 1_008)
    }

    /// The identity of the device is checked before its token, so that a wrong proof is reported even with a wrong
    /// token.
    @Test(arguments: [
        ("DEVICE_AUTH_DEVICE_ID_MISMATCH", "device identity mismatch", "id", "0"),
        ("DEVICE_AUTH_DEVICE_ID_MISMATCH", "device identity mismatch", "publicKey", "AAAA"),
        ("DEVICE_AUTH_NONCE_MISMATCH", "device nonce mismatch", "nonce", "other"),
        ("DEVICE_AUTH_SIGNATURE_INVALID", "device signature invalid", "signature", "AAAA"),
    ])
    func theProofComesBeforeTheToken(code: String, message: String, field: String, value: String) throws {
        var state = try gateway()
        let outcome = try client {
            $0.auth = ["token": "wrong"]
            $0.tampering = { $0.set("device", field, .string(value)) }
        }.connect(&state)
        #expect(outcome.failure?.code == "INVALID_REQUEST")
        #expect(outcome.code == code)
        #expect(outcome.failure?.message == message)
        #expect(outcome.close == 1_008)
        #expect(outcome.reason == message)
    }

    /// A signature is accepted only if its time differs from the gateway's clock by no more than the tolerance of the
    /// era.
    @Test func signaturesAreFreshByTheGatewaysClock() throws {
        for (era, tolerance) in [(OpenClawEra.january2026, 600_000), (.april2026, 120_000), (.july2026, 120_000)] {
            for error in [tolerance, -tolerance, tolerance + 1, -tolerance - 1] {
                var state = try gateway(era)
                let outcome = try client { $0.clockError = error }.connect(&state)
                let isExpired = outcome.failure?.message == "device signature expired"
                #expect(isExpired == (error.magnitude > tolerance), "\(era) \(error)")
            }
        }
    }

    /// The signature covers what was sent: the token in all versions, and the platform only in the third one.
    @Test func theSignatureCoversWhatIsSent() throws {
        let tamperings: [(String, @Sendable (inout [String: JSONValue]) -> Void, breaksV2: Bool)] = [
            ("token", { $0.set("auth", "token", "shared2") }, true),
            ("scopes", { $0["scopes"] = .array(["operator.admin"]) }, true),
            ("role", { $0["role"] = "node" }, true),
            ("mode", { $0.set("client", "mode", "cli") }, true),
            ("platform", { $0.set("client", "platform", "darwin") }, false),
        ]
        for (name, tampering, breaksV2) in tamperings {
            for version in OpenClawSignature.Version.allCases {
                var state = try gateway()
                let outcome = try client {
                    $0.version = version
                    $0.tampering = tampering
                }.connect(&state)
                let isBroken = outcome.code == "DEVICE_AUTH_SIGNATURE_INVALID"
                #expect(isBroken == (version == .v3 || breaksV2), "\(name) \(version)")
            }
        }
    }

    /// The third version of the signature is unknown in January 2026; the second one is known in all eras.
    @Test(arguments: OpenClawEra.allCases)
    func theThirdVersionIsUnknownInJanuary(era: OpenClawEra) throws {
        var state = try gateway(era)
        let outcome = try client { $0.version = .v3 }.connect(&state)
        #expect((outcome.failure?.message == "device signature invalid") == (era == .january2026))
        #expect(try client().connect(&state).failure?.code == "NOT_PAIRED", "all eras know the second version")
    }

    /// A remote device must repeat the nonce of the challenge, with a message that depends on the era.
    @Test func theNonceIsDemandedOfRemotePeers() throws {
        var state = try gateway(.january2026)
        let remote = try client { $0.tampering = { $0.set("device", "nonce", nil) } }
        #expect(try remote.connect(&state).failure?.message == "device nonce required")
        state.openClaw.settings.era = .april2026
        #expect(
            try remote.connect(&state).failure?.message
                == "invalid connect params: at /device: must have required property 'nonce'"
        )
    }

    /// A client without a device has no scopes, except in January 2026. Without a secret, too, it is refused.
    @Test func withoutADeviceThereAreNoScopes() throws {
        for era in OpenClawEra.allCases {
            var state = try gateway(era)
            let outcome = try client { $0.hasDevice = false }.connect(&state)
            #expect(outcome.hello?["type"]?.string == "hello-ok")
            #expect(
                outcome.actions.contains(
                    .admitOpenClaw(deviceID: nil, scopes: era == .january2026 ? ["operator.read"] : [])
                )
            )
            #expect(outcome.hello?["snapshot"]?["health"]?["agents"]?.array?.count == (era == .january2026 ? nil : 2))
            let nameless = try client {
                $0.hasDevice = false
                $0.auth = [:]
            }.connect(&state)
            #expect(nameless.failure?.code == "NOT_PAIRED")
            #expect(nameless.code == (era == .january2026 ? nil : "DEVICE_IDENTITY_REQUIRED"))
        }
    }

    /// A message before authentication that is too long closes the connection with the code of released gateways.
    @Test func tooMuchBeforeAuthenticationIsToldSo() throws {
        var (state, generator) = (try gateway(), SystemRandomNumberGenerator())
        var dialogue = Dialogue(dialect: .openClaw, peer: GatewayPeer(connection: 1, address: "a"))
        let actions = dialogue.receive(
            Array(repeating: 0x20, count: 65_537),
            state: &state,
            at: .start,
            using: &generator
        )
        #expect(actions.last == .close(1_009, reason: "preauth payload too large"))
    }
}

extension [String: JSONValue] {
    /// Sets a field of an object in this object.
    fileprivate mutating func set(_ object: String, _ key: String, _ value: JSONValue?) {
        var fields = self[object]?.object ?? [:]
        fields[key] = value
        self[object] = .object(fields)
    }
}
