internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The sockets of one piece of work, all of which are closed when it ends: finished, cancelled or out of time.
///
/// Whatever waits on one of them then gets an error. So nothing is raced against a clock. The work goes in steps, each of
/// which has a time of its own.
final class ConnectionScope: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isEnded = false
        var isOutOfTime = false

        /// The time at which all steps must be done.
        var end: ContinuousClock.Instant?

        /// The timer that ends the present step, the step's number, the time at which it began, and the time that it
        /// has.
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

    /// Indicates whether the work ended because its time was over, or because it was cancelled.
    ///
    /// A task that is cancelled stops waiting before this scope hears of it, or without: it is asked itself as well.
    var isOutOfTime: Bool { Task.isCancelled || state.withLock { $0.isOutOfTime } }

    /// The time that the present step was given; that which it had until it was cancelled, if it was.
    var limit: Duration { state.withLock { $0.limit } }

    /// Begins a step, which may take so long; the one before has ended in time.
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

    /// Lets it take as long as its steps do.
    func keep() {
        state.withLock { $0.end = nil }
    }

    /// Lets the present step take as long as it likes, until it is cancelled or another one begins.
    func rest() {
        state.withLock { state in
            state.timer?.cancel()
            state.step += 1
            state.end = nil
        }
    }

    /// Takes a socket in.
    ///
    /// - Returns: `false` when the work has ended, and the socket must not be used.
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
            // The time of a step that is over.
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

    /// Works with sockets, and returns when all of them are closed.
    ///
    /// - Parameters:
    ///   - loop: Where its timers run.
    ///   - end: When all of it must be done; each step has a time besides.
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
