import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The limits on how much a map takes in, and the release of everything that is gone.
@Suite struct LimitTests {
    private let endpoint = Samples.endpoint(1)

    private func crowded() -> BotMap {
        var map = BotMap(limits: BotMapLimits(candidatesPerEndpoint: 2))
        map.apply(all: ["a", "b"].map { .serviceFound(Samples.service($0, at: [1])) })
        return map
    }

    /// A service beyond the limit of candidates of an endpoint is left out, which is reported once.
    @Test func candidatesOfAnEndpointAreLimited() {
        var map = crowded()
        let changes = map.apply(.serviceFound(Samples.service("c", at: [1])))
        #expect(changes == [.problem(.tooManyCandidates(endpoint, limit: 2))])
        #expect(map.gateways.map(\.services.count) == [2])
        #expect(map.apply(.serviceFound(Samples.service("d", at: [1]))).isEmpty, "the problem is reported once")
    }

    /// The limit of candidates of an endpoint is at least 1, since the code that replaces one row by another relies on
    /// it.
    @Test func oneServiceLeadsToAnEndpointAtLeast() {
        var limits = BotMapLimits(candidatesPerEndpoint: 0)
        #expect(limits.candidatesPerEndpoint == 1)
        limits.candidatesPerEndpoint = -1
        #expect(limits.candidatesPerEndpoint == 1)
    }

    /// An endpoint that the user enters takes the place of a service where there is no more room. That service gets no
    /// row of its own, and is admitted again when there is room.
    @Test func whatTheUserEnteredFindsRoom() {
        var map = crowded()
        map.apply(.endpointAdded(endpoint, .local))
        #expect(map.gateways.map { $0.paths.map(\.endpoint) } == [[endpoint]])
        #expect(map.gateways.map(\.services) == [[Samples.instance("a")]])
        #expect(map.inconsistencies() == [])
        map.apply(.endpointRemoved(endpoint))
        #expect(map.gateways.map(\.services.count) == [2], "the service that was left out is admitted again")
    }

    /// Of the addresses of a service, as many as the limit allows are kept.
    @Test func endpointsOfAServiceAreLimited() {
        var map = BotMap(limits: BotMapLimits(endpointsPerService: 3))
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [5, 4, 3, 2, 1])))
        #expect(map.gateways.first?.paths.map(\.endpoint) == [1, 2, 3].map { Samples.endpoint($0) })
        map.apply(.probed(endpoint, Samples.answer("home")))
        #expect(map.gateways.first?.paths.count == 3)
    }

    /// Services, endpoints and rows that are gone take no room, so that memory does not grow while services come and go for
    /// years.
    @Test func whatIsGoneTakesNoRoom() {
        var map = BotMap()
        for number in 0..<200 {
            let (service, endpoint) = (Samples.service("s\(number)", at: [1]), Samples.endpoint(1))
            map.apply(all: [
                .serviceFound(service), .probed(endpoint, Samples.answer("f\(number)")),
                .serviceLost(service.instance), .probed(endpoint, .nothing(.refused)), .liveness(endpoint, .gone),
                .retired(endpoint),
            ])
        }
        map.apply(.serviceFound(Samples.service("last", at: [2])))
        #expect(map.candidates.count < 8)
        #expect(map.endpoints.count < 8)
        #expect(map.rows.count < 8)
    }

    /// After any events, once everything is gone, nothing is left in the map but a limited number of endpoints that are
    /// remembered.
    @Test func nothingIsLeftOfWhatIsGone() {
        var random = SeededGenerator.forFuzzing("what is left")
        for round in 0..<TestCases.count(60) {
            var map = BotMap(limits: BotMapLimits(candidatesPerEndpoint: 3, remembered: 4))
            for _ in 0..<60 { map.apply(OrderTests.anyEvent(&random)) }
            for name in ["a", "b", "c", "d", "e"] { map.apply(.serviceLost(Samples.instance(name))) }
            for last in 0..<6 as Range<UInt8> {
                map.apply(all: [
                    .endpointRemoved(Samples.endpoint(last)), .sessionLiveness(Samples.endpoint(last), nil),
                    .flooding(Samples.endpoint(last), false), .proved(Samples.endpoint(last), .unproved),
                    .liveness(Samples.endpoint(last), .gone), .retired(Samples.endpoint(last)),
                ])
            }
            for fingerprint in ["f", "g", "h"] {
                for bot in ["1", "2", "3"] { map.apply(.unpaired(Samples.key(fingerprint, bot))) }
            }
            #expect(map.gateways.isEmpty && map.rows.count == 0, "round \(round)")
            #expect(map.claims.isEmpty && map.leaves.isEmpty && map.homes.isEmpty, "round \(round)")
            #expect(map.entries.isEmpty && map.leftOut.isEmpty && map.records.isEmpty, "round \(round)")
            #expect(map.candidates.count == 0 && map.endpoints.count <= 4, "round \(round)")
        }
    }
}
