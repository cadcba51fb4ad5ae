internal import DequeModule

/// A queue of elements that are all due after the same delay, in the order in which they were added.
struct DeadlineQueue<Element> {
    private var items: Deque<(element: Element, time: ContinuousClock.Instant)> = []

    /// The time at which the next element is due.
    var next: ContinuousClock.Instant? { items.first?.time }

    /// Adds an element. Times must not go backwards.
    mutating func append(_ element: Element, at time: ContinuousClock.Instant) {
        items.append((element, time))
    }

    /// Takes out the elements that are due by now.
    mutating func take(until now: ContinuousClock.Instant) -> [Element] {
        var taken: [Element] = []
        while let first = items.first, first.time <= now {
            items.removeFirst()
            taken.append(first.element)
        }
        return taken
    }
}
