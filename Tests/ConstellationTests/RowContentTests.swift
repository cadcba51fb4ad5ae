import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// The contents of a row: its name, its bots, and its paths with their properties.
@Suite struct RowContentTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let endpoint = Samples.endpoint(1)

    private func path(_ last: UInt8) -> GatewayPath? {
        map.gateways.flatMap(\.paths).first { $0.endpoint == Samples.endpoint(last) }
    }

    // MARK: Names

    /// A gateway that reports no name keeps the name of its service until it answers again: another service that also
    /// advertises it does not rename it.
    @Test mutating func aNamelessGatewayIsCalledByAnotherServiceWhenItAnswersThere() {
        map.apply(all: [
            .serviceFound(Samples.service("m", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .serviceFound(Samples.service("b", fp: "home", at: [1])), .serviceLost(Samples.instance("m")),
        ])
        #expect(map[home]?.name == "m", "it has not answered since the service was lost")
        map.apply(.liveness(endpoint, .answering))
        map.apply(.probed(endpoint, Samples.answer("home")))
        #expect(map[home]?.name == "b")
    }

    /// A gateway is called after a service rather than after the address that the user entered.
    @Test mutating func aServiceNamesBetterThanAnAddress() {
        map.apply(all: [.endpointAdded(endpoint, .local), .probed(endpoint, Samples.answer("home"))])
        #expect(map[home]?.name == endpoint.description)
        map.apply(all: [
            .serviceFound(Samples.service("b", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
        ])
        #expect(map[home]?.name == "b")
    }

    // MARK: Bots

    /// Bots that the gateway does not report are shown too: one that is being paired while its gateway is present, and
    /// a paired one always.
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

    @Test mutating func pairingsAreLimited() {
        map = BotMap(limits: BotMapLimits(pairings: 2))
        map.apply(all: ["a", "b"].map { .paired(PairedBot(id: Samples.key("home", $0))) })
        let third = Samples.key("home", "c")
        #expect(map.apply(.paired(PairedBot(id: third))) == [.problem(.tooManyPairings(third, limit: 2))])
        map.apply(all: [.unpaired(Samples.key("home", "a")), .paired(PairedBot(id: third))])
        #expect(map[home]?.bots.map(\.id.bot.text) == ["b", "c"])
    }

    // MARK: Paths

    /// A row that has become silent, and whose service now leads to an address that has not answered, still shows the
    /// endpoint that led it.
    @Test mutating func whereOnlyNewAddressesAreLeftTheFormerOneIsShown() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .serviceFound(Samples.service("a", fp: "home", at: [2])), .liveness(endpoint, .gone),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [endpoint, Samples.endpoint(2)])
        #expect(map[home]?.paths.map(\.leads) == [true, false])
    }

    /// The row in a `lost` change is shown as gone.
    @Test mutating func whoIsLostIsShownAsGone() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .serviceLost(Samples.instance("a")),
        ])
        guard case .lost(let row) = map.apply(.liveness(endpoint, .gone)).first else {
            Issue.record("the row was not lost")
            return
        }
        #expect(row.liveness == .gone)
    }

    /// The reach of an endpoint is the nearest of its candidates; when none is left, the last one counts.
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

    /// A probe without an answer is newer than the result of an earlier check, and replaces it.
    @Test mutating func aProbeInVainIsNewerThanACheck() {
        map.apply(all: [
            .endpointAdded(endpoint, .local), .probed(endpoint, .nothing(.refused)), .liveness(endpoint, .gone),
        ])
        #expect(path(1)?.liveness == .gone)
        map.apply(.probed(endpoint, .nothing(.refused)))
        #expect(path(1)?.liveness == nil)
    }

    /// A gateway that was asked without an answer does not wait to be asked any more, and its liveness stays as the
    /// checks have found it.
    @Test mutating func aGatewayThatWasAskedInVainWaitsNoLonger() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .waiting(endpoint, .addressBudget),
        ])
        #expect(path(1)?.waiting == .addressBudget)
        map.apply(.probed(endpoint, .nothing(.refused)))
        #expect(path(1)?.waiting == nil && map[home]?.liveness == .answering)
    }

    /// Another kind of server at the last endpoint of a row, to which nothing leads, ends the row.
    @Test mutating func somethingElseWhereNothingLeadsEndsTheRow() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(endpoint, Samples.answer("home")),
            .serviceLost(Samples.instance("a")),
            .probed(endpoint, .somethingElse(ForeignAnswer(summary: "a web server", bytes: []))),
        ])
        #expect(map.gateways.isEmpty)
        #expect(map.inconsistencies() == [])
    }

    /// A path that shows another certificate than the one that leads is flagged as a contradiction.
    @Test mutating func aPathWithAnotherLeafContradicts() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(endpoint, Samples.answer("home", leaf: 1)),
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 2)),
        ])
        #expect(map[home]?.paths.map(\.contradicts) == [false, true])
        #expect(map[home]?.flags == [.contradicts])
    }

    /// Two endpoints with the same certificate are one gateway, although neither reports a fingerprint.
    @Test mutating func oneLeafWithoutAFingerprintIsOneGateway() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1])), .serviceFound(Samples.service("b", at: [2])),
            .probed(endpoint, Samples.answer(nil, leaf: 1)), .probed(Samples.endpoint(2), Samples.answer(nil, leaf: 1)),
        ])
        #expect(map.gateways.map(\.paths.count) == [2])
        #expect(map.gateways.map(\.services.count) == [2])
    }

    // MARK: Classification

    /// A row is undecided until all of its endpoints were asked; then it is a gateway or not. A paired one is always a
    /// gateway.
    @Test mutating func itIsUndecidedUntilAllOfItWasAsked() {
        map.apply(.serviceFound(Samples.service("a", at: [])))
        #expect(map.gateways.map(\.classification) == [.undecided], "the service has no address yet")
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
