package import DNSSD
internal import Synchronization

/// The reason why ``Browser/settle(quiet:availabilityTimeout:deadline:)`` returned.
package enum SettleResult: Hashable, Sendable {
    /// Nothing new has come for a while, and nothing is being resolved.
    case settled

    /// The deadline has passed, or the task was cancelled.
    case deadline

    /// The backend has been unavailable for as long as the caller was willing to wait for it.
    case unavailable(BackendError)
}

extension Browser {
    /// Waits until nothing new has come for a while, and every service is resolved or its resolution has failed.
    ///
    /// - Parameters:
    ///   - quiet: The time for which nothing new must have come, once the first service was seen. Without any service,
    ///     the call waits until the deadline.
    ///   - availabilityTimeout: The time for which the backend may stay unavailable before the wait ends; `nil` means
    ///     until the deadline.
    ///   - deadline: The latest time at which to return.
    /// - Returns: The reason for which it returned. On cancellation it returns at once.
    @discardableResult
    package func settle(
        quiet: Duration,
        availabilityTimeout: Duration? = nil,
        deadline: ContinuousClock.Instant
    ) async -> SettleResult {
        let signal = ReaderSignal()
        let id = state.withLock { $0.addSettler(signal) }
        defer { state.withLock { $0.removeSettler(id) } }
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var alarm: ContinuousClock.Instant?
            while !Task.isCancelled {
                signal.lower()
                let now = clock.now
                var next = deadline
                let progress = state.withLock {
                    $0.progress(quiet: quiet, availabilityTimeout: availabilityTimeout, now: now)
                }
                switch progress {
                case .settled: return .settled
                case .unavailable(let error): return .unavailable(error)
                case .waiting(until: let time): next = min(time ?? deadline, deadline)
                }
                guard now < deadline else { return .deadline }
                // A timer that ends too early only leads to one more look.
                if alarm.map({ $0 <= now || $0 > next }) ?? true {
                    alarm = next
                    group.addTask { [clock] in
                        guard (try? await clock.sleep(until: next, tolerance: nil)) != nil else { return }
                        signal.raise()
                    }
                }
                await signal.wait()
            }
            return .deadline
        }
    }

    /// The number of calls that wait until the browse has settled.
    var settlers: Int { state.withLock { $0.settlers.count } }
}
