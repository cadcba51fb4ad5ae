/// The states of a ``GatewayAdvertiser``. A reader that is slow finds the latest sixteen.
public struct GatewayAdvertiserStates: AsyncSequence, Sendable {
    public typealias Element = GatewayAdvertiserState
    public typealias Failure = Never

    private let stream: AsyncStream<GatewayAdvertiserState>

    init(_ stream: AsyncStream<GatewayAdvertiserState>) {
        self.stream = stream
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }

    /// Takes the states one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<GatewayAdvertiserState>.AsyncIterator

        fileprivate init(_ base: AsyncStream<GatewayAdvertiserState>.AsyncIterator) {
            self.base = base
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> GatewayAdvertiserState? {
            await base.next(isolation: actor)
        }
    }
}
