internal import NIOCore
internal import Synchronization

/// The sockets of one operation, all of which are closed when the operation ends: finished, cancelled or out of time.
///
/// Everything that waits on one of them then gets an error, so no code has to race against a clock. The operation goes
/// in steps, each of which has a time limit of its own.
final class ConnectionScope: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isEnded = false
        var isOutOfTime = false

        /// The time at which all steps must be done.
        var end: ContinuousClock.Instant?

        /// The timer that ends the current step, the step's number, the time at which it began, and its time limit.
        var timer: Scheduled<Void>?
        var step = 0
        var began: ContinuousClock.Instant?
        var limit = Duration.zero
    }

    private let loop: any EventLoop
    private let state: Mutex<State>

    private init(on loop: any EventLoop, until end: ContinuousClock.Instant?) {
        self.loop = loop
        self.state = Mutex(State(end: end))
    }

    /// Indicates whether the operation ended because its time was over, or because it was cancelled.
    ///
    /// A cancelled task may stop waiting before this scope learns of the cancellation, or without it, so the task
    /// itself is checked as well.
    var isOutOfTime: Bool { Task.isCancelled || state.withLock { $0.isOutOfTime } }

    /// The time limit of the current step; if the step was cancelled, the time that it had until then.
    var limit: Duration { state.withLock { $0.limit } }

    /// Begins a step with a time limit; the step before it has ended in time.
    func begin(_ limit: Duration) {
        state.withLock { state in
            guard !state.isEnded else { return }
            state.timer?.cancel()
            state.step += 1
            let step = state.step
            state.began = .now
            state.limit = max(state.end.map { min(limit, $0 - .now) } ?? limit, .zero)
            state.timer = loop.scheduleTask(in: TimeAmount(state.limit)) { self.end(outOfTime: true, step: step) }
        }
    }

    /// Removes the time limit of the whole operation: only the limits of its steps remain.
    func keep() {
        state.withLock { $0.end = nil }
    }

    /// Removes the time limits of the current step and of the whole operation: the step lasts until it is cancelled or
    /// another one begins.
    func rest() {
        state.withLock { state in
            state.timer?.cancel()
            state.step += 1
            state.end = nil
        }
    }

    /// Adds a socket.
    ///
    /// - Returns: `false` when the operation has ended, and the socket must not be used.
    func add(_ channel: any Channel) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isEnded else { return false }
            state.channels[ObjectIdentifier(channel)] = channel
            return true
        }
        guard isTaken else { return false }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { $0.channels[ObjectIdentifier(channel)] = nil }
        }
        return true
    }

    /// Closes every socket but one.
    func closeAll(but kept: any Channel) {
        for channel in state.withLock({ Array($0.channels.values) }) where channel !== kept {
            channel.close(promise: nil)
        }
    }

    private func end(outOfTime: Bool, step: Int? = nil) {
        let channels: [any Channel] = state.withLock { state in
            // The timer was that of an earlier step.
            if let step, step != state.step { return [] }
            if !state.isEnded {
                state.isOutOfTime = outOfTime
                if outOfTime, step == nil, let began = state.began { state.limit = min(state.limit, .now - began) }
            }
            state.isEnded = true
            state.timer?.cancel()
            return Array(state.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Runs an operation, and returns when all of its sockets are closed.
    ///
    /// - Parameters:
    ///   - loop: The event loop of its timers.
    ///   - end: The time at which the whole operation must be done; each step has a limit of its own besides.
    static func run<Value: Sendable>(
        on loop: any EventLoop,
        until end: ContinuousClock.Instant? = nil,
        _ body: (ConnectionScope) async -> Value
    ) async -> Value {
        let scope = ConnectionScope(on: loop, until: end)
        let value = await withTaskCancellationHandler {
            await body(scope)
        } onCancel: {
            scope.end(outOfTime: true)
        }
        scope.end(outOfTime: false)
        for channel in scope.state.withLock({ Array($0.channels.values) }) { try? await channel.closeFuture.get() }
        return value
    }
}
