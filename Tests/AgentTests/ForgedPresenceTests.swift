import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Agent

/// The alarm about a gateway that the user has paired or named: nobody on the network can keep it back, or end it, by records
/// and copied answers.
@Suite struct ForgedPresenceTests {
    /// A record leads the gateway's service to an impostor, which repeats its answers.
    private static func forge(_ watched: inout WatchedMap) {
        watched.advertise([WatchedMap.home, WatchedMap.forged])
        watched.answer(at: WatchedMap.forged, hasLeaf: false)
    }

    private static func expectDeathAndReturn(_ watched: inout WatchedMap, _ comment: Comment) {
        watched.wait(6)
        #expect(watched.presence == ["gone"], comment)
        watched.wait(1_200)
        #expect(watched.presence == ["gone"] && watched.outages == (1, 0), comment)
        watched.answer(at: WatchedMap.home)
        watched.wait(6)
        #expect(watched.presence == ["gone", "back"] && watched.outages == (1, 1), comment)
    }

    /// A paired gateway is never new, nor is what answers in its place or under its fingerprint with another certificate;
    /// one that is merely beside it is.
    @Test(arguments: [WatchedMap.Naming.pairedPlain, .pairedTLS]) func aPairedGatewayIsNotNew(naming: WatchedMap.Naming)
    {
        var watched = WatchedMap(naming)
        watched.begin()
        #expect(watched.newcomers.isEmpty)
        watched.answer(at: WatchedMap.home, showing: LeafFingerprint(bytes: Array(repeating: 9, count: 32)))
        #expect(watched.newcomers.isEmpty)
        watched.advertise([WatchedMap.forged], as: "Attic")
        watched.answer(at: WatchedMap.forged, as: GatewayFingerprint("attic"), hasLeaf: false)
        #expect(watched.newcomers == ["Home"])
    }

    @Test(arguments: WatchedMap.Naming.allCases, ["home", nil])
    func aForgedPathKeepsNothingBack(naming: WatchedMap.Naming, fingerprint: String?) {
        for isBefore in [true, false] {
            var watched = WatchedMap(naming, fingerprint: fingerprint)
            watched.begin()
            if isBefore { Self.forge(&watched) }
            watched.stop(at: WatchedMap.home)
            if !isBefore { Self.forge(&watched) }
            Self.expectDeathAndReturn(&watched, "\(naming) \(fingerprint ?? "-") before: \(isBefore)")
            #expect(watched.told.first == "gone")
        }
    }

    /// A forged goodbye is no death of a gateway that is asked at a place of its user's, and keeps none back. (Of one that has a
    /// name from the user, the browser asks again before it believes a goodbye.)
    @Test(arguments: [WatchedMap.Naming.address, .pairedPlain, .pairedTLS])
    func aForgedGoodbyeIsNoDeath(naming: WatchedMap.Naming) {
        var watched = WatchedMap(naming)
        watched.begin()
        watched.withdraw()
        watched.wait(120)
        #expect(watched.told.isEmpty && watched.outages == (0, 0))
        watched.stop(at: WatchedMap.home)
        Self.expectDeathAndReturn(&watched, "\(naming)")
    }

    /// The message says what answers elsewhere.
    @Test(arguments: [WatchedMap.Naming.address, .alias, .pairedPlain])
    func whatAnswersElsewhereIsSaid(naming: WatchedMap.Naming) {
        var watched = WatchedMap(naming)
        watched.begin()
        Self.forge(&watched)
        watched.stop(at: WatchedMap.home)
        watched.wait(6)
        #expect(watched.reasons == ["no answer; something else at 10.0.0.66:3000 does, and proves nothing"])
    }

    /// Another host that copies the fingerprint, with a service of its own.
    @Test(arguments: WatchedMap.Naming.allCases, [true, false])
    func aCopiedFingerprintKeepsNothingBack(naming: WatchedMap.Naming, isBefore: Bool) {
        var watched = WatchedMap(naming)
        watched.begin()
        func copy() {
            watched.advertise([WatchedMap.forged], as: "Evil")
            watched.answer(at: WatchedMap.forged, hasLeaf: false)
        }
        if isBefore { copy() }
        watched.stop(at: WatchedMap.home)
        if !isBefore { copy() }
        Self.expectDeathAndReturn(&watched, "\(naming) before: \(isBefore)")
    }

    /// The agent starts again in the outage, while the impostor answers and the gateway does not.
    @Test(arguments: WatchedMap.Naming.allCases, ["home", nil])
    func theNextAgentIsNotDeceived(naming: WatchedMap.Naming, fingerprint: String?) {
        var watched = WatchedMap(naming, fingerprint: fingerprint)
        watched.begin()
        watched.stop(at: WatchedMap.home)
        watched.wait(6)
        #expect(watched.presence == ["gone"])
        watched.restart()
        Self.forge(&watched)
        watched.wait(60)
        #expect(watched.presence == ["gone"] && watched.outages == (1, 0))
        watched.answer(at: WatchedMap.home)
        watched.wait(6)
        #expect(watched.presence == ["gone", "back"] && watched.outages == (1, 1), "\(watched.told)")
    }

    /// The agent starts again in the outage, and an impostor repeats the fingerprint with a certificate of its own.
    @Test func anotherCertificateIsNotItsReturn() throws {
        var watched = WatchedMap(.pairedTLS)
        watched.begin()
        watched.stop(at: WatchedMap.home)
        watched.wait(6)
        watched.restart()
        watched.advertise([WatchedMap.forged])
        let other = try #require(LeafFingerprint(bytes: Array(repeating: 9, count: 32)))
        watched.answer(at: WatchedMap.forged, showing: other)
        watched.wait(60)
        #expect(watched.presence == ["gone"] && watched.outages == (1, 0), "\(watched.told)")
    }

    /// Another machine takes over the address of the dead gateway, and repeats its answers; with TLS it cannot.
    @Test(arguments: WatchedMap.Naming.allCases, [true, false])
    func whoTakesOverItsAddressIsNotIt(naming: WatchedMap.Naming, restarts: Bool) {
        guard !restarts || naming == .address else { return }
        var watched = WatchedMap(naming)
        watched.begin()
        watched.stop(at: WatchedMap.home)
        watched.wait(6)
        if restarts { watched.restart() }
        watched.takeOver()
        if restarts { watched.advertise([WatchedMap.home]) }
        watched.answer(at: WatchedMap.home, hasLeaf: false)
        watched.wait(60)
        #expect(watched.presence == ["gone"] && watched.outages == (1, 0), "\(watched.told)")
        // A paired one is called as what stands in the way of its session.
        let said = naming == .pairedPlain || naming == .pairedTLS ? ["moved"] : ["replaced"]
        #expect(Array(watched.told.dropFirst()) == said)
    }

    /// It takes over the address at the moment of the death.
    @Test(arguments: [WatchedMap.Naming.address, .alias]) func whoTakesOverItsAddressAtOnceIsNotIt(
        naming: WatchedMap.Naming
    ) {
        var watched = WatchedMap(naming)
        watched.begin()
        watched.takeOver()
        watched.answer(at: WatchedMap.home)
        watched.wait(60)
        #expect(watched.told == ["gone", "replaced"] && watched.outages == (1, 0))
        #expect(watched.reasons == ["another machine answers in its place"])
    }

    /// One with TLS that gets another network card is the same, by its certificate.
    @Test func itsCertificateProvesItOnAnotherMachine() throws {
        let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 7, count: 32)))
        var watched = WatchedMap(.address)
        watched.begin()
        watched.answer(at: WatchedMap.home, showing: leaf)
        watched.wait(20)
        watched.takeOver()
        watched.answer(at: WatchedMap.home, showing: leaf)
        watched.wait(60)
        #expect(watched.told.isEmpty && watched.outages == (0, 0))
    }

    /// Another gateway, by what it says itself, answers at the address.
    @Test(arguments: [true, false]) func anotherGatewayAtItsAddressIsNotIt(isOtherDialect: Bool) {
        var watched = WatchedMap(.address)
        watched.begin()
        watched.stop(at: WatchedMap.home)
        watched.wait(6)
        let other = isOtherDialect ? nil : GatewayFingerprint("other")
        watched.answer(at: WatchedMap.home, as: other, dialect: isOtherDialect ? .openClaw : .optaplus)
        watched.wait(60)
        #expect(watched.told == ["gone", "replaced"] && watched.outages == (1, 0))
        watched.answer(at: WatchedMap.home)
        watched.wait(6)
        #expect(watched.presence == ["gone", "back"] && watched.outages == (1, 1))
    }

    /// The name by which the settings know a gateway without TLS leads to another machine, which repeats its answers.
    @Test(arguments: [true, false]) func whoTakesOverItsHostNameIsNotIt(restarts: Bool) {
        let name = "home.local:3000"
        var watched = WatchedMap(.address)
        watched.set(name, leadingTo: [WatchedMap.home])
        watched.begin()
        watched.stop(at: WatchedMap.home)
        watched.wait(6)
        if restarts { watched.restart() }
        watched.set(name, leadingTo: [WatchedMap.forged])
        Self.forge(&watched)
        watched.wait(60)
        #expect(watched.told == ["gone", "replaced"] && watched.outages == (1, 0))
        watched.set(name, leadingTo: [WatchedMap.home])
        watched.answer(at: WatchedMap.home)
        watched.wait(6)
        #expect(watched.presence == ["gone", "back"] && watched.outages == (1, 1))
    }

    /// A record leads the service of a paired gateway to another one that the user has named by its address: that neither keeps
    /// back the alarm about the named one, nor ends it.
    @Test(arguments: [WatchedMap.Naming.pairedPlain, .pairedTLS], ["home", nil])
    func aPlaceInThePairedRowIsWatched(naming: WatchedMap.Naming, fingerprint: String?) {
        var watched = WatchedMap(naming, fingerprint: fingerprint)
        watched.set("10.0.0.66:3000")
        watched.begin()
        Self.forge(&watched)
        watched.wait(20)
        watched.stop(at: WatchedMap.forged)
        watched.wait(6)
        #expect(watched.presence == ["gone"], "\(watched.told)")
        watched.wait(600)
        #expect(watched.presence == ["gone"] && watched.outages == (1, 0))
        watched.answer(at: WatchedMap.forged, hasLeaf: false)
        watched.wait(6)
        #expect(watched.presence == ["gone", "back"] && watched.outages == (1, 1))
    }

    /// Two gateways that the user has named by their addresses, and that tell no fingerprint, are led into one row by a record:
    /// the death of each is told.
    @Test func twoNamedGatewaysInOneRowAreWatchedEach() throws {
        let places = try ["10.0.0.1:3000", "10.0.0.66:3000"].map { NamedPlace(try ProbeAddress($0)) }
        var watched = WatchedMap(.address, fingerprint: nil)
        watched.begin()
        watched.advertise([WatchedMap.home, WatchedMap.forged])
        watched.answer(at: WatchedMap.forged)
        #expect(NamedPlace.merged(places, in: watched.map.gateways).count == 2)
        watched.stop(at: WatchedMap.home)
        watched.wait(6)
        #expect(watched.presence == ["gone"])
    }

    /// Two places that the user has named stay two, whatever fingerprint another machine repeats at one of them.
    @Test func aCopiedFingerprintMergesNoNamedPlaces() throws {
        let places = try ["10.0.0.1:3000", "10.0.0.66:3000"].map { NamedPlace(try ProbeAddress($0)) }
        var watched = WatchedMap(.address)
        watched.begin()
        watched.advertise([WatchedMap.home, WatchedMap.forged])
        watched.answer(at: WatchedMap.forged)
        #expect(NamedPlace.merged(places, in: watched.map.gateways).count == 2)
    }

    /// A second path that comes and goes uses up no messages that its death needs, and is told of once.
    @Test(arguments: [WatchedMap.Naming.address, .alias, .pairedPlain])
    func aForgedPathThatComesAndGoesIsToldOfOnce(naming: WatchedMap.Naming) {
        var watched = WatchedMap(naming)
        watched.begin()
        let tailnet = Endpoint(address: .v4(IPv4Address(bits: 0x6440_0001)), port: 3_000)
        watched.advertise([WatchedMap.home, tailnet])
        for _ in 0..<5 {
            watched.answer(at: tailnet, hasLeaf: false)
            watched.wait(320)
            watched.stop(at: tailnet)
            watched.wait(90)
        }
        #expect(watched.told == ["way-lost", "way-back"])
        watched.stop(at: WatchedMap.home)
        watched.wait(6)
        #expect(watched.told == ["way-lost", "way-back", "gone"])
    }
}
