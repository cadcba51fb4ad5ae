import DNSSD
import TestSupport
import Testing

@testable import Gateways

@Suite struct ProbeBudgetTests {
    private let start = ContinuousClock.now

    private func address(_ number: Int) -> IPAddress {
        .v4(IPv4Address(bits: 0x0A00_0000 + UInt32(number)))
    }

    @Test func thirtyTwoAtOnce() {
        var budget = ProbeBudget()
        for number in 0..<32 { #expect(budget.begin([address(number)], at: start) == .begin) }
        #expect(budget.begin([address(99)], at: start) == .afterAnother(nil))
        budget.end([address(7)], used: [:], at: start)
        #expect(budget.begin([address(99)], at: start) == .begin)
    }

    @Test func aRaceCountsOneSocketForEachAddress() {
        var budget = ProbeBudget(total: 3)
        #expect(budget.begin([address(1), address(2)], at: start) == .begin)
        #expect(budget.begin([address(3), address(4)], at: start) == .afterAnother(nil))
        #expect(budget.begin([address(3)], at: start) == .begin)
    }

    @Test func eightAtOnceToOneAddress() throws {
        var budget = ProbeBudget()
        let mapped = try #require(IPAddress("::ffff:10.0.0.1"))
        for _ in 0..<8 { #expect(budget.begin([address(1)], at: start) == .begin) }
        #expect(budget.begin([mapped], at: start) == .afterAnother(address(1)))
        budget.end([mapped], used: [:], at: start)
        #expect(budget.begin([address(1)], at: start) == .begin)
    }

    @Test func whatIsNotUsedComesBack() {
        var budget = ProbeBudget()
        for _ in 0..<60 {
            #expect(budget.begin([address(1)], connections: 5, at: start) == .begin)
            budget.end([address(1)], reserved: 5, used: [:], at: start)
        }
        #expect(budget.remembered == 0)
    }

    @Test func whatTheFirstQuestionsLeaveIsForTheOthers() {
        var budget = ProbeBudget()
        for _ in 0..<45 {
            #expect(budget.begin([address(1)], keeping: 15, at: start) == .begin)
            budget.end([address(1)], used: [address(1): 1], at: start)
        }
        #expect(budget.begin([address(1)], keeping: 15, at: start) == .after(start + .seconds(60)))
        #expect(budget.begin([address(1)], at: start) == .begin)
    }

    /// However the work is spread, no sixty seconds see more than sixty connections at one address.
    @Test(arguments: [1 as UInt64, 2, 3, 4, 5])
    func aForgerGetsSixtyAMinute(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var budget = ProbeBudget()
        var now = start
        var made: [ContinuousClock.Instant] = []
        var running: [Int] = []
        for _ in 0..<20_000 {
            if !running.isEmpty, Bool.random(using: &random) {
                let reserved = running.removeLast()
                let used = Int.random(in: 0...reserved, using: &random)
                budget.end([address(1)], reserved: reserved, used: [address(1): used], at: now)
                made += Array(repeating: now, count: used)
            } else {
                let wanted = Int.random(in: 1...6, using: &random)
                if budget.begin([address(1)], connections: wanted, at: now) == .begin { running.append(wanted) }
            }
            now += .milliseconds(Int.random(in: 0...40, using: &random))
        }
        for index in made.indices.dropFirst(60) {
            #expect(made[index] - made[index - 60] >= .seconds(60), "seed \(seed)")
        }
        #expect(made.count > 200, "seed \(seed)")
    }

    @Test func whatIsOldIsForgotten() {
        var budget = ProbeBudget()
        for number in 0..<1_100 {
            #expect(budget.begin([address(number)], at: start) == .begin)
            budget.end([address(number)], used: [address(number): 1], at: start)
        }
        #expect(budget.begin([address(1)], at: start + .seconds(60)) == .begin)
        budget.end([address(1)], used: [:], at: start + .seconds(60))
        #expect(budget.remembered == 0)
    }
}
