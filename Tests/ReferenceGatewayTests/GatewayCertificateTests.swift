import DNSSD
import GatewayClient
import GatewayProtocol
import Logging
import Testing

@testable import ReferenceGateway

/// The certificate by which a gateway is recognized.
@Suite(.timeLimit(.minutes(1))) struct GatewayCertificateTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func isKeptWithTheState() throws {
        var state = try GatewayState.example
        state.certificate = try .make(commonName: "clawradar-gateway")
        let again = try GatewayState(json: try JSONValue(parsing: state.json.encoded))
        #expect(again == state)
        #expect(again.certificate?.fingerprint == state.certificate?.fingerprint)
    }

    @Test func isAnotherOneEachTime() throws {
        let first = try GatewayCertificate.make(commonName: "a")
        #expect(try GatewayCertificate.make(commonName: "a").fingerprint != first.fingerprint)
    }

    /// A certificate without its own key is refused when the state is read; otherwise every handshake would fail later.
    @Test func anIncompleteCertificateIsRefused() throws {
        let first = try GatewayCertificate.make(commonName: "a")
        let second = try GatewayCertificate.make(commonName: "a")
        let certificate = try #require(first.json["certificate"])
        for key in [second.json["key"], "", nil] {
            var state = try GatewayState.example.json.object ?? [:]
            state["tls"] = .object(["certificate": certificate, "key": key ?? .null])
            #expect(throws: ReferenceGatewayError.self) { try GatewayState(json: .object(state)) }
        }
    }

    @Test func noDescriptionHoldsTheKey() throws {
        let certificate = try GatewayCertificate.make(commonName: "a")
        var text = ""
        dump(certificate, to: &text)
        #expect(!("\(certificate)" + text).contains("PRIVATE KEY"))
    }

    /// A probe reports the certificate, both with a hint from an advertisement and with the address alone.
    @Test(arguments: [GatewayDialect.optaplus, .openClaw])
    func theProbeFindsItByItsTXTRecordAndByItsAddressAlone(dialect: GatewayDialect) async throws {
        let certificate = try GatewayCertificate.make(commonName: "clawradar-gateway")
        let address = try #require(IPAddress("127.0.0.1"))
        let configuration = GatewayServerConfiguration(
            endpoint: Endpoint(address: address, port: 0),
            dialect: dialect,
            certificate: certificate
        )
        try await GatewayServer.withServer(try .example, configuration, logger: logger) { server in
            let record = try await server.state.txtRecord(for: dialect, port: 3_000, leaf: certificate.fingerprint)
            #expect(record.value(forKey: "gatewayTls") == .bytes(Array("1".utf8)))
            #expect((record.value(forKey: "gatewayTlsSha256") != nil) == (dialect == .openClaw))
            for hints in [[ProbeHint(expected: dialect)], []] {
                let target = GatewayProbeTarget(
                    endpoints: [server.endpoint],
                    rules: TargetRules(origin: .user),
                    hints: hints
                )
                let report = await GatewayProbe().run(target)
                #expect(report.verdict.dialect == dialect)
                #expect(report.path?.leaf == certificate.fingerprint)
            }
        }
    }
}
