internal import DNSSD
internal import HostSystem
internal import Synchronization

/// Calls on threads of their own, of which nobody waits for one that takes too long: until it has come back, no other is made.
final class TimedCalls: Sendable {
    private let calls = BlockingCalls(most: 2)
    private let clock: any MonotonicClock

    /// The number of calls that have not come back in their time. One that comes back just then is first counted as back.
    private let late = Mutex(0)

    init(clock: any MonotonicClock) {
        self.clock = clock
    }

    /// Indicates whether a call has not come back in its time.
    var areLate: Bool { late.withLock { $0 > 0 } }

    /// Makes a call for which there is no time.
    func run(_ call: @escaping @Sendable () -> Void) { calls.run(call) }

    /// Makes a call.
    ///
    /// - Returns: Its result; `nil` if it does not come back in a time, or an earlier one has not.
    func make<Value: Sendable>(within time: Duration, _ body: @escaping @Sendable () -> Value) async -> Value? {
        guard !areLate else { return nil }
        let (results, result) = AsyncStream.makeStream(of: Value.self)
        calls.run {
            let value = body()
            if case .terminated = result.yield(value) { self.late.withLock { $0 -= 1 } }
            result.finish()
        }
        let clock = clock
        let timer = Task {
            try await clock.sleep(for: time)
            result.finish()
        }
        defer { timer.cancel() }
        // Whoever has asked may be cancelled, and the call is not.
        let waiting = Task { () -> Value? in
            for await value in results { return value }
            return nil
        }
        let value = await waiting.value
        if value == nil { late.withLock { $0 += 1 } }
        return value
    }
}
