import DNSSD
import GatewayProtocol
import NIOSSL
import Testing

@testable import GatewayClient

/// The certificates that a conversation accepts.
@Suite(.timeLimit(.minutes(1))) struct ConversationTrustTests {
    private typealias Server = ConversationServer

    /// A gateway with another certificate than the pinned one gets not a single byte, and the error contains the
    /// certificate that was found.
    @Test func anotherLeafGetsNothing() async throws {
        let pin = try #require(LeafFingerprint(String(repeating: "ab", count: 32)))
        try await TestServer.run(Server.behaviour { _ in [] }, tls: true) { server in
            let error = await connectionError {
                let transport = GatewayTransport.tls(pin: pin)
                try await GatewayConversation.withConversation(to: [server.endpoint], transport: transport) { _ in }
            }
            #expect(error?.code == .wrongLeaf)
            #expect(error?.leaf == LeafFingerprint(TestCertificate.sha256))
            #expect(server.received.bytes.isEmpty)
        }
    }

    /// A host is accepted only if its certificate is valid for the host name and signed by a trusted root.
    @Test func aHostIsProvedByItsCertificate() async throws {
        let own = TestCertificate.named
        let cases: [(host: String, root: String?, code: GatewayConnectionError.Code?)] = [
            (TestCertificate.host, own, nil), (TestCertificate.host, nil, .untrusted),
            ("GATEWAY.Test.", own, nil), ("other.test", own, .untrusted), ("127.0.0.1", own, .untrusted),
        ]
        for (host, root, code) in cases {
            #expect(try await Self.outcome(host, own, root: root) == code, "\(host)")
        }
    }

    /// A trusted certificate proves a host name only by naming it: not by the address that the host name leads to,
    /// which whoever answers a DNS query chooses, and not by anything that merely resembles it.
    @Test func aCertificateOfAnotherKindProvesNoHost() async throws {
        let cases: [(title: String, certificate: String, code: GatewayConnectionError.Code?)] = [
            ("address", TestCertificate.forAddress, .untrusted),
            ("common name", TestCertificate.withoutNames, .untrusted),
            ("part of a label", TestCertificate.withPartOfLabel, .untrusted),
            ("mail and URI", TestCertificate.forOtherUses, .untrusted),
            ("wildcard", TestCertificate.withWildcard, nil),
        ]
        for (title, certificate, code) in cases {
            let found = try await Self.outcome(TestCertificate.host, certificate, root: certificate)
            #expect(found == code, "\(title)")
        }
    }

    /// Connects to a server for a host name; returns the error, with which nothing may have been sent.
    private static func outcome(
        _ host: String,
        _ certificate: String,
        root: String?
    ) async throws -> GatewayConnectionError.Code? {
        let roots = try root.map { [try NIOSSLCertificate(bytes: Array($0.utf8), format: .pem)] }
        let behaviour = Server.behaviour { [Server.answer($0.id)] }
        return try await TestServer.run(behaviour, tls: true, named: certificate) { server in
            let error = await connectionError {
                try await Dialer.run(limits: .session) { dialer in
                    var dialer = dialer
                    dialer.trustRoots = roots
                    return try await GatewayConversation.converse(
                        [server.endpoint],
                        transport: .certified(host: host),
                        dialer: dialer
                    ) { gateway in
                        _ = try await gateway.request("a")
                        #expect(gateway.path.leaf != nil)
                    }
                }
            }
            if error == nil {
                #expect(server.received.text.contains("Host: \(host):\(server.endpoint.port)\r\n"))
            } else {
                #expect(server.received.bytes.isEmpty)
            }
            return error?.code
        }
    }
}
