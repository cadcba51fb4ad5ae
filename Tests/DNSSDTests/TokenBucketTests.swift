import DNSSD
import Testing

/// The token bucket, on which all limits on sending at the request of others are based.
@Suite struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test func theRateHoldsOverAnyTime() {
        var bucket = TokenBucket(capacity: 10, perSecond: 100, now: start)
        var taken = 0
        for millisecond in 0..<1_000 {
            while bucket.take(now: start + .milliseconds(millisecond)) { taken += 1 }
        }
        #expect((108...111).contains(taken))
        // A long pause fills the bucket up to its capacity.
        for _ in 0..<10 {
            let hasToken = bucket.take(now: start + .seconds(3_600))
            #expect(hasToken)
        }
        #expect(bucket.take(now: start + .seconds(3_600)) == false)
        #expect(bucket.time(for: 1) > start + .seconds(3_600))
    }

    @Test func severalAreTakenTogetherOrNotAtAll() {
        var bucket = TokenBucket(capacity: 8, perSecond: 4, now: start)
        #expect(bucket.take(9, now: start) == false)
        #expect(bucket.take(6, now: start) == true)
        #expect(bucket.take(3, now: start) == false)
        #expect(bucket.time(for: 3) == start + .milliseconds(250))
        #expect(bucket.take(3, now: start + .milliseconds(250)) == true)
        // For more tokens than the capacity, the time is that at which the bucket is full.
        #expect(bucket.time(for: 99) == start + .milliseconds(2_250))
    }

    @Test func aTimeThatGoesBackAddsNothing() {
        var bucket = TokenBucket(capacity: 1, perSecond: 1, now: start)
        #expect(bucket.take(now: start) == true)
        #expect(bucket.take(now: start - .seconds(10)) == false)
        #expect(bucket.take(now: start + .milliseconds(999)) == false)
        #expect(bucket.take(now: start + .seconds(1)) == true)
    }

    @Test func itIsFullOnceAllHasComeBack() {
        var bucket = TokenBucket(capacity: 2, perSecond: 1, now: start)
        #expect(bucket.isFull(at: start))
        #expect(bucket.take(2, now: start) == true)
        #expect(!bucket.isFull(at: start + .milliseconds(1_900)))
        #expect(bucket.isFull(at: start + .seconds(2)))
    }

    /// Each token that a full bucket has no room for is returned exactly once.
    @Test func whatHasNoRoomIsReturned() {
        var bucket = TokenBucket(capacity: 4, perSecond: 2, now: start)
        #expect(bucket.take(3, now: start) == true)
        #expect(bucket.refill(now: start + .seconds(1)) == 0)
        #expect(bucket.tokens == 3)
        #expect(bucket.refill(now: start + .seconds(3)) == 3)
        #expect(bucket.refill(now: start + .seconds(3)) == 0)
        #expect(bucket.refill(now: start) == 0)
        bucket.empty()
        #expect(bucket.take(now: start + .seconds(3)) == false)
        #expect(bucket.take(2, now: start + .seconds(4)) == true)
    }
}
