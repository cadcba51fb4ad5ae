import GatewayClient
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

@Suite struct EndpointTableTests {
    /// The table's tally equals a fresh count after any sequence of changes. It is kept up to date while endpoints
    /// change, and callers that wait for the scanner rely on it.
    @Test func tallyEqualsAFreshCount() {
        var generator = SeededGenerator.forFuzzing("EndpointTable")
        var table = EndpointTable()
        let start = ContinuousClock.now
        var most = EndpointTable.Tally()
        for step in 0..<5_000 {
            let now = start + .seconds(step)
            let endpoint = Samples.endpoint(UInt32.random(in: 0..<40, using: &generator))
            switch Int.random(in: 0..<14, using: &generator) {
            case 0, 1: if table[endpoint] == nil { table.insert(ScannedEndpoint(endpoint, number: step)) }
            case 2: table[endpoint]?.question.isAsked.toggle()
            case 3: table[endpoint]?.leads.toggle()
            case 4, 5, 6: _ = table[endpoint]?.tracker.answered(at: now)
            case 7: table[endpoint]?.tracker = LivenessTracker()
            case 8: for miss in 0..<4 { _ = table[endpoint]?.tracker.missed(at: now + .seconds(2 * miss)) }
            case 9: _ = table[endpoint]?.candidates.add(candidate)
            case 10: table[endpoint]?.candidates.remove(candidate.key, now: now)
            case 11: table[endpoint] = nil
            case 12:
                if table[endpoint]?.holding.isHeld == true {
                    table[endpoint]?.holding.end()
                } else {
                    table[endpoint]?.holding.begin(at: now)
                }
            default: #expect(table.removeValue(forKey: endpoint)?.endpoint ?? endpoint == endpoint)
            }
            var tally = EndpointTable.Tally()
            for known in table.values {
                if known.question.isAsked { tally.asked += 1 }
                if known.holding.isHeld { tally.held += 1 }
                if known.holding.isHeld, !known.leads { tally.heldBesides += 1 }
                guard let liveness = known.tracker.liveness else { continue }
                tally.gateways += 1
                guard liveness != .gone else { continue }
                if known.leads { tally.primaries += 1 } else { tally.others += 1 }
                if !known.isWanted { tally.unwanted += 1 }
            }
            #expect(table.tally == tally && table.count == table.values.count)
            // The place of a removed endpoint is used again, and never found under the former one's key.
            #expect(table.keys.allSatisfy { table[$0]?.endpoint == $0 })
            most.asked = max(most.asked, tally.asked)
            most.held = max(most.held, tally.held)
            most.heldBesides = max(most.heldBesides, tally.heldBesides)
            most.primaries = max(most.primaries, tally.primaries)
            most.others = max(most.others, tally.others)
            most.unwanted = max(most.unwanted, tally.unwanted)
        }
        #expect(most.asked > 0 && most.held > 0 && most.primaries > 0 && most.others > 0 && most.unwanted > 0)
        #expect(most.heldBesides > 0)
    }

    /// A forger can make the scanner keep 16,384 endpoints that never answer. What only an answer brings must take no
    /// room in them: each one had 688 bytes, and the table room for twice as many, so that it was the
    /// largest piece of the heap.
    @Test func anEndpointWithoutAnswerTakesLittleRoom() {
        #expect(MemoryLayout<ScannedEndpoint>.stride <= 288)
        #expect(MemoryLayout<ScannedEndpoint?>.stride == MemoryLayout<ScannedEndpoint>.stride)
    }

    private var candidate: EndpointCandidate {
        EndpointCandidate(
            key: .service(Samples.instance("A")),
            rules: TargetRules(origin: .network),
            hint: ProbeHint(),
            standing: .stranger,
            host: nil
        )
    }
}
