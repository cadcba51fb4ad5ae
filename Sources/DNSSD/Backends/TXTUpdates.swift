/// TXT records that shall replace the published one; only the newest that was not taken yet is kept.
public struct TXTUpdates: AsyncSequence, Sendable {
    public typealias Element = TXTRecord
    public typealias Failure = Never

    /// The source that feeds new records into the sequence.
    public struct Source: Sendable {
        private let continuation: AsyncStream<TXTRecord>.Continuation

        fileprivate init(_ continuation: AsyncStream<TXTRecord>.Continuation) {
            self.continuation = continuation
        }

        /// Replaces the record by `txt`, as soon as the publisher gets to it.
        public func send(_ txt: TXTRecord) {
            continuation.yield(txt)
        }

        /// No more updates will come; what is published stays.
        public func finish() {
            continuation.finish()
        }
    }

    /// Takes the records one by one.
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

    /// Makes a sequence for one reader, and the source that feeds it.
    public static func makeSequence() -> (updates: TXTUpdates, source: Source) {
        let (stream, continuation) = AsyncStream.makeStream(of: TXTRecord.self, bufferingPolicy: .bufferingNewest(1))
        return (TXTUpdates(stream), Source(continuation))
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}
