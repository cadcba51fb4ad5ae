import DNSSD
import TestSupport
import Testing

@testable import Scanning

@Suite struct TurnQueueTests {
    @Test func theNewestGoesBesideTheOldest() {
        var queue = TurnQueue<Int>()
        for number in 1...6 { queue.append(number, host: "a.local") }
        var taken: [Int] = []
        while let next = queue.popFirst() { taken.append(next) }
        #expect(taken == [1, 6, 2, 5, 3, 4])
        #expect(queue.count == 0)
    }

    /// One host with a thousand does not hold up another with one.
    @Test func hostsTakeTurns() {
        var queue = TurnQueue<String>()
        for number in 1...1_000 { queue.append("a\(number)", host: "a.local") }
        queue.append("b", host: "b.local")
        queue.append("c", host: "c.local")
        let taken = (1...4).compactMap { _ in queue.popFirst() }
        #expect(taken.contains("b") && taken.contains("c"), "\(taken)")
    }

    /// A true host that came before the forged ones is asked soon, and so is one that comes after, whatever the forger
    /// makes up, host names too.
    @Test func manyForgedHostsDoNotHideATrueOne() {
        for position in [0, 1, 500, 999, 1_000] {
            var queue = TurnQueue<Int>()
            for number in 0...1_000 {
                let host = try? DomainName(escaped: number == position ? "true.local" : "f\(number).local")
                queue.append(number, host: host)
            }
            var turn = 0
            while let next = queue.popFirst(), next != position { turn += 1 }
            // Those in the middle wait longest.
            #expect(turn <= 2 * min(position, 1_000 - position) + 1, "position \(position), turn \(turn)")
        }
    }

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

    @Test func whatIsUnwantedIsLeftOut() {
        var queue = TurnQueue<Int>()
        for number in 1...10 { queue.append(number, host: number.isMultiple(of: 5) ? "a.local" : "b.local") }
        queue.removeAll { $0 != 7 }
        #expect(queue.count == 1)
        let taken = [queue.popFirst(), queue.popFirst()]
        #expect(taken == [7, nil])
    }

    /// Nothing is lost, and nothing comes twice.
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
