import Testing

@testable import Avahi

@Suite struct TokenBucketTests {
    @Test func theRateHoldsOverAnyTime() {
        var bucket = TokenBucket(capacity: 10, perSecond: 100)
        let start = ContinuousClock.now
        var taken = 0
        for millisecond in 0..<1_000 {
            while bucket.take(now: start + .milliseconds(millisecond)) { taken += 1 }
        }
        #expect((108...111).contains(taken))
        // A long rest fills it, and does not overfill it.
        for _ in 0..<10 {
            let hasToken = bucket.take(now: start + .seconds(3_600))
            #expect(hasToken)
        }
        #expect(bucket.take(now: start + .seconds(3_600)) == false)
        #expect(bucket.next.map { $0 > start + .seconds(3_600) } == true)
    }
}
