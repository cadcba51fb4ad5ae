/// The rows of a ``Constellation`` as they are: all of them at first, and again whenever one has changed. A reader that is
/// slow gets the present rows once, however often they have changed meanwhile.
///
/// The sequence ends when the constellation is finished, or when the task that iterates is cancelled. What has changed is in
/// ``Constellation/updates``.
package struct CurrentGateways: AsyncSequence, Sendable {
    package typealias Element = [Gateway]
    package typealias Failure = Never

    private let constellation: Constellation

    init(_ constellation: Constellation) {
        self.constellation = constellation
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(constellation) }

    /// The iterator, which returns the rows again and again. Copies share their position.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let constellation: Constellation
        private var updates: MapUpdates.AsyncIterator

        /// The revision of the rows that were returned last.
        private var shown: UInt64 = 0

        fileprivate init(_ constellation: Constellation) {
            self.constellation = constellation
            updates = MapUpdates(constellation).makeAsyncIterator()
        }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [Gateway]? {
            while let update = await updates.next(isolation: actor) {
                let present: ConstellationSnapshot
                switch update {
                case .snapshot(let snapshot): present = snapshot
                // Already among the rows that were returned last, or no change of any.
                case .change(_, let revision) where revision <= shown: continue
                case .change(.problem, _): continue
                case .change: present = await constellation.snapshot(of: .gateways)
                }
                shown = present.revision
                return present.gateways
            }
            return nil
        }
    }
}

extension Constellation {
    /// The current rows, and again whenever they have changed; see ``CurrentGateways``.
    public nonisolated var currentGateways: some AsyncSequence<[Gateway], Never> & Sendable { CurrentGateways(self) }
}
