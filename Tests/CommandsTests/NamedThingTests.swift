import DNSSD
import GatewayClient
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console
@testable import Pairing

/// The lookup of the target of `probe NAME`.
@Suite struct NamedThingTests {
    private static func endpoints(_ name: String, _ events: [BotMapEvent]) throws -> [Endpoint] {
        try NamedThing.target(name, in: Rows.snapshot(events)).endpoints
    }

    private static func failure(_ name: String, _ events: [BotMapEvent]) throws -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try NamedThing.target(name, in: Rows.snapshot(events))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["Home", "home", "HOME"])
    func aGatewayIsFoundByItsName(name: String) throws {
        #expect(try Self.endpoints(name, try Rows.mixed()) == [Rows.endpoint()])
    }

    /// A bot, a gateway and its bot, and the beginning of a name lead to a gateway, as with every verb.
    @Test(arguments: ["Jarvis", "Home/jarvis", "Ho", "10.0.0.2:3000", "h o m e", "fingerprint:abc123"])
    func theRulesAreThoseOfAllVerbs(name: String) throws {
        #expect(try Self.endpoints(name, try Rows.mixed()) == [Rows.endpoint()])
    }

    /// The names of this device lead there as well: that of a pairing, of its bots' gateway, and its identifier.
    @Test(arguments: ["Chat", "Werkstatt", "werk", "Chat/jarvis", "cccccccc"])
    func theNamesOfThisDeviceLeadThere(name: String) throws {
        var pairing = try Pairings.pairing("Werkstatt", id: "c", fingerprint: "abc123")
        pairing.formerName = "Chat"
        let snapshot = Rows.snapshot(try Rows.mixed())
        let known = KnownNames(pairings: [pairing], aliases: [])
        #expect(try NamedThing.target(name, in: snapshot, known: known).endpoints == [Rows.endpoint()])
    }

    /// What was unpaired, or has ended its pairing, is paired anew by the name that it had, as is said then, also where nobody
    /// advertises it; once it is paired again, the former pairing leads nowhere.
    @Test func whatIsInTheBinIsPairedAnewByItsName() throws {
        let former = try Pairings.pairing("Werkstatt", id: "c", fingerprint: "abc123")
        let bin = [BinnedPairing(pairing: former, reason: .revoked("not-paired"), time: 0, isWhole: true)]
        let known = KnownNames.none.adding(bin, called: "werkstatt")
        #expect(known.pairings == [former])
        let things = PairingSubject.nameables(Rows.snapshot(try Rows.mixed()).gateways, known: known)
        #expect(NameSearch.wholeMatches("Werkstatt", among: things).count == 1)
        #expect(KnownNames.none.adding(bin, called: "Other").pairings.isEmpty)
        let again = KnownNames(
            pairings: [try Pairings.pairing("Werkstatt", id: "d", fingerprint: "abc123")],
            aliases: []
        )
        #expect(again.adding(bin, called: "Werkstatt").pairings == again.pairings)
    }

    /// Something that is no gateway is found by its name as well: the user may want to know why it is none.
    @Test func whatIsNoGatewayIsFoundToo() throws {
        #expect(try Self.endpoints("10.0.0.4:3000", try Rows.mixed()) == [Rows.endpoint(4)])
    }

    /// If several gateways have one name, none is probed and the message lists all of them: anybody can use the name of
    /// a gateway.
    @Test func whereSeveralHaveOneNameNoneIsAsked() throws {
        let twin = Rows.gateway(fingerprint: "another", name: "Home")
        let events = try Rows.mixed() + [.endpointAdded(Rows.endpoint(9), .local), .probed(Rows.endpoint(9), twin)]
        let failure = try #require(try Self.failure("Home", events))
        #expect(failure.status == .usage)
        #expect(failure.message.contains("10.0.0.2:3000") && failure.message.contains("10.0.0.9:3000"), "\(failure)")
    }

    /// A name that nothing has is a failure, whose message quotes it without control characters.
    @Test func whatIsNotThereIsSaid() throws {
        let failure = try #require(try Self.failure("Nobody\u{1B}[2J", try Rows.mixed()))
        #expect(failure.status == .nothingFound)
        #expect(failure.message.contains("Nobody") && !failure.message.contains("\u{1B}"), "\(failure)")
    }

    /// A password is not repeated in the message: an address that contains a password with a space is taken for a name.
    @Test func aSecretIsNotRepeated() throws {
        let failure = try #require(try Self.failure("me:my hunter2@studio:1", try Rows.mixed()))
        #expect(failure.message.contains("“…@studio:1”") && !failure.message.contains("hunter2"), "\(failure)")
    }

    /// An address that must not be contacted, such as one of this host, is not probed by its name either.
    @Test func whatIsRefusedIsNotAsked() throws {
        let events: [BotMapEvent] = [
            .endpointAdded(Rows.endpoint(8), .local),
            .probed(Rows.endpoint(8), .nothing(.notAllowed(.ownAddress))),
        ]
        let failure = try #require(try Self.failure("10.0.0.8:3000", events))
        #expect(failure.message.contains("not contacted"), "\(failure)")
    }

    /// A service without an address is not probed, and the message says that it is not resolved.
    @Test func whatHasNoAddressIsSaid() throws {
        let failure = try #require(try Self.failure("lost", try Rows.mixed()))
        #expect(failure.message.contains("not resolved"), "\(failure)")
    }
}
