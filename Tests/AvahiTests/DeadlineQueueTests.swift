import Testing

@testable import Avahi

@Suite struct DeadlineQueueTests {
    private var queue = DeadlineQueue<Int>()
    private let start = ContinuousClock.now

    @Test mutating func whatIsDueComesInOrderAndOnce() {
        for number in 0..<10 { queue.append(number, at: start + .seconds(number)) }
        #expect(queue.next == start)
        #expect(queue.take(until: start - .seconds(1)).isEmpty)
        #expect(queue.take(until: start + .seconds(4)) == [0, 1, 2, 3, 4])
        #expect(queue.next == start + .seconds(5))
        #expect(queue.take(until: start + .seconds(4)).isEmpty)
        #expect(queue.take(until: start + .seconds(99)) == [5, 6, 7, 8, 9])
        #expect(queue.next == nil)
    }

    @Test mutating func nothingIsLostWhenTheRoomIsUsedAnew() {
        var taken: [Int] = []
        for number in 0..<10_000 {
            queue.append(number, at: start + .milliseconds(number))
            taken += queue.take(until: start + .milliseconds(number - 7))
        }
        taken += queue.take(until: start + .seconds(99))
        #expect(taken == Array(0..<10_000))
    }
}
