internal import DequeModule
internal import GatewayProtocol
internal import Synchronization

/// The events of one session that wait for its readers, and the end of the session.
///
/// One task puts events in. It waits for the slowest reader, so that the gateway does, too.
final class EventFeed: Sendable {
    private typealias Wake = AsyncStream<Void>.Continuation

    private struct Reader {
        var events: Deque<(event: GatewayEvent, bytes: Int)> = []
        var bytes = 0
        let wake: Wake

        var isFull: Bool { events.count >= SessionEvents.eventsKept || bytes >= SessionEvents.bytesKept }
    }

    private struct State {
        var readers: [Int: Reader] = [:]
        var lastReader = 0

        /// Wakes the task that waits for room.
        var writer: Wake?

        var end: SessionEnd?

        /// Wake the tasks that wait for the end.
        var waitersForEnd: [Wake] = []

        var hasRoom: Bool { end != nil || !readers.values.contains { $0.isFull } }

        func wakeWriter() { if hasRoom { writer?.yield() } }
    }

    private let state = Mutex(State())

    // MARK: Readers

    /// Adds a reader, which is woken when there is something to take.
    ///
    /// - Returns: Its number.
    func addReader(_ wake: AsyncStream<Void>.Continuation) -> Int {
        state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = Reader(wake: wake)
            return state.lastReader
        }
    }

    func removeReader(_ id: Int) {
        state.withLock { state in
            state.readers[id] = nil
            state.wakeWriter()
        }
    }

    /// Takes the first event that waits for a reader.
    ///
    /// - Throws: The end of the session, when no event waits any more.
    func take(for id: Int) throws(SessionEnd) -> GatewayEvent? {
        let taken: Result<GatewayEvent?, SessionEnd> = state.withLock { state in
            guard let (event, bytes) = state.readers[id]?.events.popFirst() else {
                if let end = state.end { return .failure(end) }
                return .success(nil)
            }
            state.readers[id]?.bytes -= bytes
            state.wakeWriter()
            return .success(event)
        }
        return try taken.get()
    }

    // MARK: The session

    /// Adds an event for all readers. Without one, it is dropped.
    ///
    /// - Returns: `false` if one of them had no room.
    func put(_ event: GatewayEvent) -> Bool {
        state.withLock { state in
            guard state.hasRoom else { return false }
            guard !state.readers.isEmpty else { return true }
            let bytes = event.footprint
            for id in Array(state.readers.keys) {
                state.readers[id]?.events.append((event, bytes))
                state.readers[id]?.bytes += bytes
                state.readers[id]?.wake.yield()
            }
            return true
        }
    }

    /// Adds an event once there is room, unless the task is cancelled before.
    func putWhenThereIsRoom(_ event: GatewayEvent) async {
        let (rooms, room) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.writer = room }
        defer { state.withLock { $0.writer = nil } }
        if put(event) { return }
        for await _ in rooms where put(event) { return }
    }

    /// Ends the session; the first reason counts. Events that wait may still be taken.
    func end(_ end: SessionEnd) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = end
            for reader in state.readers.values { reader.wake.yield() }
            for waiter in state.waitersForEnd { waiter.yield() }
            state.waitersForEnd = []
            state.wakeWriter()
        }
    }

    /// Waits for the end of the session; returns `nil` if the task is cancelled before.
    func waitForEnd() async -> SessionEnd? {
        let (ends, waiter) = AsyncStream.makeStream(of: Void.self)
        let isNow = state.withLock { state in
            if state.end == nil { state.waitersForEnd.append(waiter) }
            return state.end != nil
        }
        if !isNow { for await _ in ends { break } }
        return state.withLock { $0.end }
    }

    /// The number of readers.
    var readerCount: Int { state.withLock { $0.readers.count } }
}
