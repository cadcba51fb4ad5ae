internal import DequeModule

/// The questions that wait for a reference, first come, first served. A value.
struct LookupQueue {
    private var items: Deque<LookupKey> = []
    private var members: Set<LookupKey> = []

    mutating func append(_ key: LookupKey) {
        guard members.insert(key).inserted else { return }
        items.append(key)
    }

    /// Removes a question whose answer is no longer wanted.
    mutating func remove(_ key: LookupKey) {
        members.remove(key)
    }

    mutating func popFirst() -> LookupKey? {
        while let key = items.popFirst() {
            if members.remove(key) != nil { return key }
        }
        return nil
    }
}
