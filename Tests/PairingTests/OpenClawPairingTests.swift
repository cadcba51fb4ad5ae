import DNSSD
import GatewayClient
import GatewayProtocol
import ReferenceGateway
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import Pairing

/// Pairing with a reference gateway that is as strict as the OpenClaw gateways of each era.
extension PairingCoordinatorTests {
    /// Runs an OpenClaw gateway that demands a shared token, while a closure runs.
    func openClaw(
        _ era: OpenClawEra = .july2026,
        tls: Bool = true,
        clock: any MonotonicClock = ContinuousClock(),
        pace: ApprovalPace = Self.fast,
        _ body: @escaping @Sendable (House) async throws -> Void
    ) async throws {
        try await with(
            tls: tls,
            .openClaw,
            clock: clock,
            pace: pace,
            change: {
                $0.openClaw.settings = OpenClawSettings(era: era, authentication: .token(Secret("shared-token")))
            },
            body
        )
    }

    /// Performs an operation as the operator of the gateway, and returns its result; `nil` if it failed.
    static func operate(_ server: GatewayServer, _ method: String, _ id: String = "") async -> JSONValue? {
        let params: JSONValue = .object(["id": .string(id)])
        let answer = await server.operate(GatewayRequest(id: "1", method: method, params: params))
        guard case .success(let payload) = answer?.outcome else { return nil }
        return payload
    }

    /// A device that gives the shared token waits for its approval, and then gets a token of its own, with which
    /// sessions open.
    @Test(arguments: OpenClawEra.allCases)
    func aDeviceWaitsForItsApproval(era: OpenClawEra) async throws {
        try await openClaw(era) { house in
            let states = Mutex<[String]>([])
            let id = try await house.coordinator.pair(house.target) { state in
                states.withLock { if $0.last != state.name { $0.append(state.name) } }
                switch state {
                case .confirming: return .confirm(PairingConsent())
                case .secretNeeded: return .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
                case .approvalNeeded(let approval):
                    guard let request = approval.requestID else {
                        Issue.record("a request without an identifier")
                        return .cancel
                    }
                    // The request is approved once the gateway has answered a second time that it is the same one.
                    if approval.lastConfirmed > approval.since || approval.age(at: approval.lastConfirmed) > .zero {
                        _ = await Self.operate(house.server, "approve", request)
                    }
                    return nil
                default: return nil
                }
            }
            let steps = states.withLock { $0 }
            #expect(steps.contains("secretNeeded") || era == .january2026)
            #expect(steps.contains("approvalNeeded"))
            let pairing = try #require(try house.store.pairing(id))
            #expect(pairing.bots.map(\.name) == ["Jarvis", "Friday"])
            let credential = try #require(pairing.credentials.first)
            #expect(credential.scopes == ["operator.read"])
            #expect(credential.deviceID == device(house.store).openClawID)
            let secret = try house.store.secret(of: credential.id, in: id)
            #expect(secret != Secret("shared-token"))
            let leaf = try #require(house.certificate?.fingerprint)
            for signature in OpenClawSignature.Version.allCases {
                var request = SessionRequest(
                    dialect: .openClaw,
                    device: device(house.store),
                    credential: .deviceToken(secret),
                    time: 0,
                    gate: { _, _ in }
                )
                request.signature = signature
                let grant = try await GatewayConversation.withSession(
                    request,
                    to: pairing.endpoints,
                    transport: .tls(pin: leaf)
                ) { $1 }
                #expect(grant.hello.deviceToken == secret)
            }
        }
    }

    /// A device that is to be an admin asks for that from the first request on, so that it is approved once.
    @Test(arguments: OpenClawEra.allCases)
    func anAdminAsksForThatFromTheFirstRequestOn(era: OpenClawEra) async throws {
        try await openClaw(era) { house in
            var target = house.target
            target.rights = .admin
            let requests = Mutex<Set<String>>([])
            let id = try await house.coordinator.pair(target) { state in
                switch state {
                case .confirming: return .confirm(PairingConsent())
                case .secretNeeded: return .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
                case .approvalNeeded(let approval):
                    let request = approval.requestID ?? ""
                    requests.withLock { _ = $0.insert(request) }
                    let pending = await Self.operate(house.server, "devices")?["pending"]?.array
                    #expect(pending?.first?["scopes"]?.array == ["operator.admin", "operator.read"])
                    _ = await Self.operate(house.server, "approve", request)
                    return nil
                default: return nil
                }
            }
            #expect(requests.withLock { $0.count } == 1)
            let scopes = try #require(try house.store.pairing(id)?.credentials.first?.scopes)
            #expect(Set(scopes) == ["operator.admin", "operator.read"])
        }
    }

    /// A paired device that asks for more gets a new token with that: the scopes belong to it, and are stored with it.
    @Test(arguments: OpenClawEra.allCases) func moreRightsAreStoredWithTheirToken(era: OpenClawEra) async throws {
        try await openClaw(era) { house in
            func pair(_ rights: DeviceRights) async throws -> StoredPairing {
                var target = house.target
                target.rights = rights
                let id = try await house.coordinator.pair(target) { state in
                    switch state {
                    case .confirming: return .confirm(PairingConsent())
                    case .secretNeeded: return .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
                    case .approvalNeeded(let approval):
                        _ = await Self.operate(house.server, "approve", approval.requestID ?? "")
                        return nil
                    default: return nil
                    }
                }
                return try #require(try house.store.pairing(id))
            }
            let member = try await pair(.member)
            #expect(member.credentials.map(\.scopes) == [["operator.read"]])
            let admin = try await pair(.admin)
            #expect(
                admin.id == member.id
                    && admin.credentials.map { Set($0.scopes) } == [["operator.admin", "operator.read"]]
            )
            #expect(admin.adminCredential != nil)
        }
    }

    /// A limited code used for everything is refused for what it opens, and not called spent.
    @Test(arguments: [OpenClawEra.july2026, .august2026])
    func aLimitedCodeForAnAdminIsCalledLimited(era: OpenClawEra) async throws {
        try await openClaw(era) { house in
            let made = Mutex<Secret?>(nil)
            await house.server.change { state in
                var generator = SystemRandomNumberGenerator()
                let url = "wss://\(house.server.endpoint)"
                let code = state.openClaw.makeSetupCode(url: url, isLimited: true, at: .now, using: &generator)
                made.withLock { $0 = code }
            }
            let code = try #require(made.withLock { $0 })
            var target = house.target
            target.rights = .admin
            let said = Mutex<[String]>([])
            _ = try? await house.coordinator.pair(target) { state in
                switch state {
                case .confirming: return .confirm(PairingConsent())
                case .secretNeeded(let question):
                    let count = said.withLock { said in
                        said.append(question.message)
                        return said.count
                    }
                    return count == 1 ? .secret(SecretAnswer(.setupCode, code)) : .cancel
                default: return nil
                }
            }
            #expect(said.withLock { $0.last }?.contains("found one that is limited") == true, "\(said.withLock { $0 })")
        }
    }

    /// Gateways of other dialects have no admins among devices: nothing is asked of them.
    @Test func thereIsNoAdminInAnotherDialect() async throws {
        try await with { house in
            var target = house.target
            target.rights = .admin
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(target) { state in
                    #expect(!state.isQuestion)
                    return nil
                }
            }
            #expect(error?.code == .unsupported && error?.message.contains("OpenClaw") == true)
            #expect(await house.server.state.pairings.isEmpty)
        }
    }

    /// The pause between two requests for an approval follows the clock: the gateway is not asked again while the clock
    /// stands still.
    @Test func theApprovalIsAskedForAgainAfterThePause() async throws {
        let clock = TurnedClock()
        try await openClaw(clock: clock) { house in
            let (requests, request) = AsyncStream.makeStream(of: String.self)
            try await withThrowingTaskGroup(of: PairingID.self) { group in
                group.addTask {
                    try await house.coordinator.pair(house.target) { state in
                        switch state {
                        case .confirming: return .confirm(PairingConsent())
                        case .secretNeeded: return .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
                        case .approvalNeeded(let approval):
                            request.yield(approval.requestID ?? "")
                            return nil
                        default: return nil
                        }
                    }
                }
                await clock.nextSleep()
                #expect(clock.waits.count == 1)
                let pause = try #require(clock.waits.first)
                #expect((.milliseconds(1) ... .milliseconds(2)).contains(pause))
                var asked = requests.makeAsyncIterator()
                #expect(await Self.operate(house.server, "approve", try #require(await asked.next())) != nil)
                clock.turn(by: pause)
                let id = try #require(try await group.next())
                #expect(try house.store.pairing(id) != nil)
            }
        }
    }

    /// A user who has approved the request need not wait for the pause to end; only within a second of the last request
    /// the gateway is not asked again.
    @Test func theUserCanHaveTheApprovalAskedForNow() async throws {
        let clock = TurnedClock()
        let pace = ApprovalPace(first: .seconds(10) ... .seconds(10))
        try await openClaw(clock: clock, pace: pace) { house in
            let (requests, request) = AsyncStream.makeStream(of: String.self)
            try await withThrowingTaskGroup(of: PairingID.self) { group in
                group.addTask {
                    try await house.coordinator.pair(house.target) { state in
                        switch state {
                        case .confirming: return .confirm(PairingConsent())
                        case .secretNeeded: return .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
                        case .approvalNeeded(let approval):
                            request.yield(approval.requestID ?? "")
                            return nil
                        default: return nil
                        }
                    }
                }
                await clock.nextSleep()
                #expect(clock.waits == [.seconds(1)])
                var asked = requests.makeAsyncIterator()
                #expect(await Self.operate(house.server, "approve", try #require(await asked.next())) != nil)
                await house.coordinator.askAgain()
                clock.turn(by: .seconds(1))
                await clock.nextSleep()
                #expect(clock.waits == [.seconds(9)])
                await house.coordinator.askAgain()
                let id = try #require(try await group.next())
                #expect(try house.store.pairing(id) != nil)
            }
        }
    }

    /// A rejection by the operator ends the pairing, and nothing is stored.
    @Test func aRejectionEndsIt() async throws {
        try await openClaw { house in
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(house.target) { state in
                    switch state {
                    case .confirming: return .confirm(PairingConsent())
                    case .secretNeeded: return .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
                    case .approvalNeeded(let approval):
                        _ = await Self.operate(house.server, "reject", approval.requestID ?? "")
                        return nil
                    default: return nil
                    }
                }
            }
            #expect(error?.code == .rejected)
            let kept = try house.store.pairings()
            #expect(kept.isEmpty)
        }
    }

    /// A setup code takes the place of the shared token.
    @Test func aSetupCodeLetsADeviceAsk() async throws {
        try await openClaw { house in
            let code = try #require(await Self.operate(house.server, "code")?["code"]?.string)
            _ = try await house.coordinator.pair(house.target) { state in
                switch state {
                case .confirming: return .confirm(PairingConsent())
                case .secretNeeded: return .secret(SecretAnswer(.setupCode, Secret(code)))
                case .approvalNeeded(let approval):
                    _ = await Self.operate(house.server, "approve", approval.requestID ?? "")
                    return nil
                default: return nil
                }
            }
        }
    }

    /// The addresses of a code are asked at once, and the first in its order at which a gateway answers counts. Nothing
    /// secret is sent.
    @Test func aCodeLeadsToTheFirstGatewayOfIt() async throws {
        // No address runs out of time.
        try await openClaw(clock: TurnedClock()) { house in
            let port = house.server.endpoint.port
            func target(_ fields: String) async throws -> PairingTarget {
                let json = #"{"bootstrapToken":"boot","urls":["wss://127.0.0.1:1",\#(fields)]}"#
                return try await house.coordinator.target(of: try SetupCode(payload: Array(json.utf8)))
            }
            let first = try await target(
                #""ws://127.0.0.1:\#(port)","wss://127.0.0.1:\#(port)/a","wss://127.0.0.1:\#(port)""#
            )
            guard case .endpoints(let endpoints) = first.place else {
                Issue.record("\(first.place)")
                return
            }
            #expect(endpoints.map(\.description) == ["127.0.0.1:\(port)/a"])
            #expect(first.transports == .tlsOnly && first.dialect == .openClaw && first.pairingToken == nil)
            // Where none answers, the first is as good as another: pairing with it says why.
            let none = try await target(#""wss://127.0.0.1:2""#)
            #expect(none.place == .endpoints([Endpoint(address: .v4(IPv4Address(bits: 0x7F00_0001)), port: 1)]))
        }
    }

    /// A code that names a certificate is never used without TLS, not even at an address without.
    @Test func aPinnedCodeIsNeverUsedInClear() async throws {
        try await openClaw { house in
            let pin = String(repeating: "5f", count: 32)
            let json =
                #"{"url":"ws://127.0.0.1:\#(house.server.endpoint.port)","bootstrapToken":"b","tlsFingerprint":"\#(pin)"}"#
            let target = try await house.coordinator.target(of: try SetupCode(payload: Array(json.utf8)))
            #expect(target.transports == .tlsOnly && target.leaf == LeafFingerprint(pin))
        }
    }

    /// A join URL without TLS leads to this host itself, whatever the resolver says of its name.
    @Test func aJoinURLWithoutTLSStaysOnThisHost() async throws {
        try await openClaw { house in
            let coordinator = PairingCoordinator(
                store: house.store,
                constellation: house.constellation,
                configuration: PairingConfiguration(version: "1") { _ in [.v4(IPv4Address(bits: 0x0A00_0001))] }
            )
            let error = await #expect(throws: PairingError.self) {
                try await coordinator.setupCode(behind: try JoinURL(parsing: "http://localhost:1/j/code"))
            }
            #expect(error?.code == .notFound && error?.message.contains("Nothing was fetched") == true)
        }
    }

    /// No invitation leads this device to what hands out credentials, whether it names that or the resolver does.
    @Test(arguments: ["169.254.169.254", "[fd00:ec2::254]", "[64:ff9b::a9fe:a9fe]", "0.0.0.0", "gateway.example"])
    func anInvitationLeadsToNoMetadataService(host: String) async throws {
        try await openClaw { house in
            let coordinator = PairingCoordinator(
                store: house.store,
                constellation: house.constellation,
                configuration: PairingConfiguration(version: "1") { host in
                    [IPAddress(host) ?? .v4(IPv4Address(bits: 0xA9FE_A9FE))]
                }
            )
            let join = await #expect(throws: PairingError.self) {
                try await coordinator.setupCode(behind: try JoinURL(parsing: "https://\(host)/j/code"))
            }
            #expect(join?.code == .notFound && join?.message.contains("Nothing was fetched") == true)
            let code = try SetupCode(payload: Array(#"{"url":"wss://\#(host):1","bootstrapToken":"b"}"#.utf8))
            let error = await #expect(throws: PairingError.self) { try await coordinator.target(of: code) }
            #expect(error?.code == .notFound)
            let link = try PairingLink(parsing: "optaplus://pair?remote=wss://\(host):1")
            #expect(await coordinator.resolve(PairingTarget(link)) == [])
        }
    }

    /// A code that has expired leads nowhere, at either moment.
    @Test func anExpiredCodeLeadsNowhere() async throws {
        try await openClaw { house in
            let url = "wss://127.0.0.1:\(house.server.endpoint.port)"
            let code = try SetupCode(payload: Array(#"{"url":"\#(url)","bootstrapToken":"boot","expiresAtMs":1}"#.utf8))
            let early = await #expect(throws: PairingError.self) { try await house.coordinator.target(of: code) }
            #expect(early?.code == .invalidInvitation)
            let late = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(house.target) { state in
                    switch state {
                    case .confirming: .confirm(PairingConsent())
                    case .secretNeeded: .secret(SecretAnswer(.setupCode, code.text))
                    default: nil
                    }
                }
            }
            #expect(late?.code == .invalidInvitation && late?.message.contains("has expired") == true)
        }
    }

    /// Pairs with some bots by the names that the user has entered, as for a gateway that lists its bots only after the
    /// approval.
    private func pair(_ house: House, calling names: [String]) async throws -> PairingID {
        let consent = PairingConsent(bots: .some(names.compactMap { BotID($0) }), botNames: names)
        return try await house.coordinator.pair(house.target) { state in
            switch state {
            case .confirming: return .confirm(consent)
            case .secretNeeded: return .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
            case .approvalNeeded(let approval):
                _ = await Self.operate(house.server, "approve", approval.requestID ?? "")
                return nil
            default: return nil
            }
        }
    }

    /// Bots are chosen by name in any case, or by identifier, as soon as the gateway has listed them; names without a
    /// bot are ignored if another one has one.
    @Test(arguments: [["Friday"], ["friday"], ["bot-2"], ["bot-2", "Nobody"]])
    func botsAreChosenByTheirNamesOnceTheyAreKnown(names: [String]) async throws {
        try await openClaw { house in
            let id = try await self.pair(house, calling: names)
            #expect(try house.store.pairing(id)?.bots.map(\.name) == ["Friday"])
        }
    }

    /// A choice of bots that do not exist is noticed only after the approval: the error then names the bots that do,
    /// and the command that removes the device at the gateway.
    @Test func botsThatAreNotThereAreFoundOutAfterTheApproval() async throws {
        try await openClaw { house in
            let error = await #expect(throws: PairingError.self) { try await self.pair(house, calling: ["Edith"]) }
            #expect(error?.code == .unknownBots)
            let command = "reference-gateway revoke \(device(house.store).openClawID) --forget"
            for part in ["Jarvis", "Friday", "stays approved", command] {
                #expect(error?.message.contains(part) == true, "\(part)")
            }
            let kept = try house.store.pairings()
            #expect(kept.isEmpty)
        }
    }

    /// Unpairing from OpenClaw returns the command for the operator, since a device cannot remove itself; so does a
    /// later withdrawal.
    @Test func aDeviceIsRemovedByTheOperator() async throws {
        try await openClaw { house in
            let id = try await self.pair(house, calling: ["Friday"])
            let result = try await house.coordinator.unpair(id)
            let command = "reference-gateway revoke \(device(house.store).openClawID) --forget"
            #expect(result == .removedByOperator(command: command))
            let item = try #require(try house.store.bin().first)
            #expect(item.pairing.removingCommand == command)
            #expect(try await house.coordinator.withdraw(item) == result)
        }
    }

    /// Without TLS, the shared token is not sent: it is asked for again, with the warning that it would go in clear,
    /// until the user consents.
    @Test func theSharedTokenIsNotSentInClear() async throws {
        try await openClaw(tls: false) { house in
            let questions = Mutex<[String]>([])
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(house.target) { state in
                    switch state {
                    case .confirming: return .confirm(PairingConsent(plainTrust: .lan))
                    case .secretNeeded(let question):
                        questions.withLock { $0.append(question.message) }
                        let isFirst = questions.withLock { $0.count == 1 }
                        return isFirst ? .secret(SecretAnswer(.sharedToken, Secret("shared-token"))) : .cancel
                    default: return nil
                    }
                }
            }
            #expect(error?.code == .cancelled)
            #expect(questions.withLock { $0.last?.contains("in clear") } == true)
            let waiting = await house.server.state.openClaw.requests
            #expect(waiting == PairingRequests())
        }
    }
}
