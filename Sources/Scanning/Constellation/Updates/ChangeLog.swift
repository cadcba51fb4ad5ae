internal import DequeModule

/// The latest changes of a constellation, kept once for all of its readers: each of these only has a place in it. A value.
///
/// However many readers there are, and however slow they are, nothing more is kept for them.
struct ChangeLog {
    /// The changes that were applied together.
    private struct Entry {
        let revision: UInt64
        let topics: ConstellationTopics
        let changes: [ConstellationChange]
    }

    /// The maximum number of problems that are kept when their changes are dropped.
    private static let problemsKept = 64

    /// The number of changes from which on a reader gets no more at once.
    private static let changesHeld = 32

    private let limit: Int
    private var entries: Deque<Entry> = []

    /// The number of changes in the entries.
    private var count = 0

    /// The revision of the last change.
    private(set) var revision: UInt64 = 0

    /// The revision from which on all changes are kept.
    private var start: UInt64 = 0

    /// The last problems, which no snapshot shows.
    private var problems: Deque<(revision: UInt64, problem: BotMapProblem)> = []

    /// Makes an empty log.
    ///
    /// - Parameter limit: The maximum number of changes that it keeps.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds changes, all of one new revision.
    ///
    /// - Returns: Their subjects.
    mutating func append(_ changes: [ConstellationChange]) -> ConstellationTopics {
        revision += 1
        var topics: ConstellationTopics = []
        for change in changes {
            topics.formUnion(change.topic)
            guard case .gateway(.problem(let problem)) = change else { continue }
            problems.append((revision, problem))
            if problems.count > Self.problemsKept { problems.removeFirst() }
        }
        entries.append(Entry(revision: revision, topics: topics, changes: changes))
        count += changes.count
        while count > limit, let first = entries.popFirst() {
            count -= first.changes.count
            start = first.revision
        }
        return topics
    }

    /// Returns the updates that follow a revision, as many as one reader may hold, and the revision up to which these are
    /// all; `nil` if changes since then are not kept any more, or if it is not one of this log.
    ///
    /// A reader that stops holds what it was given, even after the log has let go of it: so it gets little at a time.
    func updates(
        after revision: UInt64,
        of topics: ConstellationTopics
    ) -> (updates: [ConstellationUpdate], revision: UInt64)? {
        guard revision >= start, revision <= self.revision else { return nil }
        // Most readers are near the end.
        let first = entries.lastIndex { $0.revision <= revision }.map { $0 + 1 } ?? entries.startIndex
        var updates: [ConstellationUpdate] = []
        var given = 0
        for entry in entries[first...] where !entry.topics.isDisjoint(with: topics) {
            guard given < Self.changesHeld else { return (updates, updates.last?.revision ?? revision) }
            let isAll = entry.topics.isSubset(of: topics)
            let changes = isAll ? entry.changes : entry.changes.filter { !$0.topic.isDisjoint(with: topics) }
            given += changes.count
            updates.append(.changes(changes, revision: entry.revision))
        }
        return (updates, self.revision)
    }

    /// Returns the last problems that came after a revision.
    func problems(after revision: UInt64) -> [BotMapProblem] {
        problems.filter { $0.revision > revision }.map(\.problem)
    }
}
