import DNSSD
import Testing

@testable import Gateways

@Suite struct ProbeBudgetTests {
    private let start = ContinuousClock.now

    private func address(_ number: Int) -> IPAddress {
        .v4(IPv4Address(bits: 0x0A00_0000 + UInt32(number)))
    }

    @Test func thirtyTwoAtOnce() {
        var budget = ProbeBudget()
        for number in 0..<32 { #expect(budget.begin(address(number), at: start) == .begin) }
        #expect(budget.begin(address(99), at: start) == .afterAnother)
        budget.end(address(7), at: start)
        #expect(budget.begin(address(99), at: start) == .begin)
    }

    @Test func eightAtOnceToOneAddress() throws {
        var budget = ProbeBudget()
        let mapped = try #require(IPAddress("::ffff:10.0.0.1"))
        for _ in 0..<8 { #expect(budget.begin(address(1), at: start) == .begin) }
        #expect(budget.begin(mapped, at: start) == .afterAnother)
        budget.end(mapped, at: start)
        #expect(budget.begin(address(1), at: start) == .begin)
    }

    @Test func aForgerGetsSixtyAndThenOneASecond() {
        var budget = ProbeBudget()
        var begun = 0
        var now = start
        for _ in 0..<1_000 {
            if budget.begin(address(1), at: now) == .begin {
                begun += 1
                budget.end(address(1), at: now)
            }
        }
        #expect(begun == 60)
        #expect(budget.begin(address(1), at: now) == .after(now + .seconds(1)))
        now += .milliseconds(500)
        #expect(budget.begin(address(1), at: now) == .after(now + .milliseconds(500)))
        now += .seconds(1)
        #expect(budget.begin(address(1), at: now) == .begin)
    }

    @Test func whatIsFullAgainIsForgotten() {
        var budget = ProbeBudget()
        for number in 0..<3_000 {
            #expect(budget.begin(address(number), at: start) == .begin)
            budget.end(address(number), at: start)
        }
        #expect(budget.begin(address(1), at: start + .seconds(60)) == .begin)
        budget.end(address(1), at: start + .seconds(60))
        #expect(budget.remembered == 1)
        budget.end(address(1), at: start)
    }
}
