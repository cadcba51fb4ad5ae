import DNSSD
import GatewayClient
import GatewayProtocol
import Pairing
import Scanning
import Testing

@testable import Commands

/// The word typed behind `pair` is a link, an address or a name, and leads to the target that was meant.
@Suite struct PairingSubjectTests {
    @Test func whatIsTypedIsToldApart() throws {
        guard case .link(let link) = try PairingSubject("optaplus://pair?host=10.0.0.2&port=3000&token=t0ken") else {
            Issue.record("it is a link")
            return
        }
        #expect(link.token != nil)
        guard case .address = try PairingSubject("10.0.0.2:3000"), case .name = try PairingSubject("Home Gateway")
        else {
            Issue.record("an address and a name")
            return
        }
    }

    /// A link has a one-time token in it.
    @Test func theProblemOfALinkQuotesNothingOfIt() throws {
        let problem = #expect(throws: ArgumentProblem.self) {
            try PairingSubject("optaplus://pair?host=10.0.0.2&port=0&token=t0ken")
        }
        #expect(problem?.description.contains("t0ken") == false)
    }

    @Test(arguments: [
        ("wss://bot.example.org/", "203.0.113.7", true), ("wss://studio.local:18789/", "192.168.1.5", false),
        ("wss://203.0.113.7/", "203.0.113.7", false), ("bot.example.org:443", "203.0.113.7", false),
    ])
    func aHostOutsideIsKnownByItsName(text: String, address: String, isRemote: Bool) throws {
        let target = PairingSubject.target(try ProbeAddress(text), addresses: [try #require(IPAddress(address))])
        if case .remote = target.place { #expect(isRemote) } else { #expect(!isRemote) }
    }

    @Test func tlsIsTriedFirst() throws {
        let address = try #require(IPAddress("10.0.0.2"))
        #expect(PairingSubject.target(try ProbeAddress("10.0.0.2:3000"), addresses: [address]).transports == .tlsFirst)
        #expect(PairingSubject.target(try ProbeAddress("ws://10.0.0.2"), addresses: [address]).transports == .plainOnly)
    }
}
