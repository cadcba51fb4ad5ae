import DNSSD
import Foundation
import GatewayProtocol
import Logging
import Pairing
import ReferenceGateway
import Testing

@testable import Commands
@testable import Console

/// `clawradar trust` for a gateway with another certificate: a slip of the pen must not end a pairing, since nobody could
/// ever prove to be the gateway by digits that nobody has.
@Suite(.timeLimit(.minutes(1))) struct AcceptedCertificateTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let wrong = String(repeating: "ab", count: 32)

    /// A store in which a running gateway is paired that has another certificate now.
    private func with(
        _ body: @escaping @Sendable (StoreOfTool, _ shown: LeafFingerprint, GatewayServer) async throws -> Void
    ) async throws {
        let certificate = try GatewayCertificate.make(commonName: "clawradar")
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: try #require(IPAddress("127.0.0.1")), port: 0),
            certificate: certificate
        )
        let state = GatewayState(fingerprint: try #require(GatewayFingerprint("abc")), name: "Home", bots: [])
        try await GatewayServer.withServer(state, configuration, logger: Self.logger) { server in
            var pairing = try Pairings.pairing("Home", id: "a", fingerprint: "abc")
            pairing.endpoints = [server.endpoint]
            try await StoreOfTool.with([pairing]) { try await body($0, certificate.fingerprint, server) }
        }
    }

    private static func trust(in store: StoreOfTool) throws -> TrustPolicy? { try store.open().pairings().first?.trust }

    /// One wrong digit, or any others, leave the pin as it is; both certificates are named.
    @Test func digitsThatNobodyShowsAreRefusedWithoutATerminal() async throws {
        try await with { store, shown, _ in
            let before = try Self.trust(in: store)
            let slip = (shown.description.hasPrefix("0") ? "1" : "0") + shown.description.dropFirst()
            for digits in [slip, Self.wrong] {
                let result = try await store.run(["trust", "Home", "--certificate", digits])
                #expect(result.status == 64, "\(result.transcript)")
                #expect(result.errors.contains("\(shown)") && result.errors.contains(digits), "\(result.errors)")
                #expect(try Self.trust(in: store) == before)
            }
            let right = try await store.run(["trust", "Home", "--certificate", shown.description.uppercased()])
            #expect(right.status == 0, "\(right.transcript)")
            #expect(try Self.trust(in: store) == .pinned(shown))
        }
    }

    /// While nobody is there, nothing can be compared; where the user says that it is, it can.
    @Test func whereTheUserSaysItIsItIsAsked() async throws {
        try await with { store, shown, server in
            try store.open().update(try #require(PairingID(String(repeating: "a", count: 32)))) { pairing in
                pairing.endpoints = [Endpoint(address: server.endpoint.address, port: 1)]
            }
            let before = try Self.trust(in: store)
            let silent = try await store.run(["trust", "Home", "--certificate", "\(shown)"])
            #expect(silent.status == 1 && silent.errors.contains("nobody shows"), "\(silent.transcript)")
            #expect(try Self.trust(in: store) == before)
            let result = try await store.run([
                "trust", "Home", "--certificate", "\(shown)", "--address", "\(server.endpoint)",
            ])
            #expect(result.status == 0, "\(result.transcript)")
            let stored = try store.open().pairings().first
            #expect(stored?.trust == .pinned(shown) && stored?.endpoints.first == server.endpoint)
        }
    }

    /// At a terminal the trusted digits and the new ones are shown one below the other, and the answer decides.
    @Test(arguments: [false, true]) func bothAreShownAndAsked(isAgreed: Bool) async throws {
        try await with { store, shown, _ in
            let before = try Self.trust(in: store)
            let command = [Tool.executable.path, "trust", "Home"]
            let terminal = try PseudoTerminal(command, environment: store.environment, columns: 120)
            let text = try await terminal.wait(for: "[y/N] ")
            #expect(text.contains("  trusted  sha256 \(String(repeating: "5f", count: 32))\r\n"), "\(text)")
            #expect(text.contains("  now      sha256 \(shown) at"), "\(text)")
            let (status, rest) = try await terminal.end(answering: isAgreed ? "y" : "n")
            #expect(status == (isAgreed ? 0 : 130), "\(rest)")
            #expect(try Self.trust(in: store) == (isAgreed ? .pinned(shown) : before))
        }
    }

    /// Digits that are not shown are asked about with those that are.
    @Test func otherDigitsAreAskedAbout() async throws {
        try await with { store, shown, _ in
            let command = [Tool.executable.path, "trust", "Home", "--certificate", Self.wrong]
            let terminal = try PseudoTerminal(command, environment: store.environment, columns: 120)
            let text = try await terminal.wait(for: "[y/N] ")
            #expect(text.contains("  given    sha256 \(Self.wrong)\r\n  shown    sha256 \(shown)\r\n"), "\(text)")
            #expect(try await terminal.end(answering: "n").status == 130)
        }
    }
}
