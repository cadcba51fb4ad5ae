import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// The demands of the map: what it wants to know of endpoints, and why.
@Suite struct DemandTests {
    private let one = Samples.endpoint(1)
    private let two = Samples.endpoint(2)

    /// Applies events, and returns the demands that the last one has caused.
    private func demands(_ map: inout BotMap, _ events: [BotMapEvent]) -> [EndpointDemand] {
        map.apply(all: events)
        return map.demands
    }

    /// A gateway that has answered at the first endpoint.
    private func answered(_ fingerprint: String = "home") -> BotMap {
        var map = BotMap()
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: fingerprint, at: [1])), .probed(one, Samples.answer(fingerprint)),
        ])
        return map
    }

    // MARK: Claims

    /// Whoever begins to claim the fingerprint of a gateway makes its check due, once; but not the one that leads there.
    @Test func aClaimMakesACheckDue() {
        var map = answered()
        let claimant = Samples.service("b", fp: "home", at: [2])
        #expect(demands(&map, [.serviceFound(claimant)]) == [EndpointDemand(one, .claimed)])
        #expect(demands(&map, [.serviceFound(claimant)]).isEmpty)
        #expect(demands(&map, [.serviceFound(Samples.service("c", fp: "home", at: [1]))]).isEmpty)
        #expect(demands(&map, [.serviceFound(Samples.service("d", fp: "other", at: [2]))]).isEmpty)
        let changed = Samples.service("d", fp: "home", at: [2])
        #expect(demands(&map, [.serviceFound(changed)]) == [EndpointDemand(one, .claimed)])
    }

    /// So does whoever answers with it, unless one service leads to both.
    @Test(arguments: [true, false])
    func anAnswerMakesOthersDue(isOfOneService: Bool) {
        var map = answered()
        map.apply(.serviceFound(Samples.service("b", at: [2])))
        if isOfOneService { map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 2]))) }
        let found = demands(&map, [.probed(two, Samples.answer("home"))])
        #expect(found.contains(EndpointDemand(one, .claimed)) == !isOfOneService)
        #expect(found.contains(EndpointDemand(two, .newIdentity)))
        #expect(!demands(&map, [.probed(two, Samples.answer("home"))]).contains(EndpointDemand(one, .claimed)))
        // One that was gone claims it anew.
        let back = demands(&map, [.liveness(two, .gone), .probed(two, Samples.answer("home"))])
        #expect(back.contains(EndpointDemand(one, .claimed)) == !isOfOneService)
    }

    // MARK: Records and answers

    /// A service that no longer leads to an endpoint that has answered makes the endpoint due; one where nothing has
    /// answered is not.
    @Test func whatLeadsThereNoMoreMakesItDue() {
        var map = answered()
        let withdrawn = EndpointDemand(one, .withdrawn)
        #expect(demands(&map, [.serviceFound(Samples.service("a", fp: "home", at: [2]))]).contains(withdrawn))
        #expect(!demands(&map, [.serviceLost(Samples.instance("a"))]).contains { $0.reason == .withdrawn })
    }

    /// A gateway that answers as such for the first time is to be heard a second time.
    @Test func aNewIdentityIsHeardAgain() {
        var map = BotMap()
        #expect(demands(&map, [.probed(one, Samples.answer("home"))]).contains(EndpointDemand(one, .newIdentity)))
        #expect(demands(&map, [.probed(one, Samples.answer("home"))]).isEmpty)
        #expect(demands(&map, [.probed(one, Samples.answer("den"))]).contains(EndpointDemand(one, .newIdentity)))
        #expect(demands(&map, [.probed(one, .nothing(.refused))]).isEmpty)
    }

    /// Another gateway at one port of one machine may have replaced the one that a service of both led to.
    @Test(arguments: [(3_000, true), (3_001, false)])
    func aNeighbourMayHaveReplacedIt(port: UInt16, isDue: Bool) {
        var map = answered("old")
        let machine = Machine.neighbour(hardwareAddress: [1, 2, 3, 4, 5, 6])
        let other = Samples.endpoint(2, port: port)
        map.apply(all: [
            .located(one, machine),
            .serviceFound(Samples.service("a", fp: "old", at: [1, 2])),
            .serviceFound(Samples.service("b", at: [2], port: port)),
            .located(other, machine),
        ])
        let found = demands(&map, [.probed(other, Samples.answer("new"))])
        #expect(found.contains(EndpointDemand(one, .replaced)) == isDue)
    }

    /// A gateway that says something else at one address is asked at its others, unless they have said so already.
    @Test func aChangeAtOneAddressMakesTheOthersDue() {
        var map = answered()
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2, 3])), .probed(two, Samples.answer("home")),
            .probed(Samples.endpoint(3), Samples.answer("home")), .liveness(Samples.endpoint(3), .gone),
        ])
        let renamed = Samples.answer("home", name: "Den")
        #expect(demands(&map, [.probed(one, renamed)]).contains(EndpointDemand(two, .changedElsewhere)))
        #expect(!map.demands.contains { $0.endpoint == Samples.endpoint(3) && $0.reason == .changedElsewhere })
        #expect(!demands(&map, [.probed(two, renamed)]).contains(EndpointDemand(one, .changedElsewhere)))
        #expect(demands(&map, [.probed(one, Samples.answer("new"))]).contains(EndpointDemand(two, .changedElsewhere)))
    }

    // MARK: Places

    /// One endpoint of a gateway decides whether it answers, and another one when that is gone; while all are, each may.
    @Test func oneEndpointLeads() {
        var map = answered()
        #expect(map.demands.contains(EndpointDemand(one, .leads)))
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 2])))
        let found = demands(&map, [.probed(two, Samples.answer("home"))])
        #expect(found.contains(EndpointDemand(one, .leads)) && found.contains(EndpointDemand(two, .follows)))
        #expect(map.place(of: two) == EndpointDemand(two, .follows) && map.place(of: Samples.endpoint(9)) == nil)
        #expect(demands(&map, [.liveness(one, .suspect)]).contains(EndpointDemand(one, .leads)))
        let gone = demands(&map, [.liveness(one, .gone)])
        #expect(gone.contains(EndpointDemand(two, .leads)) && gone.contains(EndpointDemand(one, .follows)))
        let all = demands(&map, [.liveness(two, .gone)])
        #expect(all.contains(EndpointDemand(two, .leads)) && all.contains(EndpointDemand(one, .leads)))
    }

    /// Where one address is silent, the others of its gateway are asked, even one that is gone.
    @Test func whereOneIsSilentTheOthersAreAsked() {
        var map = answered()
        #expect(map.demands(afterSilenceOf: one).isEmpty && map.demands(afterSilenceOf: two).isEmpty)
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2, 3])), .probed(two, Samples.answer("home")),
            .liveness(two, .gone),
        ])
        #expect(map.demands(afterSilenceOf: one) == [EndpointDemand(two, .silentElsewhere)])
        #expect(
            map.demands(afterSilenceOf: Samples.endpoint(3)).map(\.endpoint).sorted() == [one, two],
            "it has not answered, and may have a session"
        )
    }

    /// The rows that are gateways are counted as they come and go.
    @Test func gatewaysAreCounted() {
        var map = answered()
        #expect(map.gatewayCount == 1)
        map.apply(all: [
            .serviceFound(Samples.service("b", at: [2])), .serviceFound(Samples.service("c", at: [3])),
            .probed(Samples.endpoint(3), Samples.answer("den")),
        ])
        #expect(map.gatewayCount == 2)
        map.apply(.probed(one, .nothing(.wrongLeaf(found: Samples.leaf(1)))))
        #expect(map.gatewayCount == 1)
        map.apply(all: [.serviceLost(Samples.instance("c")), .liveness(Samples.endpoint(3), .gone)])
        #expect(map.gatewayCount == 0)
    }

    // MARK: Who gets them

    /// The one that asks endpoints gets the demands of its own reports as their reply, and those that others cause as
    /// notices.
    @Test func demandsReachTheOneThatAsks() async throws {
        let constellation = Constellation()
        var notices = constellation.endpointNotices.makeAsyncIterator()
        await constellation.pin(Samples.leaf(1), at: Samples.endpoint(9))
        #expect(await notices.next()?.endpoint == Samples.endpoint(9))
        let reply = await constellation.report([
            .serviceFound(Samples.service("a", fp: "home", at: [1])), .probed(one, Samples.answer("home")),
        ])
        #expect(reply.demands.contains(EndpointDemand(one, .newIdentity)) && reply.gatewayCount == 1)
        await constellation.apply(.serviceFound(Samples.service("b", fp: "home", at: [2])))
        let notice = try #require(await notices.next())
        #expect(notice.endpoint == one && notice.demands == [.claimed] && notice.session == nil)
        let silence = await constellation.report([], silent: [one])
        #expect(silence.demands.isEmpty && silence.gatewayCount == 1)
    }
}
