internal import Reports

/// A change of the history, or of the messages that wait, which is to be written down. A value.
enum NoticeChange: Sendable {
    /// An agent begins to look.
    case begin(at: Timestamp)

    /// Something has followed from facts; the messages in it have these numbers.
    case take([NoticeAction], ids: [String], sinks: [String], at: Timestamp)

    /// A message could not be delivered to a sink.
    case failed(id: String, sink: String)

    /// A message was delivered to a sink, or never will be: then with what has happened to it.
    case finished(id: String, sink: String, loss: String?, at: Timestamp)

    /// Indicates whether it says no more than that the agent runs.
    var isAlive: Bool { if case .take(let actions, _, _, _) = self { actions.isEmpty } else { false } }

    /// The numbers of the messages in it.
    var ids: [String] { if case .take(_, let ids, _, _) = self { ids } else { [] } }

    func write(to store: NoticeStore) throws(NoticeStoreError) {
        switch self {
        case .begin(let time): try store.begin(at: time)
        case .take(let actions, let ids, let sinks, let time):
            var next = ids.makeIterator()
            try store.take(actions, for: sinks, at: time) { next.next() ?? WaitingMessage.makeID() }
        case .failed(let id, let sink): try store.noteFailure(of: id, for: sink)
        case .finished(let id, let sink, let loss, let time): try store.finish(id, for: sink, loss: loss, at: time)
        }
    }
}

/// The changes that were not written down yet, in their order. A value.
struct PendingChanges: Sendable {
    /// The maximum number of changes. Of more, the oldest are dropped.
    static let most = 5_000

    private var all: [NoticeChange] = []

    /// Those that are being written.
    private var written: [NoticeChange] = []

    /// Indicates whether some were dropped since all were written.
    private(set) var areIncomplete = false

    /// Indicates whether there are none, besides those that are being written.
    var isEmpty: Bool { all.isEmpty }

    mutating func append(_ change: NoticeChange) {
        // That the agent runs is said again and again, and the last time counts.
        if change.isAlive, all.last?.isAlive == true { all.removeLast() }
        all.append(change)
        if all.count > Self.most {
            areIncomplete = true
            all.removeFirst(Self.most / 10)
        }
    }

    /// Takes all of them to be written.
    mutating func begin() -> [NoticeChange] {
        (written, all) = (all, [])
        return written
    }

    /// Takes in that the first of those that were taken are written, and that the others are not.
    mutating func end(written count: Int) {
        all = Array(written.dropFirst(count)) + all
        written = []
        if all.isEmpty { areIncomplete = false }
    }

    /// Indicates whether a message is not written yet.
    func hasMessage(_ id: String) -> Bool { messages.contains(id) }

    /// The numbers of the messages that are not written yet.
    var messages: Set<String> { Set((written + all).flatMap(\.ids)) }

    /// The numbers of the messages that a sink has, or never will have, which is not written yet.
    func finished(for sink: String) -> Set<String> {
        Set(
            (written + all).compactMap { change in
                if case .finished(let id, sink, _, _) = change { id } else { nil }
            }
        )
    }
}
