import Agent
import ArgumentParser
import DNSSD
import GatewayClient
import GatewayProtocol
import Pairing
import Scanning
import Testing

@testable import Commands
@testable import Console

/// The argument of `pair` is a link, an address or a name, and leads to the target that the user meant.
@Suite struct PairingSubjectTests {
    @Test func whatIsTypedIsToldApart() throws {
        guard
            case .invitation(.link(let link)) = try PairingSubject(
                "optaplus://pair?host=10.0.0.2&port=3000&token=t0ken"
            )
        else {
            Issue.record("expected a link")
            return
        }
        #expect(link.token != nil)
        guard case .address = try PairingSubject("10.0.0.2:3000"), case .name = try PairingSubject("Home Gateway")
        else {
            Issue.record("expected an address and a name")
            return
        }
    }

    /// The error for an invalid link quotes nothing of the link, because it contains a one-time token.
    @Test func theProblemOfALinkQuotesNothingOfIt() throws {
        let problem = #expect(throws: ArgumentProblem.self) {
            try PairingSubject("optaplus://pair?host=10.0.0.2&port=0&token=t0ken")
        }
        #expect(problem?.description.contains("t0ken") == false)
    }

    /// A gateway outside of this network is trusted by the certificate for its host name, if the user gave `wss://` and
    /// a name.
    @Test(arguments: [
        ("wss://bot.example.org/", "203.0.113.7", true), ("wss://studio.local:18789/", "192.168.1.5", false),
        ("wss://203.0.113.7/", "203.0.113.7", false), ("bot.example.org:443", "203.0.113.7", false),
    ])
    func aHostOutsideIsKnownByItsName(text: String, address: String, isRemote: Bool) throws {
        let target = PairingTarget(try ProbeAddress(text), addresses: [try #require(IPAddress(address))])
        if case .remote = target.place { #expect(isRemote) } else { #expect(!isRemote) }
    }

    /// With `--yes` the user has not seen the address outside of this network that a link names, and tokens would be
    /// sent there: it is left out.
    @Test func theUnseenRemoteAddressOfALinkIsLeftOut() throws {
        let link = try PairingLink(parsing: "optaplus://pair?host=10.0.0.2&remote=wss://elsewhere.example/")
        let shown = PairingSubject.target(link, isConfirmed: false)
        #expect(shown.target.remoteURL?.host == "elsewhere.example")
        #expect(shown.leftOut == nil)
        let unseen = PairingSubject.target(link, isConfirmed: true)
        #expect(unseen.target.remoteURL == nil)
        #expect(unseen.leftOut?.host == "elsewhere.example")
        // The target of this link is itself the address outside of the network, so that it is kept.
        let remote = try PairingLink(parsing: "optaplus://pair?remote=wss://bot.example/")
        #expect(PairingSubject.target(remote, isConfirmed: true).leftOut == nil)
    }

    private func things(_ names: String...) -> [Nameable<PairingSubject.Match>] {
        names.enumerated().map { index, name in
            let endpoint = Rows.endpoint(UInt8(index + 2))
            let match = PairingSubject.Match(gateway: .candidate(.endpoint(endpoint)), bot: nil)
            return Nameable(subject: match, names: NameKeys(names: [name]), label: "gateway “\(name)” at \(endpoint)")
        }
    }

    /// With `--yes` the beginning of a name is not enough. Another gateway whose name begins alike could answer first;
    /// it must neither end the search nor be paired with unseen.
    @Test func aNamePrefixIsNotEnoughWithYes() throws {
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

    /// A host name that was typed is one that a certificate may prove; an address is not.
    @Test(arguments: [("gw.example:3000", "gw.example"), ("wss://gw.example/", "gw.example"), ("10.0.0.2:3000", nil)])
    func theHostNameThatWasTypedMayBeProved(text: String, host: String?) throws {
        let address = try #require(IPAddress("10.0.0.2"))
        #expect(PairingTarget(try ProbeAddress(text), addresses: [address]).hostName == host)
    }

    /// A gateway is paired with over TLS first, unless the user typed `ws://`.
    @Test func tlsIsTriedFirst() throws {
        let address = try #require(IPAddress("10.0.0.2"))
        #expect(PairingTarget(try ProbeAddress("10.0.0.2:3000"), addresses: [address]).transports == .tlsFirst)
        #expect(PairingTarget(try ProbeAddress("ws://10.0.0.2"), addresses: [address]).transports == .plainOnly)
    }
}
