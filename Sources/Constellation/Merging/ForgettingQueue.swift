/// A queue of elements that are remembered for a while though nothing needs them, the oldest first.
struct ForgettingQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Takes the oldest one out.
    mutating func next() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        // Moving what is left costs no more than what was taken.
        if head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
