internal import Reports

/// The messages that wait for one sink, in the order in which they were decided, and how many of them were lost. A value.
struct MessageQueue: Sendable {
    private let sink: String
    private var waiting: [WaitingMessage] = []

    /// Those that were lost lately, with the time of the last one.
    private var lost: (messages: LostMessages, time: Timestamp)?

    init(_ sink: String) {
        self.sink = sink
    }

    /// The oldest one; `nil` if none waits.
    var first: WaitingMessage? { waiting.first }

    var count: Int { waiting.count }

    /// Takes in what the history has.
    ///
    /// - Parameters:
    ///   - found: Those that wait there.
    ///   - isOwn: Says whether one is here alone, since it is not written yet.
    mutating func restore(
        _ found: [WaitingMessage],
        _ lost: (LostMessages, Timestamp)?,
        besides isOwn: (WaitingMessage) -> Bool
    ) {
        let ids = Set(found.map(\.id))
        waiting = found + waiting.filter { isOwn($0) && !ids.contains($0.id) }
        if let lost, self.lost.map({ $0.time < lost.1 }) ?? true { self.lost = lost }
    }

    mutating func add(_ message: WaitingMessage, at time: Timestamp) {
        waiting.append(message)
        guard waiting.count > NoticeStore.mostMessages else { return }
        waiting.removeFirst()
        note(NoticeStore.dropped, at: time)
    }

    /// Takes in that one is delivered, or never will be.
    mutating func finish(_ id: String, loss: String?, at time: Timestamp) {
        waiting.removeAll { $0.id == id }
        if let loss { note(loss, at: time) }
    }

    /// Takes in that one could not be delivered.
    mutating func noteFailure(of id: String) {
        for index in waiting.indices where waiting[index].id == id { waiting[index].tries += 1 }
    }

    /// Returns a text about those that were lost; `nil` if none was lately.
    func loss(at time: Timestamp) -> String? {
        guard let lost, lost.time.milliseconds > time.milliseconds - NoticeStore.lostRetention else { return nil }
        return lost.messages.trouble
    }

    private mutating func note(_ reason: String, at time: Timestamp) {
        let number = loss(at: time) == nil ? 0 : lost?.messages.number ?? 0
        lost = (LostMessages(sink: sink, number: number + 1, reason: reason), time)
    }
}
