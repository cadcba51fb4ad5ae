public import DNSSD

/// The states of a publication; see ``Advertiser/states``. A slow reader gets the latest sixteen.
public struct PublicationStates: AsyncSequence, Sendable {
    public typealias Element = PublicationState
    public typealias Failure = Never

    private let stream: AsyncStream<PublicationState>

    init(_ stream: AsyncStream<PublicationState>) {
        self.stream = stream
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }

    /// An iterator over the states.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<PublicationState>.AsyncIterator

        fileprivate init(_ base: AsyncStream<PublicationState>.AsyncIterator) {
            self.base = base
        }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> PublicationState? {
            await base.next(isolation: actor)
        }
    }
}
