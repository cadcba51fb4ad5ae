/// A queue of elements that are remembered for a while although nothing refers to them, oldest first.
struct ForgettingQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Removes and returns the oldest element.
    mutating func next() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        // Moving the remaining elements costs no more than removing the others did.
        if head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
