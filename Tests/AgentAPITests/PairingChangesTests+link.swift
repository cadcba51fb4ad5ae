import DNSSD
import GatewayProtocol
import Reports
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Pairing

/// The links that are made by requests.
extension PairingChangesTests {
    /// A link without a session has no secret, and is what the verb prints; its QR code has no frame, which whoever draws it
    /// adds.
    @Test func aLinkIsThatOfTheVerb() async throws {
        try await withAgent { agent, store in
            let address = try #require(IPAddress("192.168.1.20", interfaces: []))
            try store.update(pairing.id) { $0.endpoints = [Endpoint(address: address, port: 18_789)] }
            let answer = try await Self.ask(agent, "link", #"{"pairing":"\#(pairing.id)"}"#)
            #expect(answer.status == 200, "\(answer.text)")
            var document = try #require(try JSONValue(parsing: Array(answer.text.utf8)).object)
            if let modules = document.removeValue(forKey: "modules")?.array?.compactMap(\.string) {
                // The mark in the corner.
                #expect(modules.first?.hasPrefix("11111110") == true)
                #expect(modules.allSatisfy { $0.utf8.count == modules.count })
                #expect(Set(modules.joined()) == ["0", "1"])
            }
            let stored = try #require(try store.pairing(pairing.id))
            let expected = try LinkReport(stored)
            #expect(try JSONValue(parsing: Array(expected.line.utf8)).object == document)
            #expect(document["hasSecret"] == false && document["code"] == .null)
        }
    }

    /// To a gateway that nobody has trusted there is no link.
    @Test func whatAwaitsTrustHasNoLink() async throws {
        try await withAgent { agent, store in
            try store.update(pairing.id) { $0.trust = .awaited }
            let answer = try await Self.ask(agent, "link", #"{"pairing":"\#(pairing.id)"}"#)
            #expect(answer.status == 409 && answer.text.hasPrefix("no link to"), "\(answer.text)")
        }
    }
}
