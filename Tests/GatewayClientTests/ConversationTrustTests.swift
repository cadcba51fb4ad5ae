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
        let own = try TestCertificate.named
        let cases: [(host: String, roots: [NIOSSLCertificate]?, code: GatewayConnectionError.Code?)] = [
            (TestCertificate.host, [own], nil), (TestCertificate.host, nil, .untrusted),
            ("other.test", [own], .untrusted), ("127.0.0.1", [own], .untrusted),
        ]
        for (host, roots, code) in cases {
            let behaviour = Server.behaviour { [Server.answer($0.id)] }
            try await TestServer.run(behaviour, tls: true, isNamed: true) { server in
                let error = await connectionError {
                    try await Dialer.run(limits: .session) { dialer in
                        var dialer = dialer
                        dialer.trustRoots = roots
                        return try await GatewayConversation.converse(
                            [server.endpoint],
                            transport: .certified(host: host),
                            resource: "/",
                            dialer: dialer
                        ) { gateway in
                            _ = try await gateway.request("a")
                            #expect(gateway.path.leaf != nil)
                        }
                    }
                }
                #expect(error?.code == code, "\(host)")
                guard code == nil else {
                    #expect(server.received.bytes.isEmpty)
                    return
                }
                #expect(server.received.text.contains("Host: \(host):\(server.endpoint.port)\r\n"))
            }
        }
    }
}
