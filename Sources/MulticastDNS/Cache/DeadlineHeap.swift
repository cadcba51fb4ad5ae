/// Things with the times at which they are due, the next one first: a binary heap.
///
/// Nothing is taken out of the middle. Whoever puts something in again at another time passes the old entry over when it
/// comes up, and calls ``rebuild(_:)`` when such entries outnumber the rest.
struct DeadlineHeap<Element> {
    private typealias Entry = (time: ContinuousClock.Instant, element: Element)

    private var entries: [Entry] = []

    /// The number of entries, including those that no longer count.
    var count: Int { entries.count }

    /// The time at which the next entry is due.
    var next: ContinuousClock.Instant? { entries.first?.time }

    mutating func insert(_ element: Element, at time: ContinuousClock.Instant) {
        entries.append((time, element))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out the next one if it is due by now.
    mutating func take(until now: ContinuousClock.Instant) -> (time: ContinuousClock.Instant, element: Element)? {
        guard let first = entries.first, first.time <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink(0)
        }
        return first
    }

    /// Begins anew with these.
    mutating func rebuild(_ elements: some Sequence<(ContinuousClock.Instant, Element)>) {
        entries = elements.map { (time: $0.0, element: $0.1) }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            var child = 2 * parent + 1
            while child < min(2 * parent + 3, entries.count) {
                if entries[child].time < entries[least].time { least = child }
                child += 1
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
