public import DNSSD

/// The reason why ``Browser/settle(quiet:availabilityTimeout:deadline:)`` returned.
public enum SettleResult: Hashable, Sendable {
    /// Nothing new has come for a while, and nothing is being resolved.
    case settled

    /// The deadline has passed, or the task was cancelled.
    case deadline

    /// The backend has been unavailable for as long as the caller was willing to wait for it.
    case unavailable(BackendError)
}

/// The calls that wait until a browse has settled. Every event wakes them, and ``BrowserState/progress`` decides what
/// it means to them.
struct Settlers {
    private var waiting: [ReaderID: AsyncStream<Void>.Continuation] = [:]
    private var lastID = 0

    /// Indicates whether an event has come since they were last woken.
    private var hasNews = false

    /// The number of calls that wait.
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

    /// Records that an event has come.
    mutating func noteNews() {
        hasNews = true
    }

    /// Returns the calls to wake; each is woken once for the same event.
    mutating func takeSettlersToWake() -> [AsyncStream<Void>.Continuation] {
        guard hasNews else { return [] }
        hasNews = false
        return Array(waiting.values)
    }
}
