import DNSSD
import GatewayProtocol
import Logging
import ReferenceGateway
import Reports
import Scanning
import Testing

@testable import Agent
@testable import Commands
@testable import Console
@testable import Pairing

/// `clawradar trust` for a gateway that awaits trust: its options mean what they say.
@Suite(.timeLimit(.minutes(1))) struct AwaitedTrustTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs the tool with a store in which a running gateway awaits trust.
    private func trust(
        _ options: [String],
        certificate: GatewayCertificate? = nil,
        misbehaviour: Misbehaviour? = nil,
        _ check: @escaping @Sendable (Tool.Result, GatewayServer) -> Void
    ) async throws {
        try await withAwaiting(certificate: certificate, misbehaviour: misbehaviour) { store, server in
            check(try await store.run(["trust", "Old Pad"] + options), server)
            #expect(try store.open().pairings().map(\.awaitsTrust) == [true])
        }
    }

    /// Runs a closure with a store in which a running gateway awaits trust.
    private func withAwaiting(
        certificate: GatewayCertificate?,
        misbehaviour: Misbehaviour? = nil,
        _ body: @escaping @Sendable (StoreOfTool, GatewayServer) async throws -> Void
    ) async throws {
        let endpoint = Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 0)
        let configuration = GatewayServerConfiguration(
            endpoint: endpoint,
            certificate: certificate,
            misbehaviour: misbehaviour
        )
        let state = GatewayState(fingerprint: try #require(GatewayFingerprint("abc")), name: "Home", bots: [])
        try await GatewayServer.withServer(state, configuration, logger: Self.logger) { server in
            var pairing = try Pairings.pairing("Old Pad", id: "c", trust: .awaited)
            pairing.endpoints = []
            pairing.remoteURL = "ws://\(server.endpoint)"
            try await StoreOfTool.with([pairing]) { try await body($0, server) }
        }
    }

    /// The operation asks the gateway itself, and trusts nothing else than what the user was shown: an agent has nobody to
    /// ask. Whoever decides later, about what awaits trust no more, is told so.
    @Test func theOperationTrustsOnlyWhatWasShown() async throws {
        let certificate = try GatewayCertificate.make(commonName: "clawradar")
        let other = try #require(LeafFingerprint(bytes: Array(repeating: 2, count: 32)))
        try await withAwaiting(certificate: certificate) { store, server in
            let store = try store.open()
            let radar = InProcessRadar(store, version: "1")
            let pairing = try #require(try store.pairings().first)
            let awaited = TrustReport(.awaited)
            let wrong: [(NewTrust, TrustReport?, RadarError.Code)] = [
                (.leaf(other), awaited, .notReached),
                (.leaf(other, unseen: true), awaited, .notReached),
                (.leaf(certificate.fingerprint, at: Rows.endpoint()), awaited, .inapplicable),
                (.place(.address, "\(server.endpoint)"), awaited, .inapplicable),
                (.leaf(certificate.fingerprint), TrustReport(.pinned(other)), .contested),
            ]
            for (trust, shown, code) in wrong {
                let error = await #expect(throws: RadarError.self) {
                    try await radar.trust(trust, in: pairing.id, shown: shown)
                }
                #expect(error?.code == code, "\(error?.description ?? "")")
                #expect(try store.pairing(pairing.id) == pairing)
            }
            let right = NewTrust.leaf(certificate.fingerprint, at: server.endpoint)
            _ = try await radar.trust(right, in: pairing.id, shown: awaited)
            #expect(try store.pairing(pairing.id)?.trust == .pinned(certificate.fingerprint))
            let late = await #expect(throws: RadarError.self) {
                try await radar.trust(.leaf(other), in: pairing.id, shown: awaited)
            }
            #expect(late?.code == .contested)
        }
    }

    /// Trust in all of the network is neither dropped nor given unseen.
    @Test func theExtentThatWasAskedForIsKept() async throws {
        try await trust(["--trust", "lan"]) { result, server in
            #expect(result.status == 64, "\(result.errors)")
            #expect(result.errors.contains("--trust lan --address \(server.endpoint)"), "\(result.errors)")
        }
    }

    /// A gateway with TLS is trusted by its certificate alone, and says so instead of dropping the option.
    @Test(arguments: [[], ["--address", "127.0.0.1"]] as [[String]])
    func withTLSThereIsNoPlainTrust(options: [String]) async throws {
        let certificate = try GatewayCertificate.make(commonName: "clawradar")
        try await trust(["--trust", "address"] + options, certificate: certificate) { result, _ in
            #expect(result.status == 64, "\(result.errors)")
            #expect(result.errors.contains("it has TLS") && result.errors.contains("--certificate"), "\(result.errors)")
        }
    }

    /// A backend is not chosen where nothing is looked for: neither for one that awaits trust nor for a new certificate.
    @Test(
        arguments: [[], ["--certificate", String(repeating: "5f", count: 32)], ["--trust", "address"]] as [[String]]
    )
    func whereNothingIsLookedForThereIsNoBackend(options: [String]) async throws {
        try await trust(options + ["--backend", "embedded"]) { result, _ in
            #expect(result.status == 64, "\(result.errors)")
            #expect(result.errors.contains("--backend"), "\(result.errors)")
        }
    }

    /// Something that never says a word is given up when the time is up.
    @Test func itIsAskedUntilTheTimeIsUp() async throws {
        try await trust(["--timeout", "0.1"], misbehaviour: .silent) { result, _ in
            #expect(result.status == 1, "\(result.errors)")
            #expect(result.errors.contains("--timeout"), "\(result.errors)")
        }
    }

    /// Trust in all of a network that cannot be told from others is refused before anybody is asked.
    @Test func whereNoRouterTellsTheNetworkOnlyThePlaceCanBeTrusted() throws {
        let network = NetworkObservation(
            prefix: try #require(IPAddress("192.0.2.0")),
            prefixLength: 24,
            router: .none,
            gateway: .at([2, 0, 0, 0, 0, 1])
        )
        let offer = PairingOffer(
            gatewayID: .candidate(.endpoint(Rows.endpoint())),
            name: "Home",
            dialect: .optaplus,
            endpoint: Rows.endpoint(),
            network: network
        )
        try InProcessRadar.check(offer, .address, at: nil)
        let error = #expect(throws: RadarError.self) { try InProcessRadar.check(offer, .lan, at: nil) }
        let failure = error?.commandFailure
        #expect(failure?.status == .unavailable && failure?.message.contains("--trust address") == true)
    }

    /// The question names everybody who gets the tokens.
    @Test func theQuestionSaysWhoGetsTheTokens() throws {
        let plain = PairingOffer(
            gatewayID: .candidate(.endpoint(Rows.endpoint())),
            name: "Home",
            dialect: .optaplus,
            endpoint: Rows.endpoint()
        )
        #expect(AwaitedTrust.extent(plain, .address).hasSuffix("to whoever has this address in this network"))
        #expect(AwaitedTrust.extent(plain, .lan).hasSuffix("to whoever answers in this network"))
        let sealed = PairingOffer(
            gatewayID: .candidate(.endpoint(Rows.endpoint())),
            name: "Home",
            dialect: .optaplus,
            endpoint: Rows.endpoint(),
            leaf: LeafFingerprint(String(repeating: "5f", count: 32))
        )
        #expect(AwaitedTrust.extent(sealed, .lan).isEmpty)
    }
}
