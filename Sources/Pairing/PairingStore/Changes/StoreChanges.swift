internal import DNSSD
internal import Synchronization

/// A sequence of notifications that this process or another has changed the store; one element may cover several
/// changes.
///
/// Begin to iterate, then read: this way, no change is missed. Changes by other processes are noticed within half a
/// second, by polling, which stops while nobody iterates. The sequence ends with the store, when the task that iterates
/// is cancelled, and when the store's file was moved or replaced: reading then throws `replaced`.
package struct StoreChanges: AsyncSequence, Sendable {
    package typealias Element = Void
    package typealias Failure = Never

    private let watch: StoreWatch

    init(_ watch: StoreWatch) {
        self.watch = watch
    }

    /// Begins to iterate: changes are reported from now on.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch.addReader()) }

    /// Begins to iterate without blocking the thread of this task, as ``makeAsyncIterator()`` does while another process
    /// has the database. Ends at once in a cancelled task.
    package func begin() async -> AsyncIterator {
        AsyncIterator(try? await watch.calls.start { [watch] in watch.addReader() }.value)
    }

    /// The iterator, which returns the notifications one by one.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: StoreReader?

        fileprivate init(_ reader: StoreReader?) {
            self.reader = reader
        }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Void? {
            guard let signal = reader?.signal else { return nil }
            await signal.wait()
            guard !signal.hasEnded else { return nil }
            signal.lower()
            return ()
        }

        /// Waits for the next change, or for a moment if the store could not be read after the last one: whoever has kept it
        /// busy may end without changing anything, and nobody would say so.
        ///
        /// - Parameters:
        ///   - isRead: Indicates whether the store could be read.
        ///   - pause: The time after which it is to be read again if not.
        /// - Returns: `nil` when the store is closed, or the task was cancelled.
        package mutating func next(
            ifRead isRead: Bool,
            orAfter pause: Duration = .seconds(5),
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Void? {
            if isRead { return await next(isolation: actor) }
            let alarm = Task { [signal = reader?.signal] in
                try await Task.sleep(for: pause)
                signal?.raise()
            }
            defer { alarm.cancel() }
            return await next(isolation: actor)
        }
    }
}

/// A reader of the changes, until its iterator is released.
final class StoreReader: Sendable {
    /// The signal that the store has changed.
    let signal: ReaderSignal
    private let whenReleased: @Sendable () -> Void

    init(_ signal: ReaderSignal, whenReleased: @escaping @Sendable () -> Void) {
        self.signal = signal
        self.whenReleased = whenReleased
    }

    deinit { whenReleased() }
}

/// Notifies readers of changes, and polls for those of other processes while there are readers.
final class StoreWatch: Sendable {
    /// The time between two looks at the files of the database, each of which takes some microseconds.
    static let pollInterval = Duration.milliseconds(500)

    private let database: StoreDatabase
    private let interval: Duration
    private let clock: any MonotonicClock
    private let state = Mutex(State())

    /// The calls of the database by tasks.
    var calls: StoreCalls { database.calls }

    private struct State {
        var readers: [Int: ReaderSignal] = [:]
        var nextReader = 0
        /// The task that polls, while there are readers.
        var looking: Task<Void, Never>?
        var isEnded = false
    }

    init(_ database: StoreDatabase, interval: Duration, clock: any MonotonicClock = ContinuousClock()) {
        self.database = database
        self.interval = interval
        self.clock = clock
    }

    /// Notifies all readers that something has changed.
    func notifyReaders() {
        for reader in state.withLock({ $0.readers.values.map(\.self) }) { reader.raise() }
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
        for reader in readers { reader.end() }
    }

    /// Adds a reader; `nil` when there will be no more changes.
    func addReader() -> StoreReader? {
        let signal = ReaderSignal()
        // Commits of other processes are reported from here on.
        let version = try? database.dataVersion()
        let id = state.withLock { state -> Int? in
            guard !state.isEnded else { return nil }
            let id = state.nextReader
            state.nextReader += 1
            state.readers[id] = signal
            if state.looking == nil { state.looking = look(from: version) }
            return id
        }
        return id.map { id in StoreReader(signal) { [weak self] in self?.remove(id) } }
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
            var traces = StoreTraces()
            while (try? await clock.sleep(for: interval)) != nil {
                guard traces.mayHaveChanged(database.path) else { continue }
                do throws(StoreError) {
                    let version = try await database.calls.start { () throws(StoreError) in
                        try database.dataVersion()
                    }
                    .value
                    guard last != version else { continue }
                    last = version
                    self?.notifyReaders()
                } catch {
                    // Other errors are no change: the reader could not read anything new either.
                    if error.code == .replaced { self?.end() }
                }
            }
        }
    }
}
