import DNSSD
import TestSupport
import Testing

@testable import Scanning

@Suite struct TurnQueueTests {
    /// The oldest and the newest entry alternate, so that many entries after or before a real one do not hide it.
    @Test func theNewestGoesBesideTheOldest() {
        var queue = TurnQueue<Int>()
        for number in 1...6 { queue.append(number, host: "a.local") }
        var taken: [Int] = []
        while let next = queue.popFirst() { taken.append(next) }
        #expect(taken == [1, 6, 2, 5, 3, 4])
        #expect(queue.count == 0)
    }

    /// A host with a thousand entries does not hold up another host with one.
    @Test func hostsTakeTurns() {
        var queue = TurnQueue<String>()
        for number in 1...1_000 { queue.append("a\(number)", host: "a.local") }
        queue.append("b", host: "b.local")
        queue.append("c", host: "c.local")
        let taken = (1...4).compactMap { _ in queue.popFirst() }
        #expect(taken.contains("b") && taken.contains("c"), "\(taken)")
    }

    /// The entry of a real host is reached soon if it came before or after a thousand forged hosts, since the oldest
    /// and the newest host alternate as well.
    @Test func manyForgedHostsDoNotHideATrueOne() {
        for position in [0, 1, 500, 999, 1_000] {
            var queue = TurnQueue<Int>()
            for number in 0...1_000 {
                let host = try? DomainName(escaped: number == position ? "true.local" : "f\(number).local")
                queue.append(number, host: host)
            }
            var turn = 0
            while let next = queue.popFirst(), next != position { turn += 1 }
            // Entries in the middle wait longest.
            #expect(turn <= 2 * min(position, 1_000 - position) + 1, "position \(position), turn \(turn)")
        }
    }

    /// An entry that was put back is the next one again.
    @Test func whatIsPutBackIsNext() {
        var queue = TurnQueue<Int>()
        for number in 1...4 { queue.append(number, host: number < 3 ? "a.local" : nil) }
        for _ in 0..<2 {
            let before = queue.count
            guard let next = queue.popFirst() else { break }
            queue.putBack(next, host: next < 3 ? "a.local" : nil)
            #expect(queue.count == before)
            let again = queue.popFirst()
            #expect(again == next)
        }
    }

    /// Unwanted entries of all hosts are removed.
    @Test func whatIsUnwantedIsLeftOut() {
        var queue = TurnQueue<Int>()
        for number in 1...10 { queue.append(number, host: number.isMultiple(of: 5) ? "a.local" : "b.local") }
        queue.removeAll { $0 != 7 }
        #expect(queue.count == 1)
        let taken = [queue.popFirst(), queue.popFirst()]
        #expect(taken == [7, nil])
    }

    /// Each entry is returned exactly once, in any order of calls.
    @Test func everythingComesOnce() {
        var random = SeededGenerator.forFuzzing("TurnQueue")
        var queue = TurnQueue<Int>()
        var present: Set<Int> = []
        for number in 0..<5_000 {
            let host: DomainName? = number % 3 == 0 ? nil : number % 3 == 1 ? "a.local" : "b.local"
            if Int.random(in: 0..<3, using: &random) > 0 {
                queue.append(number, host: host)
                present.insert(number)
            } else if let next = queue.popFirst() {
                #expect(present.contains(next))
                if Bool.random(using: &random) {
                    queue.putBack(next, host: next % 3 == 0 ? nil : next % 3 == 1 ? "a.local" : "b.local")
                } else {
                    present.remove(next)
                }
            }
            #expect(queue.count == present.count)
        }
        while let next = queue.popFirst() { if present.remove(next) == nil { Issue.record("\(next) comes twice") } }
        #expect(present.isEmpty)
    }
}
