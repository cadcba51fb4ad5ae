import DNSSD
import GatewayProtocol
import Testing

@testable import Constellation

/// The contents of a row: its name, its bots, its paths, and what is said of each.
@Suite struct RowContentTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let endpoint = Samples.endpoint(1)

    private func path(_ last: UInt8) -> GatewayPath? {
        map.gateways.flatMap(\.paths).first { $0.endpoint == Samples.endpoint(last) }
    }

    // MARK: Names

    /// Nobody is to see a gateway renamed since somebody else advertises it as well.
    @Test mutating func aNamelessGatewayIsCalledByAnotherServiceWhenItAnswersThere() {
        map.apply(all: [
            .serviceFound(Samples.service("m", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .serviceFound(Samples.service("b", fp: "home", at: [1])), .serviceLost(Samples.instance("m")),
        ])
        #expect(map[home]?.name == "m", "it has not answered since")
        map.apply(.liveness(endpoint, .answering))
        map.apply(.probed(endpoint, Samples.answer("home")))
        #expect(map[home]?.name == "b")
    }

    @Test mutating func aServiceNamesBetterThanAnAddress() {
        map.apply(all: [.endpointAdded(endpoint, .local), .probed(endpoint, Samples.answer("home"))])
        #expect(map[home]?.name == endpoint.description)
        map.apply(all: [
            .serviceFound(Samples.service("b", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
        ])
        #expect(map[home]?.name == "b")
    }

    // MARK: Bots

    /// What is being paired is shown where its gateway is; what is paired, everywhere.
    @Test mutating func botsThatTheGatewayDoesNotTellOf() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(endpoint, Samples.answer("home", bots: ["told"])),
            .paired(PairedBot(id: Samples.key("home", "paired"))), .stateChanged(Samples.key("home", "new"), .pairing),
        ])
        #expect(map[home]?.bots.map(\.id.bot.text) == ["told", "new", "paired"])
        #expect(map[home]?.bots.map(\.isPaired) == [false, false, true])
        map.apply(all: [.serviceLost(Samples.instance("a")), .liveness(endpoint, .gone)])
        #expect(map[home]?.bots.map(\.id.bot.text) == ["paired"])
    }

    @Test mutating func soManyBotsArePairedAndNoMore() {
        map = BotMap(limits: BotMapLimits(pairings: 2))
        map.apply(all: ["a", "b"].map { .paired(PairedBot(id: Samples.key("home", $0))) })
        let third = Samples.key("home", "c")
        #expect(map.apply(.paired(PairedBot(id: third))) == [.problem(.tooManyPairings(third, limit: 2))])
        map.apply(all: [.unpaired(Samples.key("home", "a")), .paired(PairedBot(id: third))])
        #expect(map[home]?.bots.map(\.id.bot.text) == ["b", "c"])
    }

    // MARK: Paths

    /// It is a gateway to its end: the address that led is shown beside those that have never answered.
    @Test mutating func whereOnlyNewAddressesAreLeftTheFormerOneIsShown() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .serviceFound(Samples.service("a", fp: "home", at: [2])), .liveness(endpoint, .gone),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [endpoint, Samples.endpoint(2)])
        #expect(map[home]?.paths.map(\.leads) == [true, false])
    }

    @Test mutating func whoIsLostIsShownAsGone() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .serviceLost(Samples.instance("a")),
        ])
        guard case .lost(let row, into: nil) = map.apply(.liveness(endpoint, .gone)).first else {
            Issue.record("it is not lost")
            return
        }
        #expect(row.liveness == .gone)
    }

    /// The nearest way to it counts, and when none is left the last one does.
    @Test mutating func anEndpointIsAsNearAsWhatLeadsThere() {
        map.apply(all: [.endpointAdded(endpoint, .remote), .probed(endpoint, Samples.answer("home"))])
        #expect(path(1)?.reach == .remote)
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        #expect(path(1)?.reach == .local)
        map.apply(.serviceLost(Samples.instance("a")))
        #expect(path(1)?.reach == .remote)
        map.apply(.endpointRemoved(endpoint))
        #expect(path(1)?.reach == .remote)
    }

    /// It was asked, and silent: what a check found before says nothing of that.
    @Test mutating func aProbeInVainIsNewerThanACheck() {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .probed(endpoint, .nothing(.refused)), .liveness(endpoint, .gone),
        ])
        #expect(path(1)?.liveness == .gone)
        map.apply(.probed(endpoint, .nothing(.refused)))
        #expect(path(1)?.liveness == nil)
    }

    @Test mutating func aGatewayThatWasAskedInVainWaitsNoLonger() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .waiting(endpoint, .addressBudget),
        ])
        #expect(path(1)?.waiting == .addressBudget)
        map.apply(.probed(endpoint, .nothing(.refused)))
        #expect(path(1)?.waiting == nil && map[home]?.liveness == .answering)
    }

    /// What it led to goes with it: nothing else would have the row looked at.
    @Test mutating func somethingElseWhereNothingLeadsEndsTheRow() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .serviceLost(Samples.instance("a")),
            .probed(endpoint, .somethingElse(ForeignAnswer(summary: "a web server", bytes: []))),
        ])
        #expect(map.gateways.isEmpty)
        #expect(map.inconsistencies() == [])
    }

    /// Two processes claim one fingerprint, each with a certificate of its own.
    @Test mutating func aPathWithAnotherLeafContradicts() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(endpoint, Samples.answer("home", leaf: 1)),
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 2)),
        ])
        #expect(map[home]?.paths.map(\.contradicts) == [false, true])
        #expect(map[home]?.flags == [.contradicts])
    }

    /// The certificate is enough, where none of the two names a fingerprint.
    @Test mutating func oneLeafWithoutAFingerprintIsOneGateway() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1])), .serviceFound(Samples.service("b", at: [2])),
            .probed(endpoint, Samples.answer(nil, leaf: 1)), .probed(Samples.endpoint(2), Samples.answer(nil, leaf: 1)),
        ])
        #expect(map.gateways.map(\.paths.count) == [2])
        #expect(map.gateways.map(\.services.count) == [2])
    }

    // MARK: What it is

    @Test mutating func itIsUndecidedUntilAllOfItWasAsked() {
        map.apply(.serviceFound(Samples.service("a", at: [])))
        #expect(map.gateways.map(\.classification) == [.undecided], "there is nothing to ask")
        map.apply(.serviceFound(Samples.service("a", at: [1, 2])))
        map.apply(.probed(endpoint, .nothing(.refused)))
        #expect(map.gateways.map(\.classification) == [.undecided])
        map.apply(.probed(Samples.endpoint(2), .nothing(.refused)))
        #expect(map.gateways.map(\.classification) == [.other])
        map.apply(.probed(Samples.endpoint(2), Samples.answer("home")))
        #expect(map[home]?.classification == .gateway)
        map.apply(.paired(PairedBot(id: Samples.key("away", "b"))))
        #expect(map[.fingerprint(Samples.fingerprint("away"))]?.classification == .gateway)
    }
}
