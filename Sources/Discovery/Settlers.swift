public import DNSSD

/// The reason why ``Browser/settle(quiet:patience:deadline:)`` returned.
public enum SettleResult: Hashable, Sendable {
    /// Nothing new has come for a while, and nothing is being resolved.
    case settled

    /// The deadline has passed, or the task was cancelled.
    case deadline

    /// The backend has not been available for as long as it was to be waited for.
    case unavailable(BackendError)
}

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
