import DNSSD
import Synchronization

/// A clock that stands still until a test advances it.
package final class TurnedClock: MonotonicClock {
    private struct State {
        var now = ContinuousClock.now
        var lastSleeper = 0
        var sleepers: [Int: (deadline: ContinuousClock.Instant, continuation: CheckedContinuation<Bool, Never>)] = [:]
    }

    private let state = Mutex(State())

    /// A stream with one element for each sleep that begins.
    private let (begun, beginning) = AsyncStream.makeStream(of: Void.self)

    package init() {}

    package var now: ContinuousClock.Instant { state.withLock { $0.now } }

    package var minimumResolution: Duration { .zero }

    /// The number of tasks that are sleeping.
    package var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// The remaining times of the sleeping tasks, the shortest first.
    package var waits: [Duration] {
        state.withLock { state in state.sleepers.values.map { $0.deadline - state.now }.sorted() }
    }

    package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if deadline <= state.now { return true }
                    state.sleepers[number] = (deadline, continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
                beginning.yield()
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }

    /// Waits until a sleep has begun for which no earlier call has returned.
    package func nextSleep() async {
        var iterator = begun.makeAsyncIterator()
        _ = await iterator.next()
    }

    /// Advances the clock, and wakes the tasks whose deadline has passed.
    package func turn(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due
        }
        for sleeper in due.values { sleeper.continuation.resume(returning: true) }
    }
}
