import DNSSD
import Foundation
import GatewayClient
import GatewayProtocol
import Logging
import ReferenceGateway
import Scanning
import Synchronization
import Testing

@testable import Pairing

/// The secrets and requests that are sent at pairing, and to whom, seen from gateways that the user does not mean.
extension PairingCoordinatorTests {
    /// Returns a change of a gateway's fingerprint.
    private static func claiming(_ text: String) -> @Sendable (inout GatewayState) -> Void {
        { state in if let fingerprint = GatewayFingerprint(text) { state.fingerprint = fingerprint } }
    }

    /// A paired gateway whose fingerprint is answered over another certificate, or without TLS, is not paired with
    /// anew: it may be another host. Nothing is asked of it.
    @Test(arguments: [true, false]) func aPairedGatewayThatLooksDifferentIsNotPairedAnew(hasTLS: Bool) async throws {
        try await with(change: Self.claiming("home")) { real in
            let id = try await real.coordinator.pair(real.target) {
                $0.isQuestion ? .confirm(PairingConsent()) : nil
            }
            try await self.with(tls: hasTLS, change: Self.claiming("home")) { other in
                let error = await #expect(throws: PairingError.self) {
                    try await real.coordinator.pair(other.target) {
                        $0.isQuestion ? .confirm(PairingConsent(plainTrust: .address)) : nil
                    }
                }
                #expect(error?.code.description == "changedLeaf")
                #expect(await other.server.state.pairings.isEmpty)
            }
            #expect(try real.store.pairings().map(\.id) == [id])
        }
    }

    /// The gateway is asked who it is on the very connection that carries the one-time token, before the token: a
    /// front may lead to another gateway each time.
    @Test func anotherGatewayGetsNoOneTimeToken() async throws {
        try await with { house in
            let before = await house.server.state
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(house.target) { state in
                    guard case .confirming = state else { return nil }
                    await house.server.change(Self.claiming("another"))
                    return .confirm(PairingConsent())
                }
            }
            #expect(error?.code == .anotherGateway)
            #expect(await house.server.state.pairings == before.pairings, "it was asked to pair")
        }
    }

    /// What a scan has found is asked by the name by which this very gateway was paired there. Behind a front, the name of
    /// another pairing leads to another gateway, which would get its secret.
    @Test func aGatewayIsAskedByItsOwnNameAlone() async throws {
        try await with { house in
            let place = house.server.endpoint
            let named = Endpoint(
                address: place.address,
                port: place.port,
                serverName: ServerName("kitchen.example")
            )
            var pairing = PairingSamples.pairing(.pinned(try PairingSamples.leaf(7)), at: [named])
            pairing.gatewayID = "endpoint:\(named)"
            try house.store.insert(pairing, secrets: [:])
            let own = try #require(await house.coordinator.gatewayID(of: pairing))
            let other = GatewayID.candidate(.endpoint(place))
            let leaf = try PairingSamples.leaf(7)
            var target = PairingTarget(place: .endpoints([place]), gatewayID: own)
            #expect(await house.coordinator.resolve(target) == [named])
            // The map has not recognized it, and it says that it is another one.
            target = PairingTarget(place: .endpoints([place]), gatewayID: other, leaf: leaf, fingerprint: nil)
            #expect(await house.coordinator.resolve(target) == [place])
            target.fingerprint = pairing.fingerprint
            #expect(await house.coordinator.resolve(target) == [named])
            // With two that were paired there, nobody can tell which is meant.
            let bath = PairingSamples.pairing(.pinned(leaf), gatewayID: "\(other)", fingerprint: "bath", at: [place])
            try house.store.insert(bath, secrets: [:])
            #expect(await house.coordinator.resolve(target) == [place])
        }
    }

    /// A setup code is for the gateway that it names. It is not sent to another one.
    @Test(arguments: ["wss://10.9.9.9:18789", "wss://127.0.0.1:1", "ws://127.0.0.1:PORT"])
    func aSetupCodeForAnotherPlaceIsNotSent(url: String) async throws {
        try await openClaw { house in
            let url = url.replacingOccurrences(of: "PORT", with: "\(house.server.endpoint.port)")
            let code = Base64.url.encode(Array(#"{"url":"\#(url)","bootstrapToken":"boot"}"#.utf8))
            let asked = Mutex(0)
            let error = await #expect(throws: PairingError.self) {
                try await house.coordinator.pair(house.target) { state in
                    switch state {
                    case .confirming: return .confirm(PairingConsent())
                    case .secretNeeded:
                        guard
                            asked.withLock({ count in
                                count += 1
                                return count
                            }) == 1
                        else { return .cancel }
                        return .secret(SecretAnswer(.setupCode, Secret(code)))
                    default: return nil
                    }
                }
            }
            #expect(error?.code == .anotherGateway)
            #expect(asked.withLock { $0 } == 1, "it was sent, and refused")
        }
    }

    /// Nobody who consents in advance gives the token of a gateway to whatever answers: it goes only to the certificate
    /// whose digits were given.
    @Test func theSharedTokenGoesUnseenOnlyToTheGivenCertificate() async throws {
        try await openClaw { house in
            let leaf = try #require(house.certificate?.fingerprint)
            let other = try #require(LeafFingerprint(String(repeating: "0a", count: 32)))
            var (right, wrong) = (house.target, house.target)
            right.demand(leaf)
            wrong.demand(other)
            for (target, code) in [
                (house.target, ErrorCode<PairingError>.unproved), (wrong, .anotherGateway), (right, .cancelled),
            ] {
                let error = await #expect(throws: PairingError.self) {
                    try await house.coordinator.pair(target) { state in
                        switch state {
                        case .confirming: .confirm(PairingConsent(isInAdvance: true, secrets: [.sharedToken]))
                        case .secretNeeded: .secret(SecretAnswer(.sharedToken, Secret("shared-token")))
                        case .approvalNeeded: .cancel
                        default: nil
                        }
                    }
                }
                #expect(error?.code == code)
                #expect(await (house.server.state.openClaw.requests == PairingRequests()) == (target != right))
            }
        }
    }

    /// The name that the user gives is that of the pairing, also of an existing one.
    @Test func thePairingHasTheNameThatTheUserGives() async throws {
        try await with { house in
            for name in ["Kitchen", nil, "Hall"] {
                let id = try await house.coordinator.pair(house.target) {
                    $0.isQuestion ? .confirm(PairingConsent(name: name)) : nil
                }
                #expect(try house.store.pairing(id)?.name == name ?? "Kitchen")
            }
        }
    }

    /// Steps that can fail on this device are tried before the gateway is asked to pair: with a store that cannot keep
    /// the token, none is issued.
    @Test func aStoreThatCannotKeepATokenAsksForNone() async throws {
        let notes = NoteLog()
        try await with(logger: notes.logger) { house in
            try FileManager.default.removeItem(atPath: house.location.keyFile)
            let sealed = try PairingStore(house.location)
            let coordinator = PairingCoordinator(
                store: sealed,
                constellation: house.constellation,
                configuration: PairingConfiguration(version: "1"),
                logger: Self.logger
            )
            let error = await #expect(throws: PairingError.self) {
                try await coordinator.pair(house.target) { $0.isQuestion ? .confirm(PairingConsent()) : nil }
            }
            #expect(error?.code == .notStored)
            #expect(error?.storeError?.code == .sealed)
            #expect(!notes.lines.contains { $0.contains("paired device") })
        }
    }
}

/// The notes of a reference gateway.
final class NoteLog: Sendable {
    private let noted = Mutex<[String]>([])

    var lines: [String] { noted.withLock { $0 } }

    var logger: Logger {
        Logger(label: "gateway") { _ in Handler(log: self) }
    }

    private struct Handler: LogHandler {
        let log: NoteLog
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.noted.withLock { $0.append("\(event.message)") } }
    }
}
