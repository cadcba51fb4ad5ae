internal import DNSSD
internal import Synchronization

/// One browse of several sources, which report from threads of their own; one lock puts their reports into an order.
final class MergedBrowse: Sendable {
    private struct State {
        var merge: BrowseMerge

        /// The sessions that learn what becomes of the others' reports.
        var companions: [any SourceSession] = []

        /// The receiver of the events; `nil` once the browse has ended.
        var report: (@Sendable ([BrowseEvent]) -> Void)?
    }

    private let state: Mutex<State>
    private let clock: any MonotonicClock

    /// The streams, for each standby, of the run in which it has to work; `nil` for none.
    private let needs: [Int: (stream: AsyncStream<Int?>, continuation: AsyncStream<Int?>.Continuation)]

    /// A stream with an element each time that the deadline of the merge has changed.
    private let timeChanges: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    init(
        _ merge: BrowseMerge,
        clock: any MonotonicClock = ContinuousClock(),
        _ report: @escaping @Sendable ([BrowseEvent]) -> Void
    ) {
        self.clock = clock
        self.state = Mutex(State(merge: merge, report: report))
        self.timeChanges = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let standbys = merge.sources.indices.filter { merge.sources[$0].traits.role == .standby }
        self.needs = Dictionary(
            uniqueKeysWithValues: standbys.map {
                ($0, AsyncStream.makeStream(of: Int?.self, bufferingPolicy: .bufferingNewest(1)))
            }
        )
    }

    /// Begins to pass updates to companions. Must be called before any session runs.
    func begin(_ companions: [any SourceSession]) {
        state.withLock { $0.companions = companions }
    }

    /// Ends the browse: nothing is reported any more.
    func end() {
        state.withLock { state in
            state.report = nil
            state.companions = []
        }
        timeChanges.continuation.finish()
        for (_, continuation) in needs.values { continuation.finish() }
    }

    /// Takes in the report of a source.
    func take(_ report: SourceReport, from source: Int, run: Int = 0) {
        change { $0.take(report, from: source, run: run, now: clock.now) }
    }

    /// Returns the runs in which a standby has to work, and `nil` whenever it does not have to. Only the last one
    /// counts.
    func runs(of standby: Int) -> AsyncStream<Int?> {
        needs[standby]?.stream ?? AsyncStream { $0.finish() }
    }

    /// Wakes the merge whenever something is due, until the browse ends or the task is cancelled.
    func keepTime() async {
        for await _ in timeChanges.stream {
            while let time = state.withLock({ $0.merge.deadline }) {
                guard (try? await clock.sleep(until: time, tolerance: nil)) != nil else { return }
                change { $0.tick(now: clock.now) }
            }
        }
    }

    private func change(_ body: (inout BrowseMerge) -> BrowseMerge.Outcome) {
        // Reported under the lock: by one thread at a time, and in the order of merging.
        state.withLock { state in
            var runs: [Int: Int] = [:]
            for source in needs.keys { runs[source] = state.merge.neededRun(of: source) }
            let deadline = state.merge.deadline
            let outcome = body(&state.merge)
            if !outcome.events.isEmpty { state.report?(outcome.events) }
            if !outcome.update.isEmpty { for companion in state.companions { companion.update(outcome.update) } }
            if state.merge.deadline != deadline { timeChanges.continuation.yield() }
            for (source, need) in needs {
                let run = state.merge.neededRun(of: source)
                if run != runs[source] { need.continuation.yield(run) }
            }
        }
    }
}
