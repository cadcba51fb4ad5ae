import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// A gateway that has shown a certificate, and whoever repeats its answers without one: never the same identity.
/// Anybody can do that, since fingerprint, name and bots are public.
@Suite struct PlainImpostorTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let real = Samples.endpoint(1)
    private let impostor = Samples.endpoint(66)

    private func answer(leaf: UInt8?) -> ProbeOutcome {
        Samples.answer("home", name: "Home", bots: ["b"], leaf: leaf)
    }

    private func contradicts(_ endpoint: Endpoint) -> Bool? {
        map[home]?.paths.first { $0.endpoint == endpoint }?.contradicts
    }

    /// An address that a forged record adds to the service of a gateway with TLS is flagged with its first answer there,
    /// although the answer is the same to the letter, whichever of the two is heard first.
    @Test(arguments: [true, false]) mutating func anAddressWithoutTLSIsFlaggedAtOnce(isImpostorFirst: Bool) {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 66])))
        let answers: [BotMapEvent] = [.probed(real, answer(leaf: 1)), .probed(impostor, answer(leaf: nil))]
        map.apply(all: isImpostorFirst ? answers.reversed() : answers)
        let (first, second) = isImpostorFirst ? (impostor, real) : (real, impostor)
        #expect(contradicts(first) == false)
        #expect(contradicts(second) == true)
        #expect(map[home]?.flags == [.contradicts])
        #expect(map.inconsistencies() == [])
    }

    /// A gateway whose fingerprint names its certificate leads, although the impostor answered first.
    @Test mutating func aFingerprintOfTheLeafTellsWhichIsTheRealOne() {
        let fingerprint = Samples.leaf(1).description
        let row = GatewayID.fingerprint(Samples.fingerprint(fingerprint))
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: fingerprint, at: [1, 66])),
            .probed(impostor, Samples.answer(fingerprint)), .probed(real, Samples.answer(fingerprint, leaf: 1)),
        ])
        #expect(map[row]?.paths.map(\.endpoint) == [real, impostor])
        #expect(map[row]?.paths.map(\.contradicts) == [false, true])
        #expect(map[row]?.flags == [.contradicts])
    }

    /// Who answers without TLS at the address itself, after the gateway has ended there, is flagged, with and without a
    /// fingerprint; a gateway that shows a certificate there again is not.
    @Test(arguments: ["home", nil]) mutating func whoTakesThePlaceIsFlagged(fingerprint: String?) throws {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: fingerprint, at: [1])),
            .probed(real, Samples.answer(fingerprint, leaf: 1)),
        ])
        let row = try #require(map.gateways.first)
        #expect(row.flags == [])
        map.apply(.probed(real, Samples.answer(fingerprint)))
        #expect(map.gateways.map(\.flags) == [[.contradicts]])
        map.apply(all: [.liveness(real, .answering), .probed(real, Samples.answer(fingerprint))])
        #expect(map.gateways.map(\.flags) == [[.contradicts]], "it stays")
        map.apply(.probed(real, Samples.answer(fingerprint, leaf: 1)))
        #expect(map.gateways.map(\.flags) == [[]])
        #expect(map.inconsistencies() == [])
    }

    /// The same when the addresses of the gateway answer without TLS one after the other.
    @Test mutating func whoTakesAllPlacesIsFlagged() {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 2])))
        for last in [1, 2] as [UInt8] { map.apply(.probed(Samples.endpoint(last), answer(leaf: 1))) }
        for last in [1, 2] as [UInt8] {
            map.apply(.probed(Samples.endpoint(last), answer(leaf: nil)))
            #expect(map[home]?.flags == [.contradicts])
        }
    }

    /// Whoever answers elsewhere with the fingerprint of a gateway that has ended is not that gateway at a new address.
    @Test mutating func aGatewayWithTLSDoesNotMoveToAPlaceWithoutIt() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(real, answer(leaf: 1)),
            .liveness(real, .gone),
            .serviceFound(Samples.service("b", fp: "home", host: "evil.local", at: [66])),
            .probed(impostor, answer(leaf: nil)),
        ])
        #expect(map.gateways.contains { $0.flags.isEmpty && $0.liveness == .answering } == false)
        #expect(map[home]?.liveness == .gone)
        #expect(map.inconsistencies() == [])
    }

    /// Once the one with TLS has been forgotten, since it was silent for long, the other one stays flagged.
    @Test mutating func aFlagOutlivesTheSilenceOfTheRealOne() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 66])), .probed(real, answer(leaf: 1)),
            .probed(impostor, answer(leaf: nil)), .liveness(real, .gone), .retired(real),
            .serviceFound(Samples.service("a", fp: "home", at: [66])), .probed(impostor, answer(leaf: nil)),
        ])
        #expect(map[home]?.flags == [.contradicts])
    }

    /// A gateway that never had TLS, at all its addresses, is not flagged.
    @Test mutating func withoutTLSEverythingStaysAsItWas() {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 2])))
        for last in [1, 2] as [UInt8] { map.apply(.probed(Samples.endpoint(last), answer(leaf: nil))) }
        #expect(map[home]?.flags == [])
        #expect(map[home]?.paths.map(\.contradicts) == [false, false])
    }
}
