internal import DNSSD
internal import Synchronization

/// The news that the store is other than it was, by this process or another; several changes may be one element.
///
/// Begin to iterate, then read: nothing is missed that way. Changes by other processes are noticed within half a second,
/// by looking; nobody looks while nobody iterates. It ends with the store, when the task that iterates is cancelled, and when
/// the store's file was moved or replaced: what is read then throws ``StoreError/Code/replaced``.
public struct StoreChanges: AsyncSequence, Sendable {
    public typealias Element = Void
    public typealias Failure = Never

    private let watch: StoreWatch

    init(_ watch: StoreWatch) {
        self.watch = watch
    }

    /// Begins to read: what changes from now on is told.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch.stream().makeAsyncIterator()) }

    /// Takes the news one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<Void>.Iterator

        init(_ base: AsyncStream<Void>.Iterator) {
            self.base = base
        }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Void? {
            await base.next(isolation: actor)
        }
    }
}

/// Tells readers of changes, and looks for those of other processes while there are readers.
final class StoreWatch: Sendable {
    /// The time between two looks at the database, each of which takes some microseconds.
    static let pollInterval = Duration.milliseconds(500)

    private let database: StoreDatabase
    private let interval: Duration
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    private struct State {
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextReader = 0
        /// The task that looks, while there are readers.
        var looking: Task<Void, Never>?
        var isEnded = false
    }

    init(_ database: StoreDatabase, interval: Duration, clock: any MonotonicClock = ContinuousClock()) {
        self.database = database
        self.interval = interval
        self.clock = clock
    }

    /// Tells all readers that something has changed.
    func notifyReaders() {
        for reader in state.withLock({ $0.readers.values.map(\.self) }) { reader.yield() }
    }

    /// Ends all readers' sequences.
    func end() {
        let (readers, looking) = state.withLock { state in
            state.isEnded = true
            defer { state.readers = [:] }
            defer { state.looking = nil }
            return (state.readers.values.map(\.self), state.looking)
        }
        looking?.cancel()
        for reader in readers { reader.finish() }
    }

    func stream() -> AsyncStream<Void> {
        // The newest alone: it says all that older ones do.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // What another process commits from here on is news.
        let version = try? database.dataVersion()
        let id = state.withLock { state -> Int? in
            guard !state.isEnded else { return nil }
            let id = state.nextReader
            state.nextReader += 1
            state.readers[id] = continuation
            if state.looking == nil { state.looking = look(from: version) }
            return id
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    private func remove(_ id: Int) {
        let looking = state.withLock { state -> Task<Void, Never>? in
            state.readers[id] = nil
            guard state.readers.isEmpty else { return nil }
            return state.looking.take()
        }
        looking?.cancel()
    }

    private func look(from version: Int?) -> Task<Void, Never> {
        Task { [weak self, database, interval, clock] in
            var last = version
            while (try? await clock.sleep(until: clock.now + interval, tolerance: nil)) != nil {
                do throws(StoreError) {
                    let version = try database.dataVersion()
                    guard last != version else { continue }
                    last = version
                    self?.notifyReaders()
                } catch {
                    // Whatever else cannot be read is no news; the reader would not see it either.
                    if error.code == .replaced { self?.end() }
                }
            }
        }
    }
}
