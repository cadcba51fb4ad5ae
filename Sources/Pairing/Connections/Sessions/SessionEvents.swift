package import GatewayProtocol

/// The events that a gateway sends in a session, in their order. Each reader gets all of them from the time at which its
/// iterator is made.
///
/// A slow reader loses nothing: when ``eventsKept`` events or ``bytesKept`` bytes wait for one, nothing more is read from
/// the gateway, and answers to requests are not read either. A task that reads events must not wait for an answer
/// meanwhile.
///
/// The sequence throws the ``SessionEnd`` after the last event, and ends when the task that iterates is cancelled.
package struct SessionEvents: AsyncSequence, Sendable {
    package typealias Element = GatewayEvent
    package typealias Failure = SessionEnd

    /// The maximum number of events that wait for a reader.
    package static let eventsKept = 64

    /// The total size of the events that wait for a reader, in bytes, from which no more are accepted.
    package static let bytesKept = 262_144

    private let feed: EventFeed

    init(_ feed: EventFeed) {
        self.feed = feed
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed) }

    /// The iterator, which returns the events one by one. Its copies count as one reader.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: Reader
        private var wakes: AsyncStream<Void>.Iterator

        fileprivate init(_ feed: EventFeed) {
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.wakes = wakes.makeAsyncIterator()
            reader = Reader(feed, wake)
        }

        package mutating func next() async throws(SessionEnd) -> GatewayEvent? { try await next(isolation: nil) }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SessionEnd) -> GatewayEvent? {
            while true {
                if let event = try reader.take() { return event }
                guard await wakes.next(isolation: actor) != nil else { return nil }
            }
        }
    }

    /// The registration of a reader, which ends when the iterator is gone.
    fileprivate final class Reader: Sendable {
        private let feed: EventFeed
        private let id: Int

        init(_ feed: EventFeed, _ wake: AsyncStream<Void>.Continuation) {
            self.feed = feed
            id = feed.addReader(wake)
        }

        deinit {
            feed.removeReader(id)
        }

        func take() throws(SessionEnd) -> GatewayEvent? { try feed.take(for: id) }
    }
}
