import GatewayProtocol
import Testing

@testable import Pairing

/// The events of a session that wait for its readers.
@Suite(.timeLimit(.minutes(1))) struct EventFeedTests {
    private let feed = EventFeed()

    private func event(_ name: String, bytes: Int = 0) -> GatewayEvent {
        GatewayEvent(name: name, payload: .object(["text": .string(String(repeating: "x", count: bytes))]))
    }

    private func addReader() -> Int { feed.addReader(AsyncStream.makeStream(of: Void.self).continuation) }

    /// Events beyond the maximum number are not accepted until the reader has taken one.
    @Test func theyAreBoundedInNumber() throws {
        let reader = addReader()
        for number in 0..<SessionEvents.eventsKept { #expect(feed.put(event("\(number)"))) }
        #expect(!feed.put(event("more")))
        #expect(try feed.take(for: reader)?.name == "0")
        #expect(feed.put(event("more")))
    }

    /// Events beyond the maximum size in all are not accepted until one is taken.
    @Test func theyAreBoundedInBytes() throws {
        let reader = addReader()
        // An event that is longer than the limit is accepted while no other one waits.
        #expect(feed.put(event("long", bytes: 1_048_576)))
        #expect(!feed.put(event("short")))
        #expect(try feed.take(for: reader)?.name == "long")
        for number in 0..<4 { #expect(feed.put(event("\(number)", bytes: 65_000))) }
        #expect(feed.put(event("last", bytes: 65_536)))
        #expect(!feed.put(event("more")))
    }

    /// Without a reader, events are accepted and dropped, so that no gateway is slowed down.
    @Test func withoutAReaderTheyAreDropped() throws {
        for _ in 0..<1_000 { #expect(feed.put(event("dropped", bytes: 65_536))) }
        #expect(try feed.take(for: addReader()) == nil)
    }

    /// Each reader gets all events, and the slowest one holds up the session until it goes.
    @Test func eachReaderGetsThemAll() async throws {
        let (fast, slow) = (addReader(), addReader())
        for number in 0..<SessionEvents.eventsKept {
            #expect(feed.put(event("\(number)")))
            #expect(try feed.take(for: fast)?.name == "\(number)")
        }
        async let put: Void = feed.putWhenThereIsRoom(event("last"))
        #expect(try feed.take(for: slow)?.name == "0")
        await put
        #expect(try feed.take(for: fast)?.name == "last")
        #expect(!feed.put(event("more")))
        feed.removeReader(slow)
        #expect(feed.put(event("more")))
    }

    /// A reader that is cancelled ends, and holds nobody up any more.
    @Test func aReaderThatGoesIsForgotten() async {
        let events = SessionEvents(feed)
        let reading = Task { for try await _ in events {} }
        while feed.readerCount == 0 { await Task.yield() }
        reading.cancel()
        #expect(await reading.result.isSuccess)
        #expect(feed.readerCount == 0)
    }

    /// The end comes after the events that came before it, for those who read then and for later ones.
    @Test func theEndComesLast() async throws {
        var events = SessionEvents(feed).makeAsyncIterator()
        #expect(feed.put(event("last")))
        feed.end(SessionEnd(.lost, "it has ended"))
        feed.end(.ofRun)
        #expect(try await events.next()?.name == "last")
        await #expect(throws: SessionEnd(.lost, "it has ended")) { try await events.next() }
        #expect(await feed.waitForEnd() == SessionEnd(.lost, "it has ended"))
    }

    /// Whoever waits for room does so no longer once the session has ended.
    @Test func theEndLetsWritersGo() async {
        _ = addReader()
        for number in 0..<SessionEvents.eventsKept { #expect(feed.put(event("\(number)"))) }
        async let put: Void = feed.putWhenThereIsRoom(event("more"))
        feed.end(.ofRun)
        await put
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
