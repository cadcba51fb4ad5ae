import Testing

@testable import GatewayClient

/// The rolling limit, with a clock that is turned.
@Suite struct RollingAllowanceTests {
    private let start = ContinuousClock.now

    /// Takes amounts at seconds after the start, and returns which of them were allowed.
    private func taken(_ amounts: [(Int, at: Int)]) -> [Bool] {
        var allowance = RollingAllowance(ConnectionLimits.Rate(burst: 10, perSecond: 2), at: start)
        return amounts.map { allowance.take($0.0, at: start + .seconds($0.at)) }
    }

    @Test func aBurstIsAllowedAndThenTheRate() {
        #expect(taken([(10, at: 0), (1, at: 0), (2, at: 1), (1, at: 1)]) == [true, false, true, false])
    }

    /// A week of rest allows no more than the burst, and a clock that goes back gives nothing.
    @Test func aRestSavesNothingUp() {
        #expect(taken([(11, at: 604_800), (10, at: 604_800), (1, at: 0)]) == [false, true, false])
    }
}
