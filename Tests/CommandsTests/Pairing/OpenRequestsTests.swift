import ArgumentParser
import DNSSD
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Commands
@testable import Pairing

/// The pairings that the agent has begun, as `doctor` learns of them from the very document that the agent sends.
@Suite struct OpenRequestsTests {
    private static func endpoint(_ address: String) throws -> Endpoint {
        Endpoint(address: try #require(IPAddress(address)), port: 18_789)
    }

    /// Returns a pairing at an address that waits since a time, or, without one, that asks for a confirmation.
    private static func pairing(_ address: String, since: Int?, request: String?) throws -> JSONValue {
        let offer = PairingOffer(
            gatewayID: .candidate(.endpoint(try endpoint(address))),
            name: "Home",
            dialect: .openClaw,
            endpoint: try endpoint(address),
            leaf: LeafFingerprint(String(repeating: "5f", count: 32))
        )
        var pairing = OpenPairing(id: address, start: .now, end: .now, bots: nil, name: nil)
        pairing.enter(.pairing(.confirming(offer)))
        guard let since else { return OpenPairingDocument(pairing).json }
        pairing.enter(.pairing(.pairing(offer)))
        let refusal = SessionRefusal(dialect: .openClaw, reason: .notPaired, credential: .none, requestID: request)
        let approval = PairingApproval(refusal: refusal, since: since, lastConfirmed: since)
        pairing.enter(.pairing(.approvalNeeded(approval)))
        return OpenPairingDocument(pairing).json
    }

    @Test func aRequestIsFoundAtItsGateway() throws {
        let (home, other) = (try Self.endpoint("10.0.0.2"), try Self.endpoint("10.0.0.3"))
        let requests = OpenRequests(
            .object([
                "pairings": .array([
                    try Self.pairing("10.0.0.3", since: nil, request: nil),
                    try Self.pairing("10.0.0.2", since: 2_000, request: "r-2"),
                    try Self.pairing("10.0.0.2", since: 1_000, request: "r-1"),
                ])
            ])
        )
        let expected = WaitingRequest(
            dialect: .openClaw,
            since: 1_000,
            id: "r-1",
            command: "openclaw devices approve r-1"
        )
        #expect(requests.request(at: nil, [home, other]) == expected)
        #expect(requests.request(at: "\(GatewayID.candidate(.endpoint(home)))", []) == expected)
        #expect(requests.request(at: nil, [other]) == nil && requests.request(at: nil, []) == nil)
        #expect(requests.request(at: "fingerprint:abc", [other]) == nil)
    }

    /// An agent that is not to be asked is asked for nothing, whatever was typed.
    @Test(arguments: [["--no-agent"], []]) func anAgentIsAskedUnlessToldOtherwise(options: [String]) throws {
        let agent = try MortalAgent("HTTP/1.1 200 OK\r\nClawradar-Version: 1\r\nContent-Length: 2\r\n\r\n{}")
        let home = try Self.endpoint("10.0.0.2")
        let client = AgentClient(socket: agent.path)
        let requests = OpenRequests.ask(try AgentOption.parse(options), at: client)
        #expect(requests.request(at: nil, [home]) == nil)
        #expect(agent.asked == (options.isEmpty ? ["/api/v1/pair"] : []))
    }

    @Test func whatIsNoAnswerHasNoRequests() throws {
        let home = try Self.endpoint("10.0.0.2")
        let bare: JSONValue = .object(["state": "approvalNeeded"])
        for json in [JSONValue.null, .object([:]), .object(["pairings": .array([bare])])] {
            #expect(OpenRequests(json).request(at: nil, [home]) == nil)
        }
    }
}
