/// The map and its changes: first a snapshot, then every change.
///
/// A reader that is more than ``changesKept`` changes behind gets a fresh snapshot in their place: there is never a
/// gap, and never more than that number in memory. The sequence ends when the constellation is finished, or when the
/// task that iterates is cancelled.
public struct MapUpdates: AsyncSequence, Sendable {
    public typealias Element = MapUpdate
    public typealias Failure = Never

    /// The maximum number of changes that wait for a reader.
    public static let changesKept = 256

    private let constellation: Constellation

    init(constellation: Constellation) {
        self.constellation = constellation
    }

    /// Begins to read. The snapshot is taken at the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(constellation: constellation, mailbox: Mailbox(limit: Self.changesKept))
    }

    /// An iterator over the updates. Copies share their position.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let constellation: Constellation
        fileprivate let mailbox: Mailbox

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> MapUpdate? {
            while true {
                switch mailbox.take() {
                case .change(let change, let revision): return .change(change, revision: revision)
                case .snapshot(let isFirst):
                    return .snapshot(await constellation.snapshot(for: mailbox, isFirst: isFirst))
                case .finished: return nil
                case .empty: await mailbox.wait()
                }
            }
        }
    }
}
