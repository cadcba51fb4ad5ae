import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// Sequences of random events. The rows of endpoints that have not answered do not depend on the order of events; of
/// those that have answered, the first to answer counts. The indices of the map always agree with each other.
@Suite struct OrderTests {
    /// Returns a random event about so few services, endpoints and bots that the events often concern the same one.
    static func anyEvent(_ random: inout SeededGenerator) -> BotMapEvent {
        func pick<T>(_ values: [T]) -> T { values[Int(random.next() % UInt64(values.count))] }
        let endpoint = Samples.endpoint(UInt8(random.next() % 6))
        let fingerprint = pick([nil, "f", "g", "h"])
        let bot = Samples.key(pick(["f", "g", "h"]), pick(["1", "2", "3"]))
        switch random.next() % 20 {
        case 0, 1, 2:
            let addresses = (0...random.next() % 3).map { _ in UInt8(random.next() % 6) }
            return .serviceFound(
                Samples.service(
                    pick(["a", "b", "c", "d", "e"]),
                    fp: fingerprint,
                    host: pick(["x.local", "y.local"]),
                    at: addresses,
                    on: pick([[Samples.eth0], [Samples.eth1], [Samples.eth0, Samples.eth1]])
                )
            )
        case 3: return .serviceLost(Samples.instance(pick(["a", "b", "c", "d", "e"])))
        case 4: return .endpointAdded(endpoint, pick([.local, .remote]), entry: pick([nil, "e"]))
        case 5:
            return pick([
                .endpointRemoved(endpoint), .waiting(endpoint, pick([nil, .addressBudget])),
                .flooding(endpoint, pick([true, false])),
            ])
        case 6, 7, 8:
            let leaf: UInt8? = pick([nil, 1, 2])
            let bots = pick([[], ["1", "2"]])
            return .probed(
                endpoint,
                Samples.answer(fingerprint, name: pick([nil, "n"]), bots: bots, leaf: leaf)
            )
        case 18: return .sessionLiveness(endpoint, pick(Liveness.allCases + [nil, nil]))
        case 17:
            let leaf: UInt8? = pick([nil, 1, 2])
            return .proved(endpoint, pick(GatewayProof.allCases), leaf: leaf.map(Samples.leaf))
        case 9:
            return .probed(
                endpoint,
                pick([.nothing(.refused), .somethingElse(ForeignAnswer(summary: "a web server", bytes: []))])
            )
        case 10, 11, 12:
            return .liveness(
                endpoint,
                pick(Liveness.allCases),
                roundTrip: pick([nil, .milliseconds(1), .milliseconds(2)])
            )
        case 13: return .paired(PairedBot(id: bot, gatewayName: pick([nil, "G"])))
        case 14: return pick([.unpaired(bot), .revoked(bot)])
        case 15: return .retired(endpoint)
        case 16:
            return .located(endpoint, pick([nil, .thisHost, .neighbour(hardwareAddress: [2, 0, 0, 0, 0, 1])]))
        // Those after them lead where `error` does; without them, the transcripts stay comparable with earlier ones.
        default: return .stateChanged(bot, pick(Array(BotState.allCases.prefix(7))))
        }
    }

    /// Returns the subject of an event: events with the same subject keep their order.
    private static func subject(_ event: BotMapEvent) -> String {
        switch event {
        case .serviceFound(let service): "service \(service.instance)"
        case .serviceLost(let instance, _): "service \(instance)"
        case .endpointAdded(let endpoint, _, _, _), .endpointRemoved(let endpoint): "endpoint \(endpoint)"
        case .probed(let endpoint, _, _), .waiting(let endpoint, _), .proved(let endpoint, _, _): "probe \(endpoint)"
        case .liveness(let endpoint, _, _), .sessionLiveness(let endpoint, _, _), .flooding(let endpoint, _),
            .readiness(let endpoint, _), .located(let endpoint, _), .retired(let endpoint):
            "liveness \(endpoint)"
        case .aliased: "aliases"
        case .paired(let bot): "bot \(bot.id)"
        case .unpaired(let key), .revoked(let key), .stateChanged(let key, _): "bot \(key)"
        }
    }

    /// Returns the events in another order, in which the events with the same subject keep theirs.
    private static func shuffled(_ events: [BotMapEvent], _ random: inout SeededGenerator) -> [BotMapEvent] {
        var queues: [String: [BotMapEvent]] = [:]
        for event in events { queues[subject(event), default: []].append(event) }
        var next: [String: Int] = [:]
        return events.map(subject).shuffled(using: &random).compactMap { subject in
            let index = next[subject, default: 0]
            next[subject] = index + 1
            return queues[subject]?[index]
        }
    }

    /// Indicates whether an event is neither a gateway's answer nor about its liveness or a pairing, so that it does
    /// not decide which endpoints are one gateway.
    private static func isUnanswered(_ event: BotMapEvent) -> Bool {
        switch event {
        case .probed(_, .gateway, _), .liveness, .sessionLiveness, .flooding, .paired, .unpaired, .revoked,
            .stateChanged:
            false
        default: true
        }
    }

    @Test func anyOrderOfWhatHasNotAnsweredGivesTheSameMap() {
        var random = SeededGenerator.forFuzzing("orders of events")
        for round in 0..<TestCases.count(100) {
            let events = (0..<Int(random.next() % 40)).map { _ in Self.anyEvent(&random) }.filter(Self.isUnanswered)
            var map = BotMap()
            map.apply(all: events)
            for _ in 0..<3 {
                var other = BotMap()
                other.apply(all: Self.shuffled(events, &random))
                guard map.gateways == other.gateways else {
                    Issue.record("round \(round): \(events)")
                    return
                }
            }
        }
    }

    /// Following the changes gives the rows of the map, each event reports at most one change of each row, and the
    /// indices agree, with high and low limits.
    @Test(arguments: [
        BotMapLimits(),
        BotMapLimits(candidates: 6, candidatesPerEndpoint: 2, remembered: 2, pairings: 3),
    ])
    func randomEventsKeepItConsistent(limits: BotMapLimits) {
        var random = SeededGenerator.forFuzzing("random events")
        var map = BotMap(limits: limits)
        var picture: [GatewayID: Gateway] = [:]
        for step in 0..<TestCases.count(10_000) {
            var changedRows: Set<GatewayID> = []
            var became: [GatewayID: Gateway] = [:]
            for change in map.apply(Self.anyEvent(&random)) {
                if let id = change.gateway?.id, !changedRows.insert(id).inserted {
                    Issue.record("step \(step): more than one change of \(id)")
                    return
                }
                switch change {
                case .found(let row):
                    if became[row.id] != nil { Issue.record("found again: \(row.id)") }
                    if picture.updateValue(row, forKey: row.id) != nil { Issue.record("found twice: \(row.id)") }
                case .changed(let row, let aspects) where aspects.contains(.identifier):
                    let before = became[row.id]
                    if picture.updateValue(row, forKey: row.id) != nil || before == nil {
                        Issue.record("not another one before: \(row.id)")
                    } else if before.map({ row.aspects(changedSince: $0) }) != aspects.subtracting([.identifier]) {
                        Issue.record("wrong aspects of \(row.id): \(aspects)")
                    }
                case .changed(let row, let aspects):
                    guard let before = picture.updateValue(row, forKey: row.id) else {
                        Issue.record("changed, and never found: \(row.id)")
                        return
                    }
                    if row.aspects(changedSince: before) != aspects {
                        Issue.record("wrong aspects of \(row.id): \(aspects)")
                    }
                    if aspects.isEmpty { Issue.record("changed without an aspect: \(row.id)") }
                case .joined(let row, let id):
                    if became[id] == nil { became[id] = row }
                    if picture.removeValue(forKey: row.id) == nil { Issue.record("lost twice: \(row.id)") }
                case .lost(let row):
                    if picture.removeValue(forKey: row.id) == nil { Issue.record("lost twice: \(row.id)") }
                case .problem: break
                }
            }
            guard step % 64 == 0 else { continue }
            let rows = Dictionary(uniqueKeysWithValues: map.gateways.map { ($0.id, $0) })
            let problems = map.inconsistencies() + (picture == rows ? [] : ["following the changes gives other rows"])
            guard problems.isEmpty else {
                Issue.record("step \(step): \(problems)")
                return
            }
        }
    }

    /// A map that updates only the affected parts of its rows has the same rows as one that rebuilds all of them after
    /// each event.
    @Test func shortCutsLeadToTheSameMap() {
        var random = SeededGenerator.forFuzzing("short cuts")
        var map = BotMap()
        for step in 0..<TestCases.count(1_500) {
            // Most events are reports of liveness, for which there is a short cut.
            let event = random.next() % 4 == 0 ? Self.anyEvent(&random) : Self.anyLiveness(&random)
            let changes = map.apply(event)
            for case .changed(let row, _) in changes.suffix(1) where map[row.id] != row {
                Issue.record("step \(step): \(row.id) was reported otherwise than the map shows it")
            }
            var other = map
            other.refreshAll()
            guard map.gateways == other.gateways else {
                let differing = zip(map.gateways, other.gateways).filter { $0 != $1 }.map { row, made in
                    "\(row.id) in \(made.aspects(changedSince: row).map(\.rawValue).sorted())"
                }
                Issue.record(
                    "step \(step), \(event): \(differing), \(map.gateways.map(\.id)) should be \(other.gateways.map(\.id))"
                )
                return
            }
        }
    }

    private static func anyLiveness(_ random: inout SeededGenerator) -> BotMapEvent {
        let number = random.next() % 5
        let roundTrip: Duration? = number == 0 ? nil : .milliseconds(Int64(number))
        let endpoint = Samples.endpoint(UInt8(random.next() % 6))
        let liveness: Liveness =
            random.next() % 3 == 0 ? .suspect : random.next() % 8 == 0 ? .gone : .answering
        guard random.next() % 4 == 0 else { return .liveness(endpoint, liveness, roundTrip: roundTrip) }
        return .sessionLiveness(endpoint, random.next() % 4 == 0 ? nil : liveness, roundTrip: roundTrip)
    }
}

extension BotMap {
    /// Rebuilds all rows, although nothing has happened.
    fileprivate mutating func refreshAll() {
        sequence += 1
        for candidate in candidates.keys.sorted() { touch(candidate) }
        for row in rows.keys.sorted() { touch(row) }
        refresh()
    }
}
