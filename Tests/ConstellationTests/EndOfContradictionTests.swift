import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// The end of the warning that a gateway answers as another one, while its session lives: then no answer may come for long,
/// since nobody asks there.
@Suite struct EndOfContradictionTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let endpoint = Samples.endpoint(1)

    /// A session with the gateway, which has proved itself by its certificate.
    private var session: [BotMapEvent] {
        [
            .probed(endpoint, Samples.answer("home", leaf: 1)),
            .proved(endpoint, .pinnedLeaf, leaf: Samples.leaf(1)), .sessionLiveness(endpoint, .answering),
        ]
    }

    /// TLS was off, and is on again: the gateway answers before its records say so, and they are right after that.
    @Test mutating func itEndsWithRecordsThatFollowTheAnswer() {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        map.apply(all: session)
        map.apply(all: [
            .sessionLiveness(endpoint, nil), .serviceFound(Samples.service("a", fp: "plain", at: [1])),
            .probed(endpoint, Samples.answer("plain")), .liveness(endpoint, .answering),
        ])
        map.apply(all: session)
        #expect(map[home]?.flags == [.contradicts])
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        #expect(map[home]?.flags == [])
        #expect(map.inconsistencies() == [])
    }

    @Test mutating func itEndsWithThePathThatContradicts() {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 2])))
        map.apply(all: session)
        map.apply(.probed(Samples.endpoint(2), Samples.answer("home")))
        #expect(map[home]?.flags == [.contradicts])
        map.apply(all: [
            .liveness(Samples.endpoint(2), .gone), .serviceFound(Samples.service("a", fp: "home", at: [1])),
        ])
        #expect(map[home]?.flags == [])
        #expect(map.inconsistencies() == [])
    }

    /// The records of others cannot make it come and go: it comes with an answer only.
    @Test mutating func recordsAloneBringItOnce() {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        map.apply(all: session)
        for fingerprint in ["evil", "home", "evil"] {
            map.apply(.serviceFound(Samples.service("a", fp: fingerprint, at: [1])))
            #expect(map[home]?.flags == [])
        }
        map.apply(.probed(endpoint, Samples.answer("home", leaf: 1)))
        #expect(map[home]?.flags == [.contradicts])
    }

    /// Without a proof anybody may be the one who leads: it stays until the next answer.
    @Test mutating func itStaysWhereNobodyIsProved() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "evil", at: [1])),
            .probed(endpoint, Samples.answer("home", leaf: 1)),
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
        ])
        #expect(map[home]?.flags == [.contradicts])
        map.apply(.liveness(endpoint, .answering))
        #expect(map[home]?.flags == [])
    }
}
