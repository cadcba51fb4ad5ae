/// Things that are due after one and the same delay, in the order in which they were put in.
struct DeadlineQueue<Element> {
    private var items: [(element: Element, time: ContinuousClock.Instant)] = []

    /// The first of `items` that has not been taken.
    private var head = 0

    /// The time at which the next element is due.
    var next: ContinuousClock.Instant? { head < items.count ? items[head].time : nil }

    /// Puts in an element. Times must not go backwards.
    mutating func append(_ element: Element, at time: ContinuousClock.Instant) {
        items.append((element, time))
    }

    /// Takes out what is due by now.
    mutating func take(until now: ContinuousClock.Instant) -> [Element] {
        let start = head
        while head < items.count, items[head].time <= now { head += 1 }
        let taken = items[start..<head].map(\.element)
        if head == items.count || head > 1_024 {
            items.removeFirst(head)
            head = 0
        }
        return taken
    }
}
