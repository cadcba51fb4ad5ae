/// All that a ``Constellation`` shows, and its changes, in one order: first a snapshot, then every change.
///
/// * **Order.** Changes come in the order in which they were applied; those that were applied together share one revision,
///   and are one update. There is never a gap: after an update of revision *r*, a reader has all that changed up to *r*.
/// * **Bounds.** The latest ``changesKept`` changes are kept, once for all readers. One that is further behind gets a
///   snapshot in place of what it missed; one that never reads costs nothing.
/// * **Resuming.** A reader that ended after revision *r* goes on with ``Constellation/news(of:after:)``: it gets the changes
///   since then, or a snapshot if they are not kept any more.
/// * **Concurrency.** A sequence can be iterated any number of times, from any task. The copies of an iterator share its
///   place. It ends when the constellation is finished, or when a task that waits for it is cancelled.
package struct ConstellationUpdates: AsyncSequence, Sendable {
    package typealias Element = ConstellationUpdate
    package typealias Failure = Never

    /// The maximum number of changes that are kept for readers.
    package static let changesKept = 1_024

    private let constellation: Constellation
    private let topics: ConstellationTopics
    private let revision: UInt64?

    init(_ constellation: Constellation, of topics: ConstellationTopics, after revision: UInt64?) {
        self.constellation = constellation
        self.topics = topics
        self.revision = revision
    }

    /// Begins to read. The snapshot is taken at the first call of `next`.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: UpdateReader(constellation, of: topics, after: revision))
    }

    /// An iterator over the updates. Copies share their position.
    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: UpdateReader

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ConstellationUpdate? {
            await reader.next { $0.takeUpdate() }
        }
    }
}

/// The rows of a ``Constellation`` and their changes, one by one: ``ConstellationUpdates`` of ``ConstellationTopics/gateways``
/// alone, with the same order, revisions and bounds.
package struct MapUpdates: AsyncSequence, Sendable {
    package typealias Element = MapUpdate
    package typealias Failure = Never

    private let constellation: Constellation

    init(_ constellation: Constellation) {
        self.constellation = constellation
    }

    /// Begins to read. The snapshot is taken at the first call of `next`.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: UpdateReader(constellation, of: .gateways, after: nil))
    }

    /// An iterator over the updates. Copies share their position.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: UpdateReader

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> MapUpdate? {
            await reader.next { $0.takeRow() }
        }
    }
}
