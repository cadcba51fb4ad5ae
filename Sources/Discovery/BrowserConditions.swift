public import DNSSD

/// The condition of a ``Browser``, apart from the services that it sees.
public struct BrowserCondition: Hashable, Sendable {
    /// The status of the backend.
    public var status: BackendStatus

    /// The warnings that the user should know of, in the order in which they came up.
    public var warnings: [BackendWarning]
}

/// The conditions of a browser; see ``Browser/conditions``. A slow reader gets the latest one.
public struct BrowserConditions: AsyncSequence, Sendable {
    public typealias Element = BrowserCondition
    public typealias Failure = Never

    private let stream: AsyncStream<BrowserCondition>

    init(_ stream: AsyncStream<BrowserCondition>) {
        self.stream = stream
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }

    /// An iterator over the conditions.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<BrowserCondition>.AsyncIterator

        fileprivate init(_ base: AsyncStream<BrowserCondition>.AsyncIterator) {
            self.base = base
        }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> BrowserCondition? {
            await base.next(isolation: actor)
        }
    }
}
