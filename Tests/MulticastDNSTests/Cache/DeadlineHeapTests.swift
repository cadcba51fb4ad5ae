import TestSupport
import Testing

@testable import MulticastDNS

@Suite struct DeadlineHeapTests {
    /// The order decides what is asked and what is gone: it must be that of the times, however they came in.
    @Test func itemsComeInTheOrderOfTheirTimes() {
        var generator = SeededGenerator(seed: 7)
        let start = ContinuousClock.now
        var heap = DeadlineHeap<Int>()
        let delays = (0..<1_000).map { _ in Int(generator.next() % 500) }
        for delay in delays { heap.insert(delay, at: start + .seconds(delay)) }
        var taken: [Int] = []
        for now in stride(from: 0, through: 500, by: 50) {
            while let (time, delay) = heap.take(until: start + .seconds(now)) {
                #expect(time == start + .seconds(delay) && delay <= now)
                taken.append(delay)
            }
            if let next = heap.next { #expect(next > start + .seconds(now)) }
        }
        #expect(taken == delays.sorted())
    }

    @Test func aRebuiltHeapHasWhatItWasGiven() {
        let start = ContinuousClock.now
        var heap = DeadlineHeap<Int>()
        for delay in 0..<100 { heap.insert(delay, at: start + .seconds(delay)) }
        heap.rebuild([30, 10, 20].map { (start + .seconds($0), $0) })
        var taken: [Int] = []
        while let (_, delay) = heap.take(until: start + .seconds(1_000)) { taken.append(delay) }
        #expect(taken == [10, 20, 30])
    }
}
