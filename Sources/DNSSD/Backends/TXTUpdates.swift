/// The TXT records that are to replace the published one; of those not yet taken, only the newest is kept.
package struct TXTUpdates: AsyncSequence, Sendable {
    package typealias Element = TXTRecord
    package typealias Failure = Never

    /// The producer of the sequence.
    package struct Source: Sendable {
        private let continuation: AsyncStream<TXTRecord>.Continuation

        fileprivate init(_ continuation: AsyncStream<TXTRecord>.Continuation) {
            self.continuation = continuation
        }

        /// Sends a record that replaces the published one as soon as the publisher gets to it.
        package func send(_ txt: TXTRecord) {
            continuation.yield(txt)
        }

        /// Ends the sequence: no more updates will come. The published record stays.
        package func finish() {
            continuation.finish()
        }
    }

    /// An iterator over the records.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<TXTRecord>.AsyncIterator

        fileprivate init(_ base: AsyncStream<TXTRecord>.AsyncIterator) {
            self.base = base
        }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> TXTRecord? {
            await base.next(isolation: actor)
        }
    }

    private let stream: AsyncStream<TXTRecord>

    private init(_ stream: AsyncStream<TXTRecord>) {
        self.stream = stream
    }

    /// Creates a sequence for one reader, and its source.
    package static func makeSequence() -> (updates: TXTUpdates, source: Source) {
        let (stream, continuation) = AsyncStream.makeStream(of: TXTRecord.self, bufferingPolicy: .bufferingNewest(1))
        return (TXTUpdates(stream), Source(continuation))
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}
