internal import DNSSD
internal import DequeModule
internal import Synchronization

/// One reader of a constellation: its place among the changes, shared by the copies of its iterator.
final class UpdateReader: Sendable {
    /// The updates that the reader has fetched, and not taken yet: at most those that the constellation keeps.
    struct Fetched {
        private var updates: Deque<ConstellationUpdate> = []

        /// The changes of rows that remain of an update, the last one first.
        private var rows: (changes: [BotMapChange], revision: UInt64) = ([], 0)

        /// The revision up to which it has all updates; `nil` before the first one.
        fileprivate(set) var revision: UInt64?
        fileprivate var hasEnded = false
        fileprivate var hasBegun = false

        fileprivate var isEmpty: Bool { updates.isEmpty && rows.changes.isEmpty }

        fileprivate mutating func append(_ new: [ConstellationUpdate]) { updates += new }

        /// Takes the next update.
        mutating func takeUpdate() -> ConstellationUpdate? { updates.popFirst() }

        /// Takes the next change of a row, or the next snapshot.
        mutating func takeRow() -> MapUpdate? {
            while true {
                if let change = rows.changes.popLast() { return .change(change, revision: rows.revision) }
                switch updates.popFirst() {
                case nil: return nil
                case .snapshot(let snapshot): return .snapshot(snapshot)
                case .changes(let changes, let revision):
                    let found = changes.compactMap { if case .gateway(let change) = $0 { change } else { nil } }
                    rows = (found.reversed(), revision)
                }
            }
        }
    }

    /// The subjects that it reads.
    let topics: ConstellationTopics

    /// The signal that there may be more to fetch.
    let signal = ReaderSignal()
    private let constellation: Constellation
    private let fetched: Mutex<Fetched>

    init(_ constellation: Constellation, of topics: ConstellationTopics, after revision: UInt64?) {
        self.constellation = constellation
        self.topics = topics
        var fetched = Fetched()
        fetched.revision = revision
        self.fetched = Mutex(fetched)
    }

    /// Returns the next element; `nil` when there will be none.
    func next<Element: Sendable>(_ take: @Sendable (inout Fetched) -> Element?) async -> Element? {
        while true {
            if let element = fetched.withLock({ take(&$0) }) { return element }
            if Task.isCancelled { signal.end() }
            guard !signal.hasEnded, !fetched.withLock(\.hasEnded) else { return nil }
            await constellation.fill(self)
            let (element, isMore) = fetched.withLock { (take(&$0), !$0.isEmpty) }
            // Another copy of the iterator may wait for what is left.
            if isMore { signal.raise() }
            if let element { return element }
            guard !fetched.withLock(\.hasEnded) else { return nil }
            await signal.wait()
        }
    }

    /// Records that it has begun.
    ///
    /// - Returns: `true` at the first call.
    func begin() -> Bool {
        fetched.withLock { fetched in
            defer { fetched.hasBegun = true }
            return !fetched.hasBegun
        }
    }

    /// The revision up to which it has all updates; `nil` before the first one.
    var revision: UInt64? { fetched.withLock { $0.revision } }

    /// Adds what follows its revision.
    ///
    /// - Parameter isLast: Indicates whether nothing more will come.
    func append(_ updates: [ConstellationUpdate], upTo revision: UInt64, isLast: Bool) {
        fetched.withLock { fetched in
            fetched.append(updates)
            fetched.revision = revision
            fetched.hasEnded = isLast
        }
        // For good, since another copy of the iterator may be about to wait.
        if isLast { signal.end() }
    }
}
