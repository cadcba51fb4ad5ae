/// Questions that wait for a reference, first come first served. A value.
struct LookupQueue {
    private var items: [LookupKey] = []
    private var head = 0
    private var members: Set<LookupKey> = []

    var isEmpty: Bool { members.isEmpty }

    mutating func append(_ key: LookupKey) {
        guard members.insert(key).inserted else { return }
        items.append(key)
    }

    /// Takes a question out of turn: nobody wants the answer any longer.
    mutating func remove(_ key: LookupKey) {
        members.remove(key)
    }

    mutating func popFirst() -> LookupKey? {
        while head < items.count {
            let key = items[head]
            head += 1
            // Half of it is behind us: moving the rest costs less than was taken out.
            if head * 2 > items.count {
                items.removeFirst(head)
                head = 0
            }
            if members.remove(key) != nil { return key }
        }
        return nil
    }
}
