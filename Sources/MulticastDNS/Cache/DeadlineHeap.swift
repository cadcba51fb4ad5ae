internal import HeapModule

/// Things with the times at which they are due, the next one first; of those that are due together, the one that was put
/// in first.
///
/// Nothing is taken out of the middle. Whoever puts something in again at another time passes the old entry over when it
/// comes up, and calls ``rebuild(_:)`` when such entries outnumber the rest.
struct DeadlineHeap<Element> {
    private struct Entry: Comparable {
        let time: ContinuousClock.Instant

        /// The place in the order of coming in.
        let number: Int
        let element: Element

        static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.time == rhs.time && lhs.number == rhs.number }

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            lhs.time != rhs.time ? lhs.time < rhs.time : lhs.number < rhs.number
        }
    }

    private var entries = Heap<Entry>()
    private var lastNumber = 0

    /// The number of entries, including those that no longer count.
    var count: Int { entries.count }

    /// The time at which the next entry is due.
    var next: ContinuousClock.Instant? { entries.min?.time }

    mutating func insert(_ element: Element, at time: ContinuousClock.Instant) {
        lastNumber += 1
        entries.insert(Entry(time: time, number: lastNumber, element: element))
    }

    /// Takes out the next one if it is due by now.
    mutating func take(until now: ContinuousClock.Instant) -> (time: ContinuousClock.Instant, element: Element)? {
        guard let first = entries.min, first.time <= now else { return nil }
        entries.removeMin()
        return (first.time, first.element)
    }

    /// Begins anew with these.
    mutating func rebuild(_ elements: some Sequence<(ContinuousClock.Instant, Element)>) {
        lastNumber = 0
        entries = Heap(
            elements.map { time, element in
                lastNumber += 1
                return Entry(time: time, number: lastNumber, element: element)
            }
        )
    }
}
