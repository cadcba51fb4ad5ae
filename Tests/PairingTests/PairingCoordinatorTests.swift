import CoreMetrics
import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import Logging
import MetricsTestKit
import ReferenceGateway
import Scanning
import Synchronization
import Testing

@testable import Pairing

/// Pairing with a reference gateway, and a store on disk.
@Suite(.timeLimit(.minutes(1))) struct PairingCoordinatorTests {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A running gateway, and a store and a coordinator to pair with it.
    struct House: Sendable {
        let server: GatewayServer
        let certificate: GatewayCertificate?
        let location: StoreLocation
        let store: PairingStore
        let constellation: Constellation
        let coordinator: PairingCoordinator

        var target: PairingTarget { PairingTarget(place: .endpoints([server.endpoint])) }
    }

    private static func state(_ certificate: GatewayCertificate?) throws -> GatewayState {
        let fields: [(String, String, String)] = [("bot-1", "Jarvis", "🤖"), ("bot-2", "Friday", "🦞")]
        return GatewayState(
            fingerprint: try #require(GatewayFingerprint(certificate?.fingerprint.description ?? "abc123")),
            name: "Home Gateway",
            bots: try fields.map { id, name, emoji in
                BotDescription(id: try #require(BotID(id)), name: name, emoji: emoji, status: "online")
            }
        )
    }

    /// Runs a gateway, with a new store beside it, while a closure runs.
    func with(
        tls: Bool = true,
        _ dialect: GatewayDialect = .optaplus,
        at listener: String = "127.0.0.1",
        logger: Logger = Self.logger,
        clock: any MonotonicClock = ContinuousClock(),
        pace: ApprovalPace = Self.fast,
        misbehaviour: Misbehaviour? = nil,
        change: (inout GatewayState) -> Void = { _ in },
        _ body: @escaping @Sendable (House) async throws -> Void
    ) async throws {
        let certificate = tls ? try GatewayCertificate.make(commonName: "clawradar") : nil
        let address = try #require(IPAddress(listener))
        var configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: address, port: 0),
            dialect: dialect,
            certificate: certificate
        )
        configuration.misbehaviour = misbehaviour
        let root = FileManager.default.temporaryDirectory.appending(path: "clawradar-pairing-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let location = StoreLocation(folder: "\(root.path)/data", keyFile: "\(root.path)/state/sealing.key")
        var state = try Self.state(certificate)
        change(&state)
        try await GatewayServer.withServer(state, configuration, logger: logger) { server in
            try await body(try Self.house(server, certificate, location, clock: clock, pace: pace))
        }
    }

    /// A pace at which no test has to wait for an approval.
    static let fast = ApprovalPace(first: .milliseconds(1) ... .milliseconds(2))

    private static func house(
        _ server: GatewayServer,
        _ certificate: GatewayCertificate?,
        _ location: StoreLocation,
        clock: any MonotonicClock = ContinuousClock(),
        pace: ApprovalPace = Self.fast
    ) throws -> House {
        let store = try PairingStore(location)
        let constellation = Constellation()
        var configuration = PairingConfiguration(
            version: "1",
            approvalPace: pace,
            probe: GatewayProbeConfiguration(
                limits: ConnectionLimits(duration: .seconds(10)),
                duration: .seconds(20)
            )
        )
        // As much as a machine may pause.
        configuration.cancellationTimeout = .seconds(20)
        return House(
            server: server,
            certificate: certificate,
            location: location,
            store: store,
            constellation: constellation,
            coordinator: PairingCoordinator(
                store: store,
                constellation: constellation,
                configuration: configuration,
                logger: logger,
                clock: clock
            )
        )
    }

    private func bot(_ text: String) throws -> BotID { try #require(BotID(text)) }

    func device(_ store: PairingStore) -> DeviceDescription {
        let identity = store.device
        return DeviceDescription(
            id: identity.id,
            name: identity.name,
            platform: identity.platform,
            version: "1",
            publicKey: identity.publicKey,
            sign: { try identity.signature(of: $0) }
        )
    }

    /// A host that the user named, and for which no authority vouches, is pinned to its certificate, or trusted as one
    /// without TLS: the offer says that the name was given and proves nothing.
    @Test(arguments: [true, false]) func aHostForWhichNobodyVouchesIsTrustedAsAnAddressIs(tls: Bool) async throws {
        try await with(tls: tls) { house in
            let target = PairingTarget(place: .endpoints([house.server.endpoint]), hostName: "gateway.test")
            let id = try await house.coordinator.pair(target) { state in
                guard case .confirming(let offer) = state else { return nil }
                #expect(offer.hostName == "gateway.test")
                #expect(offer.certifiedHost == nil)
                #expect(offer.leaf == house.certificate?.fingerprint)
                return .confirm(PairingConsent(plainTrust: .address))
            }
            let trust = try #require(try house.store.pairing(id)).trust
            #expect(trust.isPlain != tls)
            if let leaf = house.certificate?.fingerprint { #expect(trust == .pinned(leaf)) }
        }
    }

    /// Pairing stores one token for each bot, and each of them opens a session over TLS with the pinned certificate.
    @Test func aTokenForEachBotOpensASession() async throws {
        try await with { house in
            let states = Mutex<[String]>([])
            let id = try await house.coordinator.pair(house.target) { state in
                states.withLock { $0.append(state.name) }
                guard case .confirming(let offer) = state else { return nil }
                #expect(offer.isProved, "the fingerprint is the hash of the certificate")
                #expect(!offer.needsTrustQuestion)
                return .confirm(PairingConsent())
            }
            #expect(states.withLock { $0 } == ["resolving", "asking", "confirming", "pairing", "storing", "paired"])
            let pairing = try #require(try house.store.pairing(id))
            let leaf = try #require(house.certificate?.fingerprint)
            #expect(pairing.trust == .pinned(leaf))
            #expect(pairing.bots.map(\.name) == ["Jarvis", "Friday"])
            #expect(pairing.credentials.map(\.bots) == [[try bot("bot-1")], [try bot("bot-2")]])
            for credential in pairing.credentials {
                let secret = try house.store.secret(of: credential.id, in: id)
                let request = SessionRequest(
                    dialect: .optaplus,
                    device: device(house.store),
                    credential: .deviceToken(secret),
                    time: 0,
                    gate: { path, _ in #expect(path.leaf == leaf) }
                )
                _ = try await GatewayConversation.withSession(
                    request,
                    to: pairing.endpoints,
                    transport: .tls(pin: leaf)
                ) { $1 }
            }
            let bots = await house.constellation.bots
            #expect(bots.map(\.state) == [.paired, .paired])
        }
    }

    /// Without TLS, pairing fails before anything is granted unless the user has chosen how the gateway is to be
    /// trusted.
    @Test func withoutTLSTheUserChooses() async throws {
        try await with(tls: false) { house in
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(house.target) { $0.isQuestion ? .confirm(PairingConsent()) : nil }
            }
            #expect(error?.code == .trustNotChosen)
            #expect(await house.server.state.pairings.isEmpty)
            #expect(try house.store.pairings().isEmpty)
            let id = try await house.coordinator.pair(house.target) { state in
                guard case .confirming(let offer) = state else { return nil }
                #expect(offer.needsTrustQuestion)
                return .confirm(PairingConsent(plainTrust: .address))
            }
            guard case .sameAddress = try house.store.pairing(id)?.trust else { throw CancellationError() }
        }
    }

    /// A program that looks at no map pairs and unpairs without one.
    @Test func noMapIsNeeded() async throws {
        try await with { house in
            let coordinator = PairingCoordinator(store: house.store)
            let id = try await coordinator.pair(house.target) { $0.isQuestion ? .confirm(PairingConsent()) : nil }
            #expect(try house.store.pairing(id)?.bots.map(\.name) == ["Jarvis", "Friday"])
            #expect(try await coordinator.unpair(id) == .withdrawn)
            #expect(try house.store.pairings().isEmpty)
        }
    }

    /// A pairing that the user cancels, or whose question stays without an answer, leaves nothing at the gateway or in
    /// the store.
    @Test func cancelledPairingLeavesNothing() async throws {
        try await with { house in
            for answer in [PairingAnswer.cancel, nil] {
                let error = await #expect(throws: PairingError.self) {
                    try await house.coordinator.pair(house.target) { $0.isQuestion ? answer : nil }
                }
                #expect(error?.code == .cancelled)
            }
            #expect(await house.server.state.pairings.isEmpty)
            let kept = try house.store.pairings()
            #expect(kept.isEmpty)
        }
    }

    /// The metrics count pairings by their outcome.
    @Test func pairingsAreCountedByTheirOutcome() async throws {
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await with { house in
                for answer in [PairingAnswer.cancel, .confirm(PairingConsent())] {
                    _ = try? await house.coordinator.pair(house.target) { $0.isQuestion ? answer : nil }
                }
            }
        }
        for (outcome, count) in [("paired", 1), ("cancelled", 1), ("notReached", 0)] {
            let counter = try metrics.expectCounter("clawradar_pairings_total", [("outcome", outcome)])
            #expect(counter.totalValue == count)
        }
    }

    /// Pairing with further bots of a paired gateway adds them to the pairing, and a bot that is paired again gets a
    /// new token.
    @Test func botsAreAddedToThePairingThatThereIs() async throws {
        try await with { house in
            let (first, second) = (try bot("bot-1"), try bot("bot-2"))
            var ids: Set<PairingID> = []
            for wanted in [[first], [second], [second]] {
                ids.insert(
                    try await house.coordinator.pair(house.target) {
                        $0.isQuestion ? .confirm(PairingConsent(bots: .some(wanted))) : nil
                    }
                )
            }
            #expect(ids.count == 1)
            let pairing = try #require(try house.store.pairings().first)
            #expect(pairing.bots.map(\.id) == [first, second])
            #expect(pairing.credentials.map(\.bots) == [[first], [second]])
            #expect(
                pairing.credentials.map(\.generation) == [1, 2],
                "the second bot was paired again, and has a new token"
            )
            #expect(try house.store.pairings().count == 1)
        }
    }

    /// A pairing or credential that another process moves to the bin during a new pairing stays there, and what the
    /// gateway grants is stored beside it and works.
    @Test(arguments: [true, false]) func whatGoesToTheBinMeanwhileStaysThere(isWhole: Bool) async throws {
        try await with { house in
            let bots = [try bot("bot-1"), try bot("bot-2")]
            let first = try await house.coordinator.pair(house.target) {
                $0.isQuestion ? .confirm(PairingConsent(bots: .some(bots))) : nil
            }
            let old = try #require(try house.store.pairing(first))
            let id = try await house.coordinator.pair(house.target) { state in
                guard case .confirming(let offer) = state else { return nil }
                #expect(offer.pairing?.id == first)
                do {
                    if isWhole {
                        try house.store.moveToBin(first, reason: .forgotten, at: 1)
                    } else {
                        try house.store.moveToBin(old.credentials[0].id, of: first, reason: .forgotten, at: 1)
                    }
                } catch {
                    Issue.record(error)
                }
                return .confirm(PairingConsent(bots: .some([bots[0]])))
            }
            #expect((id == first) != isWhole)
            let pairing = try #require(try house.store.pairing(id))
            let credential = try #require(pairing.credentials.last)
            #expect(credential.bots == [bots[0]] && !old.credentials.contains { $0.id == credential.id })
            #expect(pairing.credentials.count == (isWhole ? 1 : 2))
            #expect(try house.store.bin().map(\.isWhole) == [isWhole])
            let leaf = try #require(house.certificate?.fingerprint)
            let request = SessionRequest(
                dialect: .optaplus,
                device: device(house.store),
                credential: .deviceToken(try house.store.secret(of: credential.id, in: id)),
                time: 0,
                gate: { _, _ in }
            )
            _ = try await GatewayConversation.withSession(
                request,
                to: pairing.endpoints,
                transport: .tls(pin: leaf)
            ) { $1 }
        }
    }

    /// Unpairing one bot, and then all, withdraws their tokens at the gateway.
    @Test func unpairingIsToldToTheGateway() async throws {
        try await with { house in
            let id = try await house.coordinator.pair(house.target) {
                $0.isQuestion ? .confirm(PairingConsent()) : nil
            }
            let part = try await house.coordinator.unpair(id, bots: .some([try bot("bot-2")]))
            #expect(part == .withdrawn)
            #expect(await house.server.state.pairings.count == 1)
            #expect(try house.store.pairing(id)?.bots.map(\.id) == [try bot("bot-1")])
            #expect(try await house.coordinator.unpair(id) == .withdrawn)
            #expect(await house.server.state.pairings.isEmpty)
            #expect(try house.store.pairings().isEmpty)
            #expect(await house.constellation.bots.allSatisfy { !$0.isPaired })
        }
    }

    /// Unpairing from a gateway that cannot be reached is done in the store, recorded as not yet withdrawn, and can be
    /// undone.
    @Test func unpairingIsDoneOffline() async throws {
        let kept = Mutex<House?>(nil)
        let id = Mutex<PairingID?>(nil)
        let root = FileManager.default.temporaryDirectory.appending(path: "clawradar-pairing-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let location = StoreLocation(folder: "\(root.path)/data", keyFile: "\(root.path)/state/sealing.key")
        let certificate = try GatewayCertificate.make(commonName: "clawradar")
        let address = try #require(IPAddress("127.0.0.1"))
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: address, port: 0),
            certificate: certificate
        )
        let state = try Self.state(certificate)
        try await GatewayServer.withServer(state, configuration, logger: Self.logger) { server in
            let house = try Self.house(server, certificate, location)
            let paired = try await house.coordinator.pair(house.target) {
                $0.isQuestion ? .confirm(PairingConsent()) : nil
            }
            kept.withLock { $0 = house }
            id.withLock { $0 = paired }
        }
        let house = try #require(kept.withLock { $0 })
        let pairing = try #require(id.withLock { $0 })
        guard case .onlyHere = try await house.coordinator.unpair(pairing) else { throw CancellationError() }
        let binned = try #require(try house.store.bin().first)
        #expect(binned.reason == .unpaired(withdrawnThere: false))
        try await house.coordinator.restore(pairing)
        #expect(try house.store.pairings().count == 1)
        #expect(await house.constellation.bots.map(\.isPaired) == [true, true])
        try await house.coordinator.forget(pairing)
        #expect(try house.store.bin().first?.reason == .forgotten)
    }

    /// A grant that cannot be stored is withdrawn, so that the gateway has no pairing whose token nobody has.
    @Test func grantThatCannotBeStoredIsWithdrawn() async throws {
        try await with { house in
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(house.target) { state in
                    if state == .storing {
                        #expect(await house.server.state.pairings.count == 2)
                        // A database whose file is gone takes no more writes.
                        #expect(throws: Never.self) {
                            try FileManager.default.removeItem(atPath: house.location.database)
                        }
                    }
                    return state.isQuestion ? .confirm(PairingConsent()) : nil
                }
            }
            #expect(error?.code == .notStored)
            #expect(await house.server.state.pairings.isEmpty)
        }
    }

    /// A gateway that does not show the certificate of the link is not paired with; one that does is.
    @Test func anotherCertificateThanThatOfTheLinkIsNotSpokenTo() async throws {
        try await with { house in
            let digits = String(repeating: "0a", count: 32)
            let port = house.server.endpoint.port
            let link = try PairingLink(parsing: "optaplus://pair?host=127.0.0.1&port=\(port)&fp=\(digits)&token=once")
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(PairingTarget(link)) { _ in nil }
            }
            #expect(error?.code == .anotherGateway)
            let leaf = try #require(house.certificate?.fingerprint)
            let right = try PairingLink(parsing: "optaplus://pair?host=127.0.0.1&port=\(port)&fp=\(leaf)")
            _ = try await house.coordinator.pair(PairingTarget(right)) {
                $0.isQuestion ? .confirm(PairingConsent()) : nil
            }
        }
    }

    /// A target without a gateway fails with the reason: nothing answers, or its host is not found.
    @Test func whereNothingAnswersThereIsNoGateway() async throws {
        try await with { house in
            let address = try #require(IPAddress("127.0.0.1"))
            for (place, code) in [
                (.endpoints([Endpoint(address: address, port: 1)]), .notAGateway),
                (.host("nowhere.invalid", port: 3_000), .notFound), (.endpoints([]), .notFound),
            ] as [(PairingTarget.Place, ErrorCode<PairingError>)] {
                let error = await #expect(throws: PairingError.self) {
                    try await house.coordinator.pair(PairingTarget(place: place)) { _ in nil }
                }
                #expect(error?.code == code)
            }
        }
    }
}
