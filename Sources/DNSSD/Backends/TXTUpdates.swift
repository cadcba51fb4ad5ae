/// The TXT records that are to replace the published one; of those not yet taken, only the newest is kept.
public struct TXTUpdates: AsyncSequence, Sendable {
    public typealias Element = TXTRecord
    public typealias Failure = Never

    /// The producer of the sequence.
    public struct Source: Sendable {
        private let continuation: AsyncStream<TXTRecord>.Continuation

        fileprivate init(_ continuation: AsyncStream<TXTRecord>.Continuation) {
            self.continuation = continuation
        }

        /// Sends a record that replaces the published one as soon as the publisher gets to it.
        public func send(_ txt: TXTRecord) {
            continuation.yield(txt)
        }

        /// Ends the sequence: no more updates will come. The published record stays.
        public func finish() {
            continuation.finish()
        }
    }

    /// An iterator over the records.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<TXTRecord>.AsyncIterator

        fileprivate init(_ base: AsyncStream<TXTRecord>.AsyncIterator) {
            self.base = base
        }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> TXTRecord? {
            await base.next(isolation: actor)
        }
    }

    private let stream: AsyncStream<TXTRecord>

    private init(_ stream: AsyncStream<TXTRecord>) {
        self.stream = stream
    }

    /// Creates a sequence for one reader, and its source.
    public static func makeSequence() -> (updates: TXTUpdates, source: Source) {
        let (stream, continuation) = AsyncStream.makeStream(of: TXTRecord.self, bufferingPolicy: .bufferingNewest(1))
        return (TXTUpdates(stream), Source(continuation))
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}
