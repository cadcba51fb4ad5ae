internal import HeapModule

/// A heap of elements with the times at which they are due, the next one first; of those that are due at the same time,
/// the one that was inserted first. Times are rounded to nanoseconds.
///
/// Nothing is removed from the middle. A caller that inserts an element again with another time skips the old entry
/// when it comes up, and calls ``rebuild(_:)`` when such entries outnumber the others.
struct DeadlineHeap<Element> {
    fileprivate struct Entry: Comparable {
        @StoredInstant var time: ContinuousClock.Instant

        /// The position in the order of insertion.
        let number: UInt32
        let element: Element

        static func == (lhs: Entry, rhs: Entry) -> Bool { lhs._time == rhs._time && lhs.number == rhs.number }

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            lhs._time != rhs._time ? lhs._time < rhs._time : lhs.number < rhs.number
        }
    }

    private var entries = Heap<Entry>()
    private var lastNumber: UInt32 = 0

    /// The largest number of entries since memory was last given back.
    private var most = 0

    /// The number of entries, including those that are obsolete.
    var count: Int { entries.count }

    /// The time at which the next entry is due.
    var next: ContinuousClock.Instant? { entries.min?.time }

    mutating func insert(_ element: Element, at time: ContinuousClock.Instant) {
        lastNumber &+= 1
        entries.insert(Entry(time: time, number: lastNumber, element: element))
        most = max(most, entries.count)
    }

    /// Removes and returns the next element if it is due.
    mutating func take(until now: ContinuousClock.Instant) -> (time: ContinuousClock.Instant, element: Element)? {
        guard let first = entries.min, first.time <= now else { return nil }
        entries.removeMin()
        if most > 4_096, entries.count < most / 8 {
            // A heap that shrinks keeps its memory.
            most = entries.count
            entries = Heap(entries.unordered)
        }
        return (first.time, first.element)
    }

    /// Replaces all entries.
    mutating func rebuild(_ elements: some Sequence<(ContinuousClock.Instant, Element)>) {
        lastNumber = 0
        entries = Heap(
            elements.map { time, element in
                lastNumber &+= 1
                return Entry(time: time, number: lastNumber, element: element)
            }
        )
    }
}

extension DeadlineHeap: Sendable where Element: Sendable {}
extension DeadlineHeap.Entry: Sendable where Element: Sendable {}
