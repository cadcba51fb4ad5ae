/// Questions that wait for leave to be sent, in order.
struct Inquiries {
    private var keys: [RecordKey]

    /// The first of `keys` that still waits.
    private var head = 0

    init(_ keys: [RecordKey] = []) {
        self.keys = keys
    }

    var count: Int { keys.count - head }

    var isEmpty: Bool { count == 0 }

    /// The next one.
    var first: RecordKey? { isEmpty ? nil : keys[head] }

    /// All that wait.
    var items: ArraySlice<RecordKey> { keys[head...] }

    mutating func append(_ key: RecordKey) {
        keys.append(key)
    }

    mutating func removeFirst() {
        head += 1
        guard head == keys.count || head >= 1_024 else { return }
        keys.removeFirst(head)
        head = 0
    }
}
