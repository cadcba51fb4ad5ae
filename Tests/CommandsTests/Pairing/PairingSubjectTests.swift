import ArgumentParser
import Constellation
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

    /// With --yes nobody has seen the address that a link names for outside of this network; tokens would go there.
    @Test func whoIsNotAskedKeepsNoAddressOfALink() throws {
        let link = try PairingLink(parsing: "optaplus://pair?host=10.0.0.2&remote=wss://elsewhere.example/")
        let shown = PairingSubject.target(link, isConfirmed: false)
        #expect(shown.target.remoteURL?.host == "elsewhere.example")
        #expect(shown.leftOut == nil)
        let unseen = PairingSubject.target(link, isConfirmed: true)
        #expect(unseen.target.remoteURL == nil)
        #expect(unseen.leftOut?.host == "elsewhere.example")
        // The place that was meant itself.
        let remote = try PairingLink(parsing: "optaplus://pair?remote=wss://bot.example/")
        #expect(PairingSubject.target(remote, isConfirmed: true).leftOut == nil)
    }

    private func things(_ names: String...) -> [Nameable<PairingSubject.Match>] {
        names.enumerated().map { index, name in
            let endpoint = Rows.endpoint(UInt8(index + 2))
            let match = PairingSubject.Match(gateway: .candidate(.endpoint(endpoint)), bot: nil)
            return Nameable(subject: match, names: [name], label: "gateway “\(name)” at \(endpoint)")
        }
    }

    /// Who answers quickly to a name that only begins so ends no look, and is not paired with unseen.
    @Test func theBeginningOfANameIsNoName() throws {
        let alike = things("Home Gateway of Mallory")
        #expect(NameSearch.wholeMatches("Home Gateway", among: alike).isEmpty)
        #expect(NameSearch.wholeMatches("home gateway of mallory", among: alike).count == 1)
        #expect(try PairingSubject.match("Home Gateway", among: alike, isConfirmed: false) == alike[0].subject)
        let failure = #expect(throws: CommandFailure.self) {
            try PairingSubject.match("Home Gateway", among: alike, isConfirmed: true)
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("Home Gateway of Mallory") == true)
        let both = things("Home Gateway of Mallory", "Home Gateway")
        #expect(try PairingSubject.match("Home Gateway", among: both, isConfirmed: true) == both[1].subject)
    }

    @Test func tlsIsTriedFirst() throws {
        let address = try #require(IPAddress("10.0.0.2"))
        #expect(PairingSubject.target(try ProbeAddress("10.0.0.2:3000"), addresses: [address]).transports == .tlsFirst)
        #expect(PairingSubject.target(try ProbeAddress("ws://10.0.0.2"), addresses: [address]).transports == .plainOnly)
    }
}
