import DNSSD
import Discovery
import GatewayClient
import GatewayProtocol
import GatewaySamples
import Logging
import Pairing
import ReferenceGateway
import Scanning
import TestSupport
import Testing

@testable import Commands

/// A name leads to a gateway only when everything else that uses the name has been decided.
@Suite(.timeLimit(.minutes(1))) struct NameDoubtTests {
    private let lookTime = TimeLimit(seconds: 5)

    /// Returns the doubt about a name that leads to the row of an endpoint.
    private func doubt(_ name: String, at endpoint: Endpoint, _ events: [BotMapEvent]) throws -> String? {
        let rows = Rows.map(events).gateways
        let row = try #require(rows.first { $0.paths.contains { $0.endpoint == endpoint } })
        return PairingSubject.doubt(name, row, among: rows, within: lookTime)
    }

    /// Another service of the name that has not answered yet may be the one that is meant. One that has failed to
    /// answer is not.
    @Test func whoeverIsSlowerMayBeMeant() throws {
        let slow = Rows.endpoint(2)
        let events: [BotMapEvent] = [
            .endpointAdded(Rows.endpoint(9), .local),
            .probed(Rows.endpoint(9), Rows.gateway(fingerprint: "impostor", name: "home  GATEWAY")),
            .serviceFound(try Fixture.service()),
        ]
        let doubt = try #require(try doubt("Home Gateway", at: Rows.endpoint(9), events))
        #expect(doubt.contains("\(slow)"))
        #expect(doubt.contains("--certificate"))
        #expect(try self.doubt("Home Gateway/Jarvis", at: Rows.endpoint(9), events) != nil)
        let failed = events + [.probed(slow, .nothing(.refused))]
        #expect(try self.doubt("Home Gateway", at: Rows.endpoint(9), failed) == nil)
        #expect(try self.doubt("Another", at: Rows.endpoint(9), events) == nil)
    }

    /// A service whose addresses are not known yet counts too; one that cannot be resolved does not.
    @Test func aServiceWithoutAddressesMayBeMeant() throws {
        let answered: [BotMapEvent] = [
            .endpointAdded(Rows.endpoint(9), .local), .probed(Rows.endpoint(9), Rows.gateway(name: "Lost")),
        ]
        let resolving = answered + [.serviceFound(try Fixture.service(name: "lost", resolution: .resolving))]
        #expect(try doubt("Lost", at: Rows.endpoint(9), resolving) != nil)
        let failed = answered + [.serviceFound(try Fixture.service(name: "lost", resolution: .failed(reason: "none")))]
        #expect(try doubt("Lost", at: Rows.endpoint(9), failed) == nil)
    }

    /// With the digits of a certificate only the rows that show it count.
    @Test func theDigitsDecide() throws {
        let leaf = try #require(LeafFingerprint(String(repeating: "5f", count: 32)))
        let identity = GatewayIdentity(name: "Home", dialect: .openClaw, leaf: leaf)
        let rows = Rows.map([
            .endpointAdded(Rows.endpoint(2), .local), .probed(Rows.endpoint(2), Rows.gateway()),
            .endpointAdded(Rows.endpoint(3), .local), .probed(Rows.endpoint(3), .gateway(identity)),
        ]).gateways
        #expect(rows.count == 2)
        #expect(PairingSubject.rows(rows, showing: nil).count == 2)
        let row = try #require(PairingSubject.rows(rows, showing: leaf).first)
        #expect(row.paths.map(\.endpoint) == [Rows.endpoint(3)])
        let target = try #require(PairingTarget(row, leaf: leaf))
        #expect(target.leafSource == .user)
    }

    /// The search goes on after the first answer until all that is present has answered or failed to: here, something
    /// that accepts connections and never says a word.
    @Test func theSearchWaitsForWhoeverIsSlow() async throws {
        let address = try #require(IPAddress("127.0.0.1"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let state = GatewayState(fingerprint: try #require(GatewayFingerprint("abc")), name: "Home", bots: [])
        let endpoint = Endpoint(address: address, port: 0)
        let silent = GatewayServerConfiguration(endpoint: endpoint, misbehaviour: .silent)
        try await GatewayServer.withServer(state, GatewayServerConfiguration(endpoint: endpoint), logger: logger) {
            fast in
            try await GatewayServer.withServer(state, silent, logger: logger) { slow in
                let manual = [fast.endpoint, slow.endpoint].map { ManualGateway(endpoints: [$0], expected: nil) }
                let backend = FakeBackend()
                let scanner = GatewayScanner(
                    ScannerConfiguration(manualGateways: manual, watches: false),
                    browser: Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
                )
                let time = Duration.seconds(30)
                let start = ContinuousClock.now
                async let search = GatewaySearch(scanner: scanner, timeout: time).run(for: "Home") { rows in
                    rows.contains { $0.name == "Home" }
                }
                await backend.started()
                // Nothing new comes after this, which nobody can be asked about.
                let other = try Fixture.service(name: "Other", resolution: .failed(reason: "no SRV record"))
                backend.send([.status(.running)] + other.sightings.values.map { .sighted($0) })
                let result = try await search
                #expect(ContinuousClock.now - start < time)
                let paths = result.rows.flatMap(\.paths)
                #expect(paths.contains { $0.endpoint == fast.endpoint && $0.outcome?.identity != nil })
                #expect(paths.contains { $0.endpoint == slow.endpoint && !$0.isUndecided })
            }
        }
    }
}
