import BotMap
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

@Suite struct TargetTableTests {
    /// Whoever waits for a scan waits for these numbers, and they are kept while everything changes, not counted anew.
    @Test func theTallyIsWhatIsThere() {
        var generator = SeededGenerator.forFuzzing("TargetTable")
        var table = TargetTable()
        for _ in 0..<5_000 {
            let id = Int.random(in: 0..<40, using: &generator)
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: table[id] = ScanTarget(endpoints: [], rules: TargetRules(origin: .network))
            case 1: table[id]?.isAsked.toggle()
            case 2: table[id]?.isPutOff.toggle()
            case 3: _ = table[id]?.tracker.answered()
            case 4: table[id]?.tracker = LivenessTracker()
            case 7: _ = table[id]?.tracker.missed()
            case 5: table[id] = nil
            default: _ = table.removeValue(forKey: id)
            }
            var tally = TargetTable.Tally()
            for target in table.values {
                if target.isAsked { tally.asked += 1 }
                if target.tracker.liveness != nil { tally.gateways += 1 }
                if [.answering, .suspect].contains(target.tracker.liveness) { tally.watched += 1 }
                if target.isPutOff { tally.putOff += 1 }
            }
            #expect(table.tally == tally && table.count == table.values.count)
        }
        #expect(table.tally.gateways > 0)
    }
}
