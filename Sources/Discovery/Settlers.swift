/// Those who wait until a browse has settled. Every event wakes them: what it means to them, ``BrowserState/progress`` says.
struct Settlers {
    private var waiting: [ReaderID: AsyncStream<Void>.Continuation] = [:]
    private var lastID = 0

    /// Indicates whether something has come since they were last woken.
    private var hasNews = false

    /// The number of those who wait.
    var count: Int { waiting.count }

    mutating func add(_ wake: AsyncStream<Void>.Continuation) -> ReaderID {
        lastID += 1
        let id = ReaderID(rawValue: lastID)
        waiting[id] = wake
        return id
    }

    mutating func remove(_ id: ReaderID) {
        waiting[id] = nil
    }

    /// Notes that something has come.
    mutating func noteNews() {
        hasNews = true
    }

    /// Those who are to look again; each is told of the same news once.
    mutating func takeThoseToWake() -> [AsyncStream<Void>.Continuation] {
        guard hasNews else { return [] }
        hasNews = false
        return Array(waiting.values)
    }
}
