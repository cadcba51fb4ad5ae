import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Constellation

/// How much a map takes in, and that nothing is left of what is gone.
@Suite struct LimitTests {
    private let endpoint = Samples.endpoint(1)

    private func crowded() -> BotMap {
        var map = BotMap(limits: BotMapLimits(candidatesPerEndpoint: 2))
        map.apply(all: ["a", "b"].map { .serviceFound(Samples.service($0, at: [1])) })
        return map
    }

    @Test func soManyServicesLeadToAnEndpointAndNoMore() {
        var map = crowded()
        let changes = map.apply(.serviceFound(Samples.service("c", at: [1])))
        #expect(changes == [.problem(.tooManyCandidates(endpoint, limit: 2))])
        #expect(map.gateways.map(\.services.count) == [2])
        #expect(map.apply(.serviceFound(Samples.service("d", at: [1]))).isEmpty, "it has been said")
    }

    /// A limit of 0 trapped where a row takes the place of another.
    @Test func oneServiceLeadsToAnEndpointAtLeast() {
        var limits = BotMapLimits(candidatesPerEndpoint: 0)
        #expect(limits.candidatesPerEndpoint == 1)
        limits.candidatesPerEndpoint = -1
        #expect(limits.candidatesPerEndpoint == 1)
    }

    /// What the user entered is no stranger: one of them makes room, and has no row of its own for that.
    @Test func whatTheUserEnteredFindsRoom() {
        var map = crowded()
        map.apply(.endpointAdded(endpoint, .local))
        #expect(map.gateways.map { $0.paths.map(\.endpoint) } == [[endpoint]])
        #expect(map.gateways.map(\.services) == [[Samples.instance("a")]])
        #expect(map.inconsistencies() == [])
        map.apply(.endpointRemoved(endpoint))
        #expect(map.gateways.map(\.services.count) == [2], "who made room is let in again")
    }

    @Test func soManyEndpointsOfAServiceAreKept() {
        var map = BotMap(limits: BotMapLimits(endpointsPerService: 3))
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [5, 4, 3, 2, 1])))
        #expect(map.gateways.first?.paths.map(\.endpoint) == [1, 2, 3].map { Samples.endpoint($0) })
        map.apply(.probed(endpoint, Samples.answer("home")))
        #expect(map.gateways.first?.paths.count == 3)
    }

    /// Services come and go for years: what they had is used again.
    @Test func placesAreUsedAgain() {
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
        #expect(map.candidates.slots.allSatisfy { $0.number < 8 })
        #expect(map.endpoints.slots.allSatisfy { $0.number < 8 })
        #expect(map.rows.slots.allSatisfy { $0.number < 8 })
    }

    /// Whatever has happened: when everything is gone, nothing but the last few endpoints is remembered.
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
