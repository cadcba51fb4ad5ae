import TestSupport
import Testing

@testable import Discovery

@Suite struct DeadlineHeapTests {
    /// Elements are taken in the order of their times, whatever the order of insertion: the order decides which records
    /// are asked for and which expire.
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

    /// A rebuilt heap contains exactly the new entries, and none of the former ones.
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
