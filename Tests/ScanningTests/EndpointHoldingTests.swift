import Testing

@testable import Scanning

/// How long a connection is held.
@Suite struct EndpointHoldingTests {
    private var now = ContinuousClock.now

    private mutating func lifetime(afterAges ages: Double...) -> Duration? {
        var holding = EndpointHolding()
        for age in ages {
            holding.begin(at: now)
            now += .seconds(age)
            holding.end(isByPeer: true, at: now)
        }
        return holding.lifetime
    }

    /// A gateway closes connections over which nobody introduces himself, always at the same age. That must not count as the
    /// end of its process, again and again.
    @Test mutating func oneThatIsClosedAtTheSameAgeAgainIsReplacedBeforeThat() {
        #expect(lifetime(afterAges: 10) == nil)
        #expect(lifetime(afterAges: 10.1, 10) == .seconds(9))
        #expect(lifetime(afterAges: 10, 10.1, 30) == nil)
    }

    /// A process that ends again and again is noticed each time.
    @Test mutating func oneThatIsClosedSoonIsHeldForAsLongAsPossible() {
        #expect(lifetime(afterAges: 1, 1, 1) == nil)
        #expect(lifetime(afterAges: 10, 10, 1) == nil)
    }

    @Test mutating func whatIsLetGoSaysNothing() {
        var holding = EndpointHolding()
        for _ in 0..<3 {
            holding.begin(at: now)
            now += .seconds(10)
            holding.end(at: now)
        }
        #expect(holding.lifetime == nil && !holding.isHeld)
    }
}
