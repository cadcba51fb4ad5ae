import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// The aspects of a change of a row: each difference has its aspect, and no other aspect is reported.
@Suite struct GatewayAspectTests {
    private static func path(
        _ last: UInt8 = 1,
        reach: Reach = .local,
        isManual: Bool = false,
        outcome: ProbeOutcome? = .nothing(.refused),
        proof: GatewayProof = .unproved,
        liveness: Liveness? = .answering,
        roundTrip: Duration? = .milliseconds(1),
        waiting: WaitingReason? = nil,
        isFlooding: Bool = false,
        _ change: (inout GatewayPath) -> Void = { _ in }
    ) -> GatewayPath {
        var path = GatewayPath(
            endpoint: Samples.endpoint(last),
            reach: reach,
            isManual: isManual,
            outcome: outcome,
            proof: proof,
            liveness: liveness,
            roundTrip: roundTrip,
            waiting: waiting,
            isFlooding: isFlooding
        )
        change(&path)
        return path
    }

    private static let changes: [(GatewayPath, Set<GatewayAspect>)] = [
        (path(), []),
        (path(liveness: .suspect), [.liveness]),
        (path(isFlooding: true), [.liveness]),
        (path(roundTrip: .milliseconds(2)), [.latency]),
        (path(2), [.paths]),
        (path(reach: .remote), [.paths]),
        (path(isManual: true), [.paths]),
        (path(outcome: nil), [.paths]),
        (path(proof: .token), [.paths]),
        (path(waiting: .noSocket), [.paths]),
        (path { $0.contradicts = true }, [.paths]),
        (path { $0.leads = true }, [.paths]),
        (path(2, liveness: .gone, roundTrip: nil), [.paths, .liveness, .latency]),
    ]

    @Test(arguments: changes) func aChangeOfAPath(path: GatewayPath, aspects: Set<GatewayAspect>) {
        #expect(Gateway.differences(of: [path], from: [Self.path()]).set == aspects)
    }

    @Test func onePathMoreIsAChangeOfPaths() {
        #expect(Gateway.differences(of: [Self.path(), Self.path(2)], from: [Self.path()]).set == [.paths])
    }

    /// Each event reports exactly the aspects that it has changed, since a person is shown these.
    @Test func aChangeOfARow() {
        var map = BotMap()
        let endpoint = Samples.endpoint(1)
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(endpoint, Samples.answer("home", name: "Home", bots: ["1"])),
        ])
        func aspects(_ event: BotMapEvent) -> [Set<GatewayAspect>] {
            map.apply(event).compactMap { if case .changed(_, let aspects) = $0 { aspects } else { nil } }
        }
        #expect(aspects(.serviceFound(Samples.service("b", fp: "home", at: [1]))) == [[.services]])
        #expect(aspects(.serviceLost(Samples.instance("b"))) == [[.services]])
        #expect(aspects(.serviceFound(Samples.service("a", fp: "other", at: [1]))) == [[.records]])
        #expect(aspects(.serviceFound(Samples.service("a", fp: "home", at: [1]))) == [[.records]])
        #expect(aspects(.paired(PairedBot(id: Samples.key("home", "1")))) == [[.bots, .flags]])
        #expect(aspects(.unpaired(Samples.key("home", "1"))) == [[.bots, .flags]])
        #expect(aspects(.liveness(endpoint, .suspect)) == [[.liveness]])
        #expect(aspects(.liveness(endpoint, .suspect, roundTrip: .milliseconds(3))) == [[.latency]])
        #expect(aspects(.liveness(endpoint, .suspect)).isEmpty)
        #expect(
            aspects(.probed(endpoint, Samples.answer("home", name: "H", bots: ["1"]))) == [[.name, .paths, .liveness]]
        )
    }

    // MARK: Order

    /// The order of identifiers and candidates is total.
    @Test func identifiersAreInOneOrder() {
        let candidates: [GatewayCandidate] = [
            .service(Samples.instance("a")), .service(Samples.instance("b")), .endpoint(Samples.endpoint(1)),
            .endpoint(Samples.endpoint(2)),
        ]
        #expect(candidates.shuffled().sorted() == candidates)
        let prints = ["e", "f"].map { Samples.fingerprint($0) }
        var ids: [GatewayID] = prints.map { .fingerprint($0) }
        ids += candidates.map { .candidate($0) }
        for print in prints { ids += candidates.map { .claimant(print, $0) } }
        #expect(ids.shuffled().sorted() == ids)
        for (place, id) in ids.enumerated() {
            for (other, later) in ids.enumerated() { #expect((id < later) == (place < other)) }
        }
    }
}
